import DER

/// Certificates in `x5c` that differ from the store's, or are not in its form.
extension AttackSuite {
    @AttackList static var tokenCertificates: [AttackCase] {
        AttackCase(tokenForm: "token-x5c-missing") { form, _ in form.headerEdits = [.leaveOut("x5c")] }
        AttackCase(tokenForm: "token-x5c-empty") { form, _ in form.certificates = [] }
        AttackCase(tokenForm: "token-x5c-text") { form, kit in
            form.headerEdits = [.replace("x5c", with: .base64(kit.tokens.leaf.certificate))]
        }
        AttackCase(tokenForm: "token-x5c-number") { form, kit in form.replaceEntry(0, of: kit, with: .number(1)) }
        AttackCase(tokenForm: "token-x5c-no-certificate") { form, kit in
            form.replaceEntry(0, of: kit, with: .base64(DERWriter.utf8String("certificate")))
        }
        AttackCase(tokenForm: "token-x5c-wrapped") { form, kit in
            form.replaceEntry(0, of: kit, with: .text(kit.base64(kit.tokens.leaf.certificate, lineLength: 64)))
        }
        AttackCase(tokenForm: "token-x5c-blank-in-front") { form, kit in
            form.replaceEntry(0, of: kit, with: .text(" " + kit.base64(kit.tokens.leaf.certificate)))
        }
        AttackCase(tokenForm: "token-x5c-url-safe") { form, kit in
            let text = kit.base64(kit.tokens.leaf.certificate).replacing("+", with: "-").replacing("/", with: "_")
            form.replaceEntry(0, of: kit, with: .text(text))
        }
        AttackCase(tokenForm: "token-x5c-pem") { form, kit in
            let text = kit.base64(kit.tokens.leaf.certificate, lineLength: 64)
            form.replaceEntry(
                0, of: kit, with: .text("-----BEGIN CERTIFICATE-----\n\(text)-----END CERTIFICATE-----\n"))
        }
        AttackCase(tokenForm: "token-x5c-trailing-octet") { form, kit in
            form.replaceEntry(0, of: kit, with: .base64(kit.tokens.leaf.certificate + [0]))
        }
        AttackCase(tokenForm: "token-x5c-intermediate-wrapped") { form, kit in
            form.replaceEntry(1, of: kit, with: .text(kit.base64(kit.tokens.certificates[1], lineLength: 64)))
        }
        AttackCase(tokenForm: "token-x5c-root-null") { form, kit in form.replaceEntry(2, of: kit, with: .null) }
        AttackCase(tokenForm: "token-x5c-of-two") { form, kit in
            form.certificates = Array(kit.tokens.certificates.prefix(2))
        }
        AttackCase(tokenForm: "token-x5c-of-one") { form, kit in form.certificates = [kit.tokens.leaf.certificate] }
        AttackCase(tokenForm: "token-x5c-of-four") { form, kit in
            form.certificates = kit.tokens.certificates + [kit.rogueTokens.root.certificate]
        }
        AttackCase(tokenForm: "token-x5c-intermediate-twice") { form, kit in
            let certificates = kit.tokens.certificates
            form.certificates = [certificates[0], certificates[1], certificates[1]]
        }
        AttackCase(tokenForm: "token-x5c-leaf-twice") { form, kit in
            let certificates = kit.tokens.certificates
            form.certificates = [certificates[0], certificates[0], certificates[2]]
        }
        AttackCase(tokenForm: "token-x5c-swapped") { form, kit in
            let certificates = kit.tokens.certificates
            form.certificates = [certificates[0], certificates[2], certificates[1]]
        }
        AttackCase(tokenForm: "token-x5c-reversed") { form, kit in
            form.certificates = kit.tokens.certificates.reversed()
        }
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
