import DER

/// Apple's two markers, 1.2.840.113635.100.6.11.1 on the leaf and .6.2.1 on the intermediate.
extension AttackSuite {
    @AttackList static var markers: [AttackCase] {
        AttackCase("chain-leaf-without-marker") { kit in try kit.signedWith(leaf: { $0.markers = [] }) }
        AttackCase("chain-intermediate-without-marker") { kit in try kit.signedWith(intermediate: { $0.markers = [] }) }
        AttackCase("chain-markers-swapped") { kit in
            try kit.signed(
                by: kit.store(
                    intermediates: [.intermediate.with { $0.markers = [SampleOID.appStoreReceiptSigning] }],
                    leaf: .leaf.with { $0.markers = [SampleOID.worldwideDeveloperRelations] })
            ).encoded
        }
        AttackCase("chain-both-markers-on-leaf") { kit in
            try kit.signed(
                by: kit.store(
                    intermediates: [.intermediate.with { $0.markers = [] }],
                    leaf: .leaf.with { $0.markers.append(SampleOID.worldwideDeveloperRelations) })
            ).encoded
        }
        AttackCase("chain-both-markers-on-intermediate") { kit in
            try kit.signed(
                by: kit.store(
                    intermediates: [.intermediate.with { $0.markers.append(SampleOID.appStoreReceiptSigning) }],
                    leaf: .leaf.with { $0.markers = [] })
            ).encoded
        }
        AttackCase("chain-marker-one-arc-short") { kit in
            try kit.signedWith(leaf: { $0.markers = [$0.markers[0].dropLast()] })
        }
        AttackCase("chain-marker-one-arc-long") { kit in
            try kit.signedWith(leaf: { $0.markers = [$0.markers[0] + [1]] })
        }
        AttackCase("chain-marker-next-to-it") { kit in
            try kit.signedWith(leaf: { $0.markers = [$0.markers[0].dropLast() + [2]] })
        }
        AttackCase("chain-marker-as-policy") { kit in
            try kit.signedWith(leaf: { leaf in
                let policy = DERWriter.element(.sequence, DERWriter.element(.objectIdentifier, leaf.markers[0]))
                leaf.markers = []
                leaf.extensionEdits = [
                    .add(ExtensionContent(SampleOID.certificatePolicies, DERWriter.element(.sequence, policy)))
                ]
            })
        }
        AttackCase("chain-marker-in-name") { kit in
            try kit.signedWith(leaf: { leaf in
                leaf.subject.encoding = DistinguishedName.encoding([
                    (SampleOID.organizationName, "Sample Store"), (leaf.markers[0], "yes"),
                ])
                leaf.markers = []
            })
        }
        AttackCase("chain-developer-certificate") { kit in try kit.signed(by: .developer()).encoded }
    }

    /// Chains whose links, rights or lengths differ from Apple's.
    @AttackList static var chainShapes: [AttackCase] {
        AttackCase("chain-leaf-signs-leaf") { kit in
            let forger = try kit.store.leaf.issue(.leaf.with { $0.key = .rogueLeaf })
            return try kit.signed(by: forger, [forger, kit.store.leaf] + kit.store.intermediates)
        }
        AttackCase("chain-intermediate-is-no-authority") { kit in
            try kit.signedWith(intermediate: {
                $0.extensionEdits = [
                    .replace(ExtensionContent(SampleOID.basicConstraints, critical: true, DERWriter.element(.sequence)))
                ]
            })
        }
        AttackCase("chain-intermediate-without-constraints") { kit in
            try kit.signedWith(intermediate: { $0.extensionEdits = [.leaveOut(SampleOID.basicConstraints)] })
        }
        AttackCase("chain-intermediate-version-1") { kit in try kit.signedWith(intermediate: { $0.version = 1 }) }
        AttackCase("chain-intermediate-key-usage") { kit in
            try kit.signedWith(intermediate: { $0.extensionEdits = [.replace(.keyUsage([.digitalSignature]))] })
        }
        AttackCase("chain-path-length-exceeded") { kit in
            try kit.signed(by: kit.store(intermediates: [.intermediate, .subordinate])).encoded
        }
        AttackCase("chain-of-four") { kit in try kit.signed(by: .chainOfFour()).encoded }
        AttackCase("chain-of-two") { kit in try kit.signed(by: kit.store(intermediates: [])).encoded }
        AttackCase("chain-of-one") { kit in try kit.signed(by: kit.store.root, [kit.store.root]) }
        AttackCase("chain-leaf-key-usage") { kit in
            try kit.signedWith(leaf: { $0.extensionEdits = [.replace(.keyUsage([.keyEncipherment]))] })
        }
        AttackCase("chain-leaf-extended-key-usage") { kit in
            try kit.signedWith(leaf: {
                let purpose = DERWriter.element(.objectIdentifier, SampleOID.serverAuthentication)
                $0.extensionEdits = [
                    .add(ExtensionContent(SampleOID.extendedKeyUsage, DERWriter.element(.sequence, purpose)))
                ]
            })
        }
        AttackCase("chain-unknown-critical-extension") { kit in
            try kit.signedWith(leaf: {
                // 2.999, the arc for examples (ITU-T X.660).
                $0.extensionEdits = [.add(ExtensionContent([0x88, 0x37], critical: true, DERWriter.null))]
            })
        }
        AttackCase("chain-name-constraints") { kit in
            try kit.signedWith(intermediate: {
                let name = DistinguishedName.encoding([(SampleOID.organizationName, "Another Company")])
                let subtree = DERWriter.element(.sequence, DERWriter.element(0xa4, [name]))
                let constraints = DERWriter.element(.sequence, DERWriter.element(.context0, subtree))
                $0.extensionEdits = [
                    .add(ExtensionContent(SampleOID.nameConstraints, critical: true, constraints))
                ]
            })
        }
        AttackCase("chain-md5-leaf") { kit in try kit.signedWith(leaf: { $0.digest = .md5 }) }
        AttackCase("chain-md5-intermediate") { kit in try kit.signedWith(intermediate: { $0.digest = .md5 }) }
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
