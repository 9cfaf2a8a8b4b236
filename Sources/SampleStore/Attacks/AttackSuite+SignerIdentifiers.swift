import DER

/// References to the signer: `issuerAndSerialNumber`, and everything that is similar.
extension AttackSuite {
    @AttackList static var signerIdentifiers: [AttackCase] {
        AttackCase(
            "identifier-subject-key", "The SignerInfo names its signer by subjectKeyIdentifier, with version 3.",
            why: "That is good CMS, but Apple writes issuer and serial number. Nothing signs the choice.",
            reference: "RFC 5652, section 5.3", fails: .noncanonicalContainer
        ) { kit in
            try kit.edited {
                $0.replace(at: Place.signerInfo + [0], with: DERTree(.integer, [3]))
                $0.replace(at: Place.identifier, with: DERTree(identifier: [0x80], octets: kit.subjectKeyIdentifier))
            }
        }
        AttackCase(
            "identifier-subject-key-version-1",
            "The SignerInfo names its signer by subjectKeyIdentifier, with version 1.",
            why: "Version 1 is for issuer and serial number; a decoder that goes by the version reads the wrong field.",
            reference: "RFC 5652, section 5.3", fails: .noncanonicalContainer
        ) { kit in
            try kit.edited {
                $0.replace(at: Place.identifier, with: DERTree(identifier: [0x80], octets: kit.subjectKeyIdentifier))
            }
        }
        AttackCase(
            "identifier-smuggled-subject-key",
            "A subjectKeyIdentifier stands inside the SEQUENCE in which issuer and serial number belong.",
            why:
                "A reader that takes the SEQUENCE's inside for either kind of identifier finds the signer; one that goes by "
                + "the standard cannot even decode the container.",
            reference: "RFC 5652, sections 5.3 and 10.2.4", fails: .malformedContainer
        ) { kit in
            try kit.edited {
                $0.edit(at: Place.identifier) { identifier in
                    identifier.children = [DERTree(identifier: [0x80], octets: kit.subjectKeyIdentifier)]
                }
            }
        }
        AttackCase(
            "identifier-smuggled-subject-key-and-data",
            "A subjectKeyIdentifier stands where issuer and serial number belong, and 4 KiB of anything follow it.",
            why:
                "As before, and what follows the first element is never looked at: megabytes of free octets in a file whose "
                + "signature holds.",
            reference: "RFC 5652, sections 5.3 and 10.2.4; CWE-1286", fails: .malformedContainer
        ) { kit in
            try kit.edited {
                $0.edit(at: Place.identifier) { identifier in
                    identifier.children = [
                        DERTree(identifier: [0x80], octets: kit.subjectKeyIdentifier),
                        DERTree(.octetString, [UInt8](repeating: 0x5a, count: 4096)),
                    ]
                }
            }
        }
        AttackCase(
            container: "identifier-serial-off-by-one", "The serial number is the signer's plus one.",
            why: "No certificate of the container is the one that the SignerInfo names. Trying them all instead lets a "
                + "forger say that somebody else signed.",
            reference: "RFC 5652, section 10.2.4", fails: .signerNotFound
        ) { $0.signerInfos[0].serialNumber += 1 }
        AttackCase(
            encoding: "identifier-serial-padded",
            "The serial number has a leading octet of zero that it does not need.",
            why: "Compared as a number it is the signer's; as an encoding it is not even BER.",
            reference: "X.690, section 8.3.2", fails: .malformedContainer
        ) { $0.edit(at: Place.serialNumber) { serial in serial.octets.insert(0, at: 0) } }
        AttackCase(
            "identifier-serial-negative",
            "The signer's serial number has its high bit set and a zero in front; the SignerInfo leaves out the zero.",
            why:
                "Without the zero the number is negative, and another one. Readers that compare magnitudes do not see it.",
            reference: "X.690, section 8.3.3; RFC 5280, section 4.1.2.2", fails: .signerNotFound
        ) { kit in
            let store = try kit.store(leaf: .leaf.with { $0.serialNumber = 0x00f0_5a3d_1e00_0002 })
            var tree = try DERTree(parsing: try kit.signed(by: store).encoded)
            tree.edit(at: Place.serialNumber) { serial in serial.octets.removeFirst() }
            return tree.encoded
        }
        AttackCase(
            container: "identifier-other-issuer", "The issuer is another one than the signer's.",
            why: "Serial numbers are unique for one issuer only.",
            reference: "RFC 5652, section 10.2.4", fails: .signerNotFound
        ) { $0.signerInfos[0].issuer = DistinguishedName("Another CA").der }
        AttackCase(
            "identifier-issuer-other-strings",
            "The issuer's names are PrintableStrings, where its certificate has UTF8Strings.",
            why:
                "Readers that compare names by meaning find the signer, others do not. Apple copies the Name octet by octet.",
            reference: "RFC 5280, sections 4.1.2.6 and 7.1", fails: .signerNotFound
        ) { kit in try kit.signed { $0.signerInfos[0].issuer = kit.issuerName(tag: 0x13) } }
        AttackCase(
            "identifier-issuer-other-case", "The issuer's names are in capitals.",
            why:
                "Names are compared without case by meaning, but Apple copies the Name octet by octet; the letters' case would "
                + "be free.",
            reference: "RFC 5280, section 7.1; RFC 4518", fails: .signerNotFound
        ) { kit in
            try kit.signed {
                let name = kit.store.leaf.issuerName
                $0.signerInfos[0].issuer =
                    DistinguishedName(name.commonName.uppercased(), organization: name.organization.uppercased()).der
            }
        }
        AttackCase(
            "identifier-issuer-extra-blanks", "The issuer's names have more blanks around and between their words.",
            why: "Blanks are folded when names are compared by meaning; their number would be free.",
            reference: "RFC 5280, section 7.1; RFC 4518, section 2.6.1", fails: .signerNotFound
        ) { kit in
            try kit.signed {
                let name = kit.store.leaf.issuerName
                $0.signerInfos[0].issuer =
                    DistinguishedName(" " + name.commonName + "  ", organization: name.organization + " ").der
            }
        }
        AttackCase(
            encoding: "identifier-issuer-reordered", "The two parts of the issuer's Name stand in the other order.",
            why: "A Name is a sequence: in another order it is another name.",
            reference: "RFC 5280, section 7.1", fails: .signerNotFound
        ) { $0.swap(Place.identifier + [0, 0], Place.identifier + [0, 1]) }
        AttackCase(
            encoding: "identifier-octets-behind-serial", "An OCTET STRING follows issuer and serial number.",
            why:
                "Two fields make an issuerAndSerialNumber. Who reads two and does not look for a third leaves it free.",
            reference: "RFC 5652, section 10.2.4; CWE-1286", fails: .malformedContainer
        ) { $0.append(DERTree(.octetString, [UInt8](repeating: 0x5a, count: 32)), in: Place.identifier) }
        AttackCase(
            "identifier-names-the-intermediate", "The SignerInfo names the intermediate, while the leaf signed.",
            why: "The intermediate's key did not make the signature, and the intermediate does not sign receipts.",
            reference: "RFC 5652, section 5.6", fails: .signatureInvalid, .chainUntrusted
        ) { kit in
            try kit.signed {
                $0.signerInfos[0].issuer = kit.store.root.content.subject.der
                $0.signerInfos[0].serialNumber = CertificateContent.intermediate.serialNumber
            }
        }
        AttackCase(
            "identifier-ambiguous-forger-first",
            "Two certificates have the issuer and serial number that are named: the forger's, who signed, then the store's.",
            why:
                "The forger's certificate bears the names, but the issuer never signed it. A verifier that checks the signature "
                + "with one and the chain of the other accepts everything.",
            reference: "RFC 5652, section 10.2.4; RFC 5280, section 4.1.2.2", fails: .chainUntrusted
        ) { kit in
            var container = try kit.signed(kit.richerReceipt.der, by: kit.rogue)
            container.certificates = [kit.rogue.leaf.certificate] + kit.store.certificates
            return container.encoded
        }
        AttackCase(
            "identifier-ambiguous-store-first",
            "Two certificates have the issuer and serial number that are named: the store's, then the forger's, who signed.",
            why: "As before, in the order in which the other half of the verifiers is deceived.",
            reference: "RFC 5652, section 10.2.4; RFC 5280, section 4.1.2.2",
            fails: .noncanonicalContainer, .signatureInvalid
        ) { kit in
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
