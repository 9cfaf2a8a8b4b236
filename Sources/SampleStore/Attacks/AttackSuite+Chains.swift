import DER

/// Apple's two markers, 1.2.840.113635.100.6.11.1 on the leaf and .6.2.1 on the intermediate.
extension AttackSuite {
    @AttackList static var markers: [AttackCase] {
        AttackCase(
            "chain-leaf-without-marker", "The leaf lacks the marker of receipt signing.",
            why:
                "Every certificate of Apple's intermediate would sign receipts: those of a hundred thousand developers.",
            reference: "Apple, “Validating receipts on the device”", fails: .signerNotAppStore
        ) { kit in try kit.signedWith(leaf: { $0.markers = [] }) }
        AttackCase(
            "chain-intermediate-without-marker", "The intermediate lacks the marker of Worldwide Developer Relations.",
            why: "Apple's root has other intermediates, for other purposes.",
            reference: "Apple, “Validating receipts on the device”", fails: .signerNotAppStore
        ) { kit in try kit.signedWith(intermediate: { $0.markers = [] }) }
        AttackCase(
            "chain-markers-swapped", "Leaf and intermediate carry each other's marker.",
            why: "Who looks for both markers anywhere in the chain finds both.",
            reference: "Apple, “Validating receipts on the device”", fails: .signerNotAppStore
        ) { kit in
            try kit.signed(
                by: kit.store(
                    intermediates: [.intermediate.with { $0.markers = [SampleOID.appStoreReceiptSigning] }],
                    leaf: .leaf.with { $0.markers = [SampleOID.worldwideDeveloperRelations] })
            ).encoded
        }
        AttackCase(
            "chain-both-markers-on-leaf", "The leaf carries both markers, the intermediate none.",
            why: "A marker says what its own certificate is for.",
            reference: "Apple, “Validating receipts on the device”", fails: .signerNotAppStore
        ) { kit in
            try kit.signed(
                by: kit.store(
                    intermediates: [.intermediate.with { $0.markers = [] }],
                    leaf: .leaf.with { $0.markers.append(SampleOID.worldwideDeveloperRelations) })
            ).encoded
        }
        AttackCase(
            "chain-both-markers-on-intermediate", "The intermediate carries both markers, the leaf none.",
            why: "A marker says what its own certificate is for.",
            reference: "Apple, “Validating receipts on the device”", fails: .signerNotAppStore
        ) { kit in
            try kit.signed(
                by: kit.store(
                    intermediates: [.intermediate.with { $0.markers.append(SampleOID.appStoreReceiptSigning) }],
                    leaf: .leaf.with { $0.markers = [] })
            ).encoded
        }
        AttackCase(
            "chain-marker-one-arc-short", "The leaf's marker is 1.2.840.113635.100.6.11, without its last arc.",
            why: "Who compares beginnings of object identifiers takes a whole arc for one marker.",
            reference: "X.660", fails: .signerNotAppStore
        ) { kit in try kit.signedWith(leaf: { $0.markers = [$0.markers[0].dropLast()] }) }
        AttackCase(
            "chain-marker-one-arc-long", "The leaf's marker is 1.2.840.113635.100.6.11.1.1, one arc too long.",
            why: "Who compares beginnings of object identifiers takes a whole arc for one marker.",
            reference: "X.660", fails: .signerNotAppStore
        ) { kit in try kit.signedWith(leaf: { $0.markers = [$0.markers[0] + [1]] }) }
        AttackCase(
            "chain-marker-next-to-it", "The leaf's marker is 1.2.840.113635.100.6.11.2.",
            why: "It stands for another service of Apple's.",
            reference: "X.660", fails: .signerNotAppStore
        ) { kit in try kit.signedWith(leaf: { $0.markers = [$0.markers[0].dropLast() + [2]] }) }
        AttackCase(
            "chain-marker-as-policy", "The leaf has the marker's object identifier as a certificate policy.",
            why:
                "Who searches the certificate's octets for the object identifier finds it where it means something else.",
            reference: "RFC 5280, section 4.2.1.4", fails: .signerNotAppStore
        ) { kit in
            try kit.signedWith(leaf: { leaf in
                let policy = DERWriter.element(.sequence, DERWriter.element(.objectIdentifier, leaf.markers[0]))
                leaf.markers = []
                leaf.extensionEdits = [
                    .add(ExtensionContent(SampleOID.certificatePolicies, DERWriter.element(.sequence, policy)))
                ]
            })
        }
        AttackCase(
            "chain-marker-in-name",
            "The leaf has the marker's object identifier as the type of an attribute of its name.",
            why: "Who searches the certificate's octets for the object identifier finds it where the subject chose it.",
            reference: "RFC 5280, section 4.1.2.6", fails: .signerNotAppStore
        ) { kit in
            try kit.signedWith(leaf: { leaf in
                leaf.subject.encoding = DistinguishedName.encoding([
                    (SampleOID.organizationName, "Sample Store"), (leaf.markers[0], "yes"),
                ])
                leaf.markers = []
            })
        }
        AttackCase(
            "chain-developer-certificate", "A registered developer signed, with the certificate that signs apps.",
            why:
                "It chains to the same root through the same intermediate, and anybody gets one for 99 dollars a year. "
                + "This is the forgery that verifiers by chain alone accept.",
            reference: "Apple, “Validating receipts on the device”; OWASP MASTG", fails: .signerNotAppStore
        ) { kit in try kit.signed(by: .developer()).encoded }
    }

