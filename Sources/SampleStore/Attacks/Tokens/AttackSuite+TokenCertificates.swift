import DER

/// Certificates in `x5c` that differ from the store's, or are not in its form.
extension AttackSuite {
    @AttackList static var tokenCertificates: [AttackCase] {
        AttackCase(
            tokenForm: "token-x5c-missing", "The header has no x5c.",
            why: "Nobody says who signed it. A key from elsewhere is not the App Store's.",
            reference: "RFC 7515, section 4.1.6", fails: .noncanonicalContainer, .signerNotFound
        ) { form, _ in form.headerEdits = [.leaveOut("x5c")] }
        AttackCase(
            tokenForm: "token-x5c-empty", "x5c is an empty list.",
            why: "There is no signer. A chain of nothing has no link that fails.",
            reference: "RFC 7515, section 4.1.6", fails: .noncanonicalContainer, .signerNotFound
        ) { form, _ in form.certificates = [] }
        AttackCase(
            tokenForm: "token-x5c-text", "x5c is the leaf itself, and not a list.",
            why: "It is a list of texts.", reference: "RFC 7515, section 4.1.6",
            fails: .noncanonicalContainer, .signerNotFound
        ) { form, kit in form.headerEdits = [.replace("x5c", with: .base64(kit.tokens.leaf.certificate))] }
        AttackCase(
            tokenForm: "token-x5c-number", "The first entry of x5c is a number.",
            why: "It is a list of texts.", reference: "RFC 7515, section 4.1.6",
            fails: .noncanonicalContainer, .signerNotFound
        ) { form, kit in form.replaceEntry(0, of: kit, with: .number(1)) }
        AttackCase(
            tokenForm: "token-x5c-no-certificate", "The first entry of x5c is base64 of something else.",
            why: "It is no certificate.", reference: "RFC 7515, section 4.1.6",
            fails: .noncanonicalContainer, .signerNotFound
        ) { form, kit in form.replaceEntry(0, of: kit, with: .base64(DERWriter.utf8String("certificate"))) }
        AttackCase(
            tokenForm: "token-x5c-wrapped", "The leaf in x5c has line breaks after every 64 characters.",
            why: "x5c is base64 without line breaks.", reference: "RFC 7515, section 4.1.6",
            fails: .noncanonicalContainer, .signerNotFound
        ) { form, kit in
            form.replaceEntry(0, of: kit, with: .text(kit.base64(kit.tokens.leaf.certificate, lineLength: 64)))
        }
        AttackCase(
            tokenForm: "token-x5c-blank-in-front", "A blank stands before the leaf in x5c.",
            why: "x5c is base64 and nothing else.", reference: "RFC 7515, section 4.1.6",
            fails: .noncanonicalContainer, .signerNotFound
        ) { form, kit in
            form.replaceEntry(0, of: kit, with: .text(" " + kit.base64(kit.tokens.leaf.certificate)))
        }
        AttackCase(
            tokenForm: "token-x5c-url-safe", "The leaf in x5c is in the URL-safe alphabet.",
            why: "x5c is the one part of a token that is in standard base64.", reference: "RFC 7515, section 4.1.6",
            fails: .noncanonicalContainer, .signerNotFound
        ) { form, kit in
            let text = kit.base64(kit.tokens.leaf.certificate).replacing("+", with: "-").replacing("/", with: "_")
            form.replaceEntry(0, of: kit, with: .text(text))
        }
        AttackCase(
            tokenForm: "token-x5c-pem", "The leaf in x5c is a PEM block.",
            why: "x5c is base64 of DER, without armour.", reference: "RFC 7515, section 4.1.6",
            fails: .noncanonicalContainer, .signerNotFound
        ) { form, kit in
            let text = kit.base64(kit.tokens.leaf.certificate, lineLength: 64)
            form.replaceEntry(
                0, of: kit, with: .text("-----BEGIN CERTIFICATE-----\n\(text)-----END CERTIFICATE-----\n"))
        }
        AttackCase(
            tokenForm: "token-x5c-trailing-octet", "An octet of zero follows the leaf's certificate inside the base64.",
            why: "An entry is one certificate and nothing else.",
            reference: "RFC 7515, section 4.1.6; X.690, section 8.1",
            fails: .noncanonicalContainer, .signerNotFound
        ) { form, kit in form.replaceEntry(0, of: kit, with: .base64(kit.tokens.leaf.certificate + [0])) }
        AttackCase(
            tokenForm: "token-x5c-intermediate-wrapped", "The intermediate in x5c has line breaks.",
            why: "Without it there is no chain.", reference: "RFC 7515, section 4.1.6",
            fails: .noncanonicalContainer, .chainUntrusted, .signerNotAppStore
        ) { form, kit in
            form.replaceEntry(1, of: kit, with: .text(kit.base64(kit.tokens.certificates[1], lineLength: 64)))
        }
        AttackCase(
            tokenForm: "token-x5c-root-null", "The third entry of x5c is null.",
            why: "Genuine headers have three certificates.",
            reference: "Apple, App Store Server Library, SignedDataVerifier",
            fails: .noncanonicalContainer
        ) { form, kit in form.replaceEntry(2, of: kit, with: .null) }
        AttackCase(
            tokenForm: "token-x5c-of-two", "x5c has leaf and intermediate only.",
            why: "The chain holds, but genuine headers have three certificates.",
            reference: "Apple, App Store Server Library, SignedDataVerifier", fails: .noncanonicalContainer
        ) { form, kit in form.certificates = Array(kit.tokens.certificates.prefix(2)) }
        AttackCase(
            tokenForm: "token-x5c-of-one", "x5c has the leaf only.",
            why: "Without the intermediate there is no chain.",
            reference: "Apple, App Store Server Library, SignedDataVerifier",
            fails: .noncanonicalContainer, .chainUntrusted, .signerNotAppStore
        ) { form, kit in form.certificates = [kit.tokens.leaf.certificate] }
        AttackCase(
            tokenForm: "token-x5c-of-four", "x5c has a fourth certificate, the forger's root.",
            why: "The chain holds, but genuine headers have three certificates.",
            reference: "Apple, App Store Server Library, SignedDataVerifier", fails: .noncanonicalContainer
        ) { form, kit in form.certificates = kit.tokens.certificates + [kit.rogueTokens.root.certificate] }
        AttackCase(
            tokenForm: "token-x5c-intermediate-twice", "The intermediate stands in the place of the root, too.",
            why: "Three certificates are three different ones.", reference: "RFC 7515, section 4.1.6",
            fails: .noncanonicalContainer
        ) { form, kit in
            let certificates = kit.tokens.certificates
            form.certificates = [certificates[0], certificates[1], certificates[1]]
        }
        AttackCase(
            tokenForm: "token-x5c-leaf-twice", "The leaf stands in the place of the intermediate, too.",
            why: "The leaf did not issue itself, and has not the intermediate's marker.",
            reference: "RFC 7515, section 4.1.6", fails: .noncanonicalContainer, .chainUntrusted, .signerNotAppStore
        ) { form, kit in
            let certificates = kit.tokens.certificates
            form.certificates = [certificates[0], certificates[0], certificates[2]]
        }
        AttackCase(
            tokenForm: "token-x5c-swapped", "Root and intermediate have changed places.",
            why: "Each certificate certifies the one before it.", reference: "RFC 7515, section 4.1.6",
            fails: .chainUntrusted, .signerNotAppStore
        ) { form, kit in
            let certificates = kit.tokens.certificates
            form.certificates = [certificates[0], certificates[2], certificates[1]]
        }
        AttackCase(
            tokenForm: "token-x5c-reversed", "The root is the first, the leaf the last.",
            why: "The first certificate is the signer's: the root did not sign it.",
            reference: "RFC 7515, section 4.1.6", fails: .signatureInvalid, .chainUntrusted, .signerNotAppStore
        ) { form, kit in form.certificates = kit.tokens.certificates.reversed() }
    }
}

extension TokenForm {
    /// Replaces one entry of `x5c` with something else.
    fileprivate mutating func replaceEntry(_ index: Int, of kit: AttackKit, with entry: SampleJSON) {
        var entries = kit.tokens.certificates.map(SampleJSON.base64)
        entries[index] = entry
        headerEdits.append(.replace("x5c", with: .list(entries)))
    }
}
