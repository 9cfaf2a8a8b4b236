import DER

/// Chains made by the forger.
extension AttackSuite {
    @AttackList static var untrustedChains: [AttackCase] {
        AttackCase(
            "chain-fake-root",
            "The forger made root, intermediate and leaf with the store's names, serial numbers and markers.",
            why:
                "Names and markers can be copied; the keys are others. This is what a purchase-cracking tool would make.",
            reference: "RFC 5280, section 6.1", fails: .chainUntrusted
        ) { kit in try kit.signed(by: kit.rogue).encoded }
        AttackCase(
            "chain-fake-root-with-apple-name", "The forger's root has the exact name of Apple's: “Apple Root CA”.",
            why: "A verifier that pins the root by its name, and not by its key, trusts everybody.",
            reference: "RFC 5280, section 6.1.1 (d)", fails: .chainUntrusted
        ) { kit in
            try kit.signed(
                by: kit.store(
                    root: .root.with {
                        $0.key = .rogueRoot
                        $0.subject.encoding = DistinguishedName.encoding([
                            (SampleOID.countryName, "US"), (SampleOID.organizationName, "Apple Inc."),
                            (SampleOID.organizationalUnitName, "Apple Certification Authority"),
                            (SampleOID.commonName, "Apple Root CA"),
                        ])
                    })
            ).encoded
        }
        AttackCase(
            "chain-untrusted-root-in-container", "A chain to another store's root, which stands in the container.",
            why: "A container's certificates help to build a chain; none of them is to be trusted for being there.",
            reference: "RFC 5280, section 6.1.1 (d)", fails: .chainUntrusted
        ) { kit in
            try kit.signed(
                by: kit.store(
                    root: CertificateContent(
                        DistinguishedName("Another Root CA", organization: "Another Store"), serialNumber: 1,
                        notBefore: .utc(2006), notAfter: .utc(2039), key: .rogueRoot
                    ).with { $0.isAuthority = true })
            ).encoded
        }
        AttackCase(
            "chain-self-signed-leaf", "The leaf, with all names and markers, signed itself.",
            why: "Everybody can sign a certificate of their own.",
            reference: "RFC 5280, section 6.1", fails: .chainUntrusted
        ) { kit in
            let leaf = try SampleIdentity(selfSigned: .leaf.with { $0.key = .rogueLeaf })
            return try kit.signed(by: leaf, [leaf])
        }
        AttackCase(
            "chain-self-signed-leaf-in-genuine-chain",
            "The self-signed leaf names the store's intermediate as its issuer, and stands beside it.",
            why: "By names alone the chain is complete; the intermediate never signed the leaf.",
            reference: "RFC 5280, section 6.1.3 (a)", fails: .chainUntrusted
        ) { kit in
            let leaf = try SampleIdentity(
                selfSigned: .leaf.with {
                    $0.key = .rogueLeaf
                    $0.issuer = CertificateContent.intermediate.subject
                })
            return try kit.signed(by: leaf, [leaf] + kit.store.intermediates + [kit.store.root])
        }
        AttackCase(
            "chain-namesake-intermediate", "The forger's intermediate, with the name of the store's, issued the leaf.",
            why: "The root signed the store's intermediate, not this one.",
            reference: "RFC 5280, section 6.1.3 (a)", fails: .chainUntrusted
        ) { kit in
            var container = try kit.signed(by: kit.rogue)
            container.certificates[2] = kit.store.root.certificate
            return container.encoded
        }
        AttackCase(
            "chain-namesake-beside-genuine",
            "The forger's intermediate stands beside the store's, which has the same name.",
            why:
                "The genuine one completes the chain by name, while the forger's signed the leaf. Builders that mix the two "
                + "find a chain.",
            reference: "RFC 5280, section 6.1.3 (a); CVE-2015-1793", fails: .chainUntrusted
        ) { kit in
            var container = try kit.signed(by: kit.rogue)
            container.certificates = [
                kit.rogue.leaf.certificate, kit.rogue.intermediates[0].certificate,
                kit.store.intermediates[0].certificate, kit.store.root.certificate,
            ]
            return container.encoded
        }
        AttackCase(
            container: "chain-without-intermediate", "The intermediate is left out of the container.",
            why:
                "There is no link from the leaf to the root. A verifier that fetches or remembers intermediates decides "
                + "by what else it met.",
            reference: "RFC 5280, section 6.1", fails: .chainUntrusted
        ) { $0.certificates.remove(at: 1) }
        AttackCase(
            claim: "chain-other-anchor", "The container is genuine, but another store's root is trusted.",
            why: "The verifier has to use the anchors that it was given, and no others.",
            reference: "RFC 5280, section 6.1.1 (d)", fails: .chainUntrusted
        ) { kit in
            try kit.claim(kit.signed().encoded).with { $0.trustAnchors = [kit.rogue.root.certificate] }
        }
        AttackCase(
            encoding: "chain-altered-leaf", "The leaf's validity was extended by ten years, and nothing signed again.",
            why: "The intermediate's signature is over the dates, too.",
            reference: "RFC 5280, section 6.1.3 (a)", fails: .chainUntrusted
        ) {
            // Inside tbsCertificate: [0] version, serial number, algorithm, issuer, validity.
            $0.edit(at: Place.certificates + [0, 0, 4, 1]) { notAfter in notAfter.octets[0] = UInt8(ascii: "4") }
        }
        AttackCase(
            "chain-forger-key-in-leaf", "The leaf's public key was replaced by the forger's, and nothing signed again.",
            why:
                "The intermediate's signature is over the key, too. Verifiers that look for the issuer by name accept it.",
            reference: "RFC 5280, section 6.1.3 (a)", fails: .chainUntrusted
        ) { kit in
            var tree = try DERTree(parsing: try kit.signed(kit.richerReceipt.der, by: kit.rogue).encoded)
            var leaf = try DERTree(parsing: kit.store.leaf.certificate)
            leaf.replace(at: [0, 6], with: try DERTree(parsing: kit.rogue.leaf.key.publicKeyInfo))
            tree.replace(at: Place.certificates + [0], with: leaf)
            tree.replace(
                at: Place.certificates + [1], with: try DERTree(parsing: kit.store.intermediates[0].certificate))
            return tree.encoded
        }
    }
}
