import DER

/// Chains made by the forger.
extension AttackSuite {
    @AttackList static var untrustedChains: [AttackCase] {
        AttackCase("chain-fake-root") { kit in try kit.signed(by: kit.rogue).encoded }
        AttackCase("chain-fake-root-with-apple-name") { kit in
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
        AttackCase("chain-untrusted-root-in-container") { kit in
            try kit.signed(
                by: kit.store(
                    root: CertificateContent(
                        DistinguishedName("Another Root CA", organization: "Another Store"), serialNumber: 1,
                        notBefore: .utc(2006), notAfter: .utc(2039), key: .rogueRoot
                    ).with { $0.isAuthority = true })
            ).encoded
        }
        AttackCase("chain-self-signed-leaf") { kit in
            let leaf = try SampleIdentity(selfSigned: .leaf.with { $0.key = .rogueLeaf })
            return try kit.signed(by: leaf, [leaf])
        }
        AttackCase("chain-self-signed-leaf-in-genuine-chain") { kit in
            let leaf = try SampleIdentity(
                selfSigned: .leaf.with {
                    $0.key = .rogueLeaf
                    $0.issuer = CertificateContent.intermediate.subject
                })
            return try kit.signed(by: leaf, [leaf] + kit.store.intermediates + [kit.store.root])
        }
        AttackCase("chain-namesake-intermediate") { kit in
            var container = try kit.signed(by: kit.rogue)
            container.certificates[2] = kit.store.root.certificate
            return container.encoded
        }
        AttackCase("chain-namesake-beside-genuine") { kit in
            var container = try kit.signed(by: kit.rogue)
            container.certificates = [
                kit.rogue.leaf.certificate, kit.rogue.intermediates[0].certificate,
                kit.store.intermediates[0].certificate, kit.store.root.certificate,
            ]
            return container.encoded
        }
        AttackCase(container: "chain-without-intermediate") { $0.certificates.remove(at: 1) }
        AttackCase(claim: "chain-other-anchor") { kit in
            try kit.claim(kit.signed().encoded).with { $0.trustAnchors = [kit.rogue.root.certificate] }
        }
        AttackCase(encoding: "chain-altered-leaf") {
            // Inside tbsCertificate: [0] version, serial number, algorithm, issuer, validity.
            $0.edit(at: Place.certificates + [0, 0, 4, 1]) { notAfter in notAfter.octets[0] = UInt8(ascii: "4") }
        }
        AttackCase("chain-forger-key-in-leaf") { kit in
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
