import DER

/// References to the signer: `issuerAndSerialNumber`, and everything that is similar.
extension AttackSuite {
    @AttackList static var signerIdentifiers: [AttackCase] {
        AttackCase("identifier-subject-key") { kit in
            try kit.edited {
                $0.replace(at: Place.signerInfo + [0], with: DERTree(.integer, [3]))
                $0.replace(at: Place.identifier, with: DERTree(identifier: [0x80], octets: kit.subjectKeyIdentifier))
            }
        }
        AttackCase("identifier-subject-key-version-1") { kit in
            try kit.edited {
                $0.replace(at: Place.identifier, with: DERTree(identifier: [0x80], octets: kit.subjectKeyIdentifier))
            }
        }
        AttackCase("identifier-smuggled-subject-key") { kit in
            try kit.edited {
                $0.edit(at: Place.identifier) { identifier in
                    identifier.children = [DERTree(identifier: [0x80], octets: kit.subjectKeyIdentifier)]
                }
            }
        }
        AttackCase("identifier-smuggled-subject-key-and-data") { kit in
            try kit.edited {
                $0.edit(at: Place.identifier) { identifier in
                    identifier.children = [
                        DERTree(identifier: [0x80], octets: kit.subjectKeyIdentifier),
                        DERTree(.octetString, [UInt8](repeating: 0x5a, count: 4096)),
                    ]
                }
            }
        }
        AttackCase(container: "identifier-serial-off-by-one") { $0.signerInfos[0].serialNumber += 1 }
        AttackCase(encoding: "identifier-serial-padded") {
            $0.edit(at: Place.serialNumber) { serial in serial.octets.insert(0, at: 0) }
        }
        AttackCase("identifier-serial-negative") { kit in
            let store = try kit.store(leaf: .leaf.with { $0.serialNumber = 0x00f0_5a3d_1e00_0002 })
            var tree = try DERTree(parsing: try kit.signed(by: store).encoded)
            tree.edit(at: Place.serialNumber) { serial in serial.octets.removeFirst() }
            return tree.encoded
        }
        AttackCase(container: "identifier-other-issuer") {
            $0.signerInfos[0].issuer = DistinguishedName("Another CA").der
        }
        AttackCase("identifier-issuer-other-strings") { kit in
            try kit.signed { $0.signerInfos[0].issuer = kit.issuerName(tag: 0x13) }
        }
        AttackCase("identifier-issuer-other-case") { kit in
            try kit.signed {
                let name = kit.store.leaf.issuerName
                $0.signerInfos[0].issuer =
                    DistinguishedName(name.commonName.uppercased(), organization: name.organization.uppercased()).der
            }
        }
        AttackCase("identifier-issuer-extra-blanks") { kit in
            try kit.signed {
                let name = kit.store.leaf.issuerName
                $0.signerInfos[0].issuer =
                    DistinguishedName(" " + name.commonName + "  ", organization: name.organization + " ").der
            }
        }
        AttackCase(encoding: "identifier-issuer-reordered") {
            $0.swap(Place.identifier + [0, 0], Place.identifier + [0, 1])
        }
        AttackCase(encoding: "identifier-octets-behind-serial") {
            $0.append(DERTree(.octetString, [UInt8](repeating: 0x5a, count: 32)), in: Place.identifier)
        }
        AttackCase("identifier-names-the-intermediate") { kit in
            try kit.signed {
                $0.signerInfos[0].issuer = kit.store.root.content.subject.der
                $0.signerInfos[0].serialNumber = CertificateContent.intermediate.serialNumber
            }
        }
        AttackCase("identifier-ambiguous-forger-first") { kit in
            var container = try kit.signed(kit.richerReceipt.der, by: kit.rogue)
            container.certificates = [kit.rogue.leaf.certificate] + kit.store.certificates
            return container.encoded
        }
        AttackCase("identifier-ambiguous-store-first") { kit in
            var container = try kit.signed(kit.richerReceipt.der, by: kit.rogue)
            container.certificates = kit.store.certificates + [kit.rogue.leaf.certificate]
            return container.encoded
        }
    }
}

extension AttackKit {
    /// The leaf's subjectKeyIdentifier.
    fileprivate var subjectKeyIdentifier: [UInt8] { SampleDigest.sha1.hash(store.leaf.key.publicKeyInfo) }

    /// Returns the name of the leaf's issuer, with strings of another type.
    fileprivate func issuerName(tag: UInt8) -> [UInt8] {
        let name = store.leaf.issuerName
        return DistinguishedName.encoding(
            [(SampleOID.organizationName, name.organization), (SampleOID.commonName, name.commonName)], tag: tag)
    }
}