    /// Chains whose links, rights or lengths differ from Apple's.
    @AttackList static var chainShapes: [AttackCase] {
        AttackCase(
            "chain-leaf-signs-leaf", "The store's leaf, which is no authority, issued the certificate that signed.",
            why: "Whoever holds any certificate would issue others. Only basic constraints with cA make an authority.",
            reference: "RFC 5280, section 6.1.4 (k); CVE-2002-0862; CVE-2011-0228", fails: .chainUntrusted
        ) { kit in
            let forger = try kit.store.leaf.issue(.leaf.with { $0.key = .rogueLeaf })
            return try kit.signed(by: forger, [forger, kit.store.leaf] + kit.store.intermediates)
        }
        AttackCase(
            "chain-intermediate-is-no-authority", "The intermediate's basic constraints leave out cA.",
            why: "Without cA a certificate must not verify the signatures on others.",
            reference: "RFC 5280, section 4.2.1.9", fails: .chainUntrusted
        ) { kit in
            try kit.signedWith(intermediate: {
                $0.extensionEdits = [
                    .replace(ExtensionContent(SampleOID.basicConstraints, critical: true, DERWriter.element(.sequence)))
                ]
            })
        }
        AttackCase(
            "chain-intermediate-without-constraints", "The intermediate has no basic constraints at all.",
            why: "A certificate of version 3 without basic constraints is no authority.",
            reference: "RFC 5280, section 6.1.4 (k)", fails: .chainUntrusted
        ) { kit in try kit.signedWith(intermediate: { $0.extensionEdits = [.leaveOut(SampleOID.basicConstraints)] }) }
        AttackCase(
            "chain-intermediate-version-1", "The intermediate is a certificate of version 1, which has no extensions.",
            why: "It cannot say that it is an authority. Old verifiers took every certificate of version 1 for one.",
            reference: "RFC 5280, section 6.1.4 (k)", fails: .chainUntrusted
        ) { kit in try kit.signedWith(intermediate: { $0.version = 1 }) }
        AttackCase(
            "chain-intermediate-key-usage", "The intermediate's key usage is digitalSignature, without keyCertSign.",
            why: "Its key must not sign certificates.",
            reference: "RFC 5280, section 6.1.4 (n)", fails: .chainUntrusted
        ) { kit in
            try kit.signedWith(intermediate: { $0.extensionEdits = [.replace(.keyUsage([.digitalSignature]))] })
        }
        AttackCase(
            "chain-path-length-exceeded", "The intermediate, whose path length is 0, issued one more authority.",
            why: "A path length of 0 says that no authority may follow.",
            reference: "RFC 5280, section 6.1.4 (l)", fails: .chainUntrusted
        ) { kit in try kit.signed(by: kit.store(intermediates: [.intermediate, .subordinate])).encoded }
        AttackCase(
            "chain-of-four", "One more authority stands between intermediate and leaf, by the rules.",
            why:
                "Apple's chain is leaf, intermediate, root. A longer one was made by somebody whom Apple let make authorities.",
            reference: "Apple, “Validating receipts on the device”", fails: .signerNotAppStore
        ) { kit in try kit.signed(by: .chainOfFour()).encoded }
        AttackCase(
            "chain-of-two", "The root issued the leaf itself.",
            why: "Apple's chain is leaf, intermediate, root. There is no intermediate that could carry the marker.",
            reference: "Apple, “Validating receipts on the device”", fails: .signerNotAppStore
        ) { kit in try kit.signed(by: kit.store(intermediates: [])).encoded }
        AttackCase(
            "chain-of-one", "The root itself signed the receipt.",
            why:
                "A root does not sign receipts. A verifier that finds the signer among its anchors may look no further.",
            reference: "Apple, “Validating receipts on the device”; RFC 5280, section 6.1", fails: .chainUntrusted
        ) { kit in try kit.signed(by: kit.store.root, [kit.store.root]) }
        AttackCase(
            "chain-leaf-key-usage", "The leaf's key usage is keyEncipherment, without digitalSignature.",
            why: "Its key must not sign anything.",
            reference: "RFC 5280, section 4.2.1.3", fails: .chainUntrusted
        ) { kit in try kit.signedWith(leaf: { $0.extensionEdits = [.replace(.keyUsage([.keyEncipherment]))] }) }
        AttackCase(
            "chain-leaf-extended-key-usage", "The leaf's extended key usage is that of TLS servers, and no other.",
            why: "A certificate must be used for the purposes that it names, and for no others.",
            reference: "RFC 5280, section 4.2.1.12", fails: .chainUntrusted
        ) { kit in
            try kit.signedWith(leaf: {
                let purpose = DERWriter.element(.objectIdentifier, SampleOID.serverAuthentication)
                $0.extensionEdits = [
                    .add(ExtensionContent(SampleOID.extendedKeyUsage, DERWriter.element(.sequence, purpose)))
                ]
            })
        }
        AttackCase(
            "chain-unknown-critical-extension", "The leaf has a critical extension that nobody knows.",
            why: "A verifier that does not know a critical extension must refuse the certificate.",
            reference: "RFC 5280, section 4.2", fails: .chainUntrusted
        ) { kit in
            try kit.signedWith(leaf: {
                // 2.999, the arc for examples (ITU-T X.660).
                $0.extensionEdits = [.add(ExtensionContent([0x88, 0x37], critical: true, DERWriter.null))]
            })
        }
        AttackCase(
            "chain-name-constraints",
            "The intermediate may issue names below “Another Company” only, and the leaf has another.",
            why: "What an authority may issue is limited by its name constraints.",
            reference: "RFC 5280, section 4.2.1.10", fails: .chainUntrusted
        ) { kit in
            try kit.signedWith(intermediate: {
                let name = DistinguishedName.encoding([(SampleOID.organizationName, "Another Company")])
                let subtree = DERWriter.element(.sequence, DERWriter.element(0xa4, [name]))
                let constraints = DERWriter.element(.sequence, DERWriter.element(.context0, subtree))
                $0.extensionEdits = [
                    .add(ExtensionContent(SampleOID.nameConstraints, critical: true, constraints))
                ]
            })
        }
        AttackCase(
            "chain-md5-leaf", "The intermediate signed the leaf with MD5.",
            why: "Collisions of MD5 are made in seconds: a signature on one certificate is one on another, too.",
            reference: "RFC 6151; CVE-2004-2761", fails: .chainUntrusted
        ) { kit in try kit.signedWith(leaf: { $0.digest = .md5 }) }
        AttackCase(
            "chain-md5-intermediate", "The root signed the intermediate with MD5.",
            why: "That is how a rogue authority was made in 2008, and how Flame was signed in 2012.",
            reference: "RFC 6151; Stevens et al., “Short chosen-prefix collisions for MD5”, CRYPTO 2009",
            fails: .chainUntrusted
        ) { kit in try kit.signedWith(intermediate: { $0.digest = .md5 }) }
    }
}

extension AttackKit {
    /// Returns the receipt signed by an identity, in a container with certificates of these.
    func signed(
        by signer: SampleIdentity, _ certificates: [SampleIdentity], content: [UInt8]? = nil
    ) throws(SigningError) -> [UInt8] {
        let content = content ?? receipt.der
        let signature = try signer.key.signature(over: content, digest: .sha256)
        var container = SignedDataContent(content, signer: signer, digest: .sha256, signature: signature)
        container.certificates = certificates.map(\.certificate)
        return container.encoded
    }
}
