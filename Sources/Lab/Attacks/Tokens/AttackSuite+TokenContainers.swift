import FoundationEssentials

/// Headers, parts and texts that are not in the one form of a token.
extension AttackSuite {
    @AttackList static var tokenHeaders: [AttackCase] {
        AttackCase(tokenForm: "token-header-kid") { form, _ in
            form.headerEdits = [.add("kid", .text("../../../dev/null"))]
        }
        AttackCase(tokenForm: "token-header-typ") { form, _ in form.headerEdits = [.add("typ", .text("JWT"))] }
        AttackCase(tokenForm: "token-header-crit") { form, _ in
            form.headerEdits = [.add("crit", .list([.text("bork")])), .add("bork", .bool(true))]
        }
        AttackCase(tokenForm: "token-header-unencoded-payload") { form, _ in
            form.headerEdits = [.add("b64", .bool(false)), .add("crit", .list([.text("b64")]))]
        }
        AttackCase(token: "token-header-jwk") { kit in
            let point = kit.rogueTokens.leaf.key.publicKeyInfo.suffix(64)
            let key: SampleJSON = .object([
                ("kty", .text("EC")), ("crv", .text("P-256")), ("x", .text(TokenSegment(Array(point.prefix(32))).text)),
                ("y", .text(TokenSegment(Array(point.suffix(32))).text)),
            ])
            return try kit.token(
                kit.richerTransaction, by: kit.rogueTokens,
                as: TokenForm().with {
                    $0.certificates = kit.tokens.certificates
                    $0.headerEdits = [.add("jwk", key)]
                })
        }
        AttackCase(tokenForm: "token-header-x5u") { form, _ in
            form.headerEdits = [.add("x5u", .text("https://127.0.0.1/certificates.pem"))]
        }
        AttackCase(tokenForm: "token-header-alg-twice") { form, _ in form.headerEdits = [.add("alg", .text("ES256"))] }
        AttackCase(tokenForm: "token-header-alg-twice-escaped") { form, _ in
            form.headerEdits = [.addEscaped(#"\u0061lg"#, .text("ES256"))]
        }
        AttackCase(tokenForm: "token-header-x5c-twice") { form, kit in
            form.headerEdits = [.add("x5c", .list(kit.tokens.certificates.map(SampleJSON.base64)))]
        }
        AttackCase(tokenForm: "token-header-list") { form, kit in
            form.header = Array("[".utf8) + kit.tokens.header + Array("]".utf8)
        }
        AttackCase(tokenForm: "token-header-trailing-octet") { form, kit in form.header = kit.tokens.header + [0] }
        AttackCase(tokenForm: "token-header-byte-order-mark") { form, kit in
            form.header = [0xef, 0xbb, 0xbf] + kit.tokens.header
        }
        AttackCase(tokenForm: "token-header-not-utf-8") { form, kit in
            form.header = kit.tokens.header.dropLast() + Array(#","n":""#.utf8) + [0xc0, 0xaf] + Array(#""}"#.utf8)
        }
        AttackCase(tokenParts: "token-header-empty") { $0.header.octets = [] }
    }

    /// Base64 other than the unpadded form of RFC 4648, section 5.
    @AttackList static var tokenAlphabets: [AttackCase] {
        AttackCase(tokenParts: "token-signature-padded") { $0.signature.paddingCount = 2 }
        AttackCase(tokenParts: "token-signature-stray-bits") { $0.signature.hasStrayBits = true }
        AttackCase(token: "token-payload-padded") { kit in
            try kit.tokens.token(octets: kit.paddable).with { $0.payload.paddingCount = 1 }
        }
        AttackCase(token: "token-payload-padded-before-signing") { kit in
            try kit.tokens.token(
                octets: kit.paddable, as: TokenForm().with { $0.payloadPart = { $0.paddingCount = 1 } })
        }
        AttackCase(token: "token-payload-stray-bits") { kit in
            try kit.tokens.token(octets: kit.paddable).with { $0.payload.hasStrayBits = true }
        }
        AttackCase(token: "token-payload-stray-bits-before-signing") { kit in
            try kit.tokens.token(
                octets: kit.paddable, as: TokenForm().with { $0.payloadPart = { $0.hasStrayBits = true } })
        }
        AttackCase(tokenForm: "token-header-padded-before-signing") { form, kit in
            // White space fills the header, so that there is something to pad.
            form.header = kit.tokens.header + Array(repeating: 0x20, count: (5 - kit.tokens.header.count % 3) % 3)
            form.headerPart = { $0.paddingCount = 1 }
        }
        AttackCase(tokenParts: "token-standard-alphabet") { $0.signature.isURLSafe = false }
        AttackCase(tokenText: "token-length-of-one-more") { String($0.dropLast()) }
        AttackCase(tokenText: "token-padding-inside") { $0.dropLast(40) + "=" + $0.suffix(40) }
        AttackCase(tokenText: "token-line-break-inside") { $0.dropLast(40) + "\n" + $0.suffix(40) }
        AttackCase(tokenText: "token-space-around-dots") { $0.replacing(".", with: " . ") }
        AttackCase(tokenText: "token-nul-behind") { $0 + "\0" }
    }

    /// Texts around or instead of the three parts.
    @AttackList static var tokenSerializations: [AttackCase] {
        AttackCase(tokenText: "token-bearer") { "Bearer \($0)" }
        AttackCase(tokenText: "token-quoted") { "\"\($0)\"" }
        AttackCase(tokenText: "token-empty-parts") { _ in ".." }
        AttackCase(tokenText: "token-four-parts") { $0 + "." }
        AttackCase(tokenText: "token-twice") { "\($0)\n\($0)" }
        AttackCase(tokenText: "token-encrypted") { text in
            let parts = text.split(separator: ".")
            return [parts[0], parts[2], parts[2], parts[1], parts[2]].joined(separator: ".")
        }
        AttackCase(tokenText: "token-json-serialization") { text in
            let parts = text.split(separator: ".").map { SampleJSON.text(String($0)) }
            let json: SampleJSON = .object([("protected", parts[0]), ("payload", parts[1]), ("signature", parts[2])])
            return String(decoding: json.octets, as: UTF8.self)
        }
        AttackCase(tokenParts: "token-detached") { $0.payload.octets = [] }
        AttackCase(tokenParts: "token-unsigned") { $0.signature.octets = [] }
    }
}

extension AttackKit {
    /// The payload of the transaction with trailing white space, so that its base64 has two unused bits.
    fileprivate var paddable: [UInt8] {
        let octets = transaction.json.octets
        return octets + [UInt8](repeating: 0x20, count: (5 - octets.count % 3) % 3)
    }
}
