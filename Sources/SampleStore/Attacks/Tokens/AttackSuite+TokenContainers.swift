import FoundationEssentials

/// Headers, parts and texts that are not in the one form of a token.
extension AttackSuite {
    @AttackList static var tokenHeaders: [AttackCase] {
        AttackCase(
            tokenForm: "token-header-kid", "The store's header has a third member, kid.",
            why: "Apple's headers have two members; a verifier that looks keys up by kid lets the sender choose them.",
            reference: "RFC 7515, section 4.1.4; CWE-89", fails: .noncanonicalContainer
        ) { form, _ in form.headerEdits = [.add("kid", .text("../../../dev/null"))] }
        AttackCase(
            tokenForm: "token-header-typ", "The store's header has a third member, typ.",
            why: "Apple's headers have two members.", reference: "RFC 7515, section 4.1.9",
            fails: .noncanonicalContainer
        ) { form, _ in form.headerEdits = [.add("typ", .text("JWT"))] }
        AttackCase(
            tokenForm: "token-header-crit", "The header says that a member that nobody knows is critical.",
            why: "A verifier that does not understand a critical member must refuse the token.",
            reference: "RFC 7515, section 4.1.11; CVE-2025-59420", fails: .noncanonicalContainer
        ) { form, _ in
            form.headerEdits = [.add("crit", .list([.text("bork")])), .add("bork", .bool(true))]
        }
        AttackCase(
            tokenForm: "token-header-unencoded-payload", "The header says that the payload is not encoded.",
            why: "Whoever believes it verifies other octets than whoever does not.",
            reference: "RFC 7797, section 3", fails: .noncanonicalContainer
        ) { form, _ in
            form.headerEdits = [.add("b64", .bool(false)), .add("crit", .list([.text("b64")]))]
        }
        AttackCase(
            token: "token-header-jwk",
            "The header brings the forger's public key in the member jwk; the rest is the store's.",
            why: "A key that comes with the token proves nothing.",
            reference: "RFC 7515, section 4.1.3; CVE-2018-0114", fails: .noncanonicalContainer, .signatureInvalid
        ) { kit in
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
        AttackCase(
            tokenForm: "token-header-x5u", "The header has x5u, an address to load certificates from.",
            why: "A verifier that follows it asks whomever the sender wants, and trusts what it gets.",
            reference: "RFC 7515, section 4.1.5; CWE-918", fails: .noncanonicalContainer
        ) { form, _ in form.headerEdits = [.add("x5u", .text("https://127.0.0.1/certificates.pem"))] }
        AttackCase(
            tokenForm: "token-header-alg-twice", "The header has the member alg twice, with the same value.",
            why: "One reader takes the first, another the last. A header has each member once.",
            reference: "RFC 7515, section 4; CWE-436", fails: .noncanonicalContainer
        ) { form, _ in form.headerEdits = [.add("alg", .text("ES256"))] }
        AttackCase(
            tokenForm: "token-header-alg-twice-escaped",
            "The header has the member alg twice, once with an escaped letter, both with the same value.",
            why: "The names are the same after unescaping.",
            reference: "RFC 7515, section 4; RFC 8259, section 8.3", fails: .noncanonicalContainer
        ) { form, _ in form.headerEdits = [.addEscaped(#"\u0061lg"#, .text("ES256"))] }
        AttackCase(
            tokenForm: "token-header-x5c-twice", "The header has the member x5c twice, with the same certificates.",
            why: "One reader takes the first, another the last.", reference: "RFC 7515, section 4; CWE-436",
            fails: .noncanonicalContainer
        ) { form, kit in
            form.headerEdits = [.add("x5c", .list(kit.tokens.certificates.map(SampleJSON.base64)))]
        }
        AttackCase(
            tokenForm: "token-header-list", "The header is a list with the right object in it.",
            why: "A header is an object.", reference: "RFC 7515, section 4", fails: .malformedContainer
        ) { form, kit in form.header = Array("[".utf8) + kit.tokens.header + Array("]".utf8) }
        AttackCase(
            tokenForm: "token-header-trailing-octet", "An octet of zero follows the object in the header.",
            why: "That is no JSON; a reader that stops at the brace does not see it.",
            reference: "RFC 8259, section 2", fails: .malformedContainer
        ) { form, kit in form.header = kit.tokens.header + [0] }
        AttackCase(
            tokenForm: "token-header-byte-order-mark", "The header starts with a byte order mark.",
            why: "JSON must not have one.", reference: "RFC 8259, section 8.1", fails: .malformedContainer
        ) { form, kit in form.header = [0xef, 0xbb, 0xbf] + kit.tokens.header }
        AttackCase(
            tokenForm: "token-header-not-utf-8", "A third member of the header is no UTF-8.",
            why: "JSON is UTF-8; readers replace what is not, or leave it out.",
            reference: "RFC 8259, section 8.1", fails: .malformedContainer
        ) { form, kit in
            form.header = kit.tokens.header.dropLast() + Array(#","n":""#.utf8) + [0xc0, 0xaf] + Array(#""}"#.utf8)
        }
        AttackCase(
            tokenParts: "token-header-empty", "The header is empty.",
            why: "Nothing says how the token is signed, or by whom.", reference: "RFC 7515, section 4",
            fails: .malformedContainer
        ) { $0.header.octets = [] }
    }

    /// Base64 other than the unpadded form of RFC 4648, section 5.
    @AttackList static var tokenAlphabets: [AttackCase] {
        AttackCase(
            tokenParts: "token-signature-padded", "The signature is padded with `==`.",
            why: "Nothing signs it: one token, two texts.", reference: "RFC 7515, section 2; RFC 4648, section 3.2",
            fails: .noncanonicalContainer
        ) { $0.signature.paddingCount = 2 }
        AttackCase(
            tokenParts: "token-signature-stray-bits", "The unused bits of the signature's last character are ones.",
            why: "Nothing signs them: one token, sixteen texts.", reference: "RFC 4648, section 3.5",
            fails: .noncanonicalContainer
        ) { $0.signature.hasStrayBits = true }
        AttackCase(
            token: "token-payload-padded", "The payload was padded after it was signed.",
            why: "The signature is over the text as it stands, which is now another one.",
            reference: "RFC 7515, sections 2 and 5.2", fails: .noncanonicalContainer, .signatureInvalid
        ) { kit in try kit.tokens.token(octets: kit.paddable).with { $0.payload.paddingCount = 1 } }
        AttackCase(
            token: "token-payload-padded-before-signing", "The payload is padded, and signed like that.",
            why: "The signature holds, but the App Store writes no padding.", reference: "RFC 7515, section 2",
            fails: .noncanonicalContainer
        ) { kit in
            try kit.tokens.token(
                octets: kit.paddable, as: TokenForm().with { $0.payloadPart = { $0.paddingCount = 1 } })
        }
        AttackCase(
            token: "token-payload-stray-bits", "The unused bits of the payload's last character were set afterwards.",
            why: "A verifier that decodes and encodes the payload again before it verifies does not notice.",
            reference: "RFC 4648, section 3.5; RFC 7515, section 5.2", fails: .noncanonicalContainer, .signatureInvalid
        ) { kit in try kit.tokens.token(octets: kit.paddable).with { $0.payload.hasStrayBits = true } }
        AttackCase(
            token: "token-payload-stray-bits-before-signing",
            "The unused bits of the payload's last character are ones, and signed like that.",
            why: "The signature holds, but the App Store leaves no bits over.", reference: "RFC 4648, section 3.5",
            fails: .noncanonicalContainer
        ) { kit in
            try kit.tokens.token(
                octets: kit.paddable, as: TokenForm().with { $0.payloadPart = { $0.hasStrayBits = true } })
        }
        AttackCase(
            tokenForm: "token-header-padded-before-signing", "The header is padded, and signed like that.",
            why: "The signature holds, but the App Store writes no padding.", reference: "RFC 7515, section 2",
            fails: .noncanonicalContainer
        ) { form, kit in
            // White space fills the header, so that there is something to pad.
            form.header = kit.tokens.header + Array(repeating: 0x20, count: (5 - kit.tokens.header.count % 3) % 3)
            form.headerPart = { $0.paddingCount = 1 }
        }
        AttackCase(
            tokenParts: "token-standard-alphabet", "The signature is in standard base64, with + and /.",
            why: "A token is in the URL-safe alphabet; one that reads both has many texts for one token.",
            reference: "RFC 7515, section 2; RFC 4648, section 5", fails: .malformedContainer
        ) { $0.signature.isURLSafe = false }
        AttackCase(
            tokenText: "token-length-of-one-more", "The last character of the signature is missing.",
            why: "No octets have base64 of that length.", reference: "RFC 4648, section 4", fails: .malformedContainer
        ) { String($0.dropLast()) }
        AttackCase(
            tokenText: "token-padding-inside", "An = stands in the middle of the signature.",
            why: "Readers stop there, or skip it.", reference: "RFC 4648, section 3.3", fails: .malformedContainer
        ) { $0.dropLast(40) + "=" + $0.suffix(40) }
        AttackCase(
            tokenText: "token-line-break-inside", "A line break stands in the middle of the signature.",
            why: "A token has no white space inside; lenient decoders skip it.",
            reference: "RFC 7515, section 2", fails: .malformedContainer
        ) { $0.dropLast(40) + "\n" + $0.suffix(40) }
        AttackCase(
            tokenText: "token-space-around-dots", "Blanks stand around the dots.",
            why: "Somebody who trims each part reads another text than was signed.",
            reference: "RFC 7515, section 7.1", fails: .malformedContainer
        ) { $0.replacing(".", with: " . ") }
        AttackCase(
            tokenText: "token-nul-behind", "An octet of zero follows the token.",
            why: "In C the text ends there; for others it is part of the signature.", reference: "CWE-158",
            fails: .malformedContainer
        ) { $0 + "\0" }
    }

    /// Texts around or instead of the three parts.
    @AttackList static var tokenSerializations: [AttackCase] {
        AttackCase(
            tokenText: "token-bearer", "The word Bearer stands before the token.",
            why: "That belongs to a header of HTTP.", reference: "RFC 6750, section 2.1", fails: .malformedContainer
        ) { "Bearer \($0)" }
        AttackCase(
            tokenText: "token-quoted", "The token stands in quotes.",
            why: "That is JSON, and no token.", reference: "RFC 7515, section 7.1", fails: .malformedContainer
        ) { "\"\($0)\"" }
        AttackCase(
            tokenText: "token-empty-parts", "Two dots, and nothing else.",
            why: "There is no header.", reference: "RFC 7515, section 7.1", fails: .malformedContainer
        ) { _ in ".." }
        AttackCase(
            tokenText: "token-four-parts", "A fourth, empty part follows the signature.",
            why: "A reader that splits at dots and takes three does not see it.", reference: "RFC 7515, section 7.1",
            fails: .unknownFormat
        ) { $0 + "." }
        AttackCase(
            tokenText: "token-twice", "The token stands there twice, on two lines.",
            why: "One proof is one token.", reference: "RFC 7515, section 7.1", fails: .unknownFormat
        ) { "\($0)\n\($0)" }
        AttackCase(
            tokenText: "token-encrypted", "The text has five parts, as an encrypted token has.",
            why: "A library that reads both kinds takes a token that its recipient encrypted to itself as proof.",
            reference: "RFC 7516, section 9; CVE-2023-51774", fails: .unknownFormat
        ) { text in
            let parts = text.split(separator: ".")
            return [parts[0], parts[2], parts[2], parts[1], parts[2]].joined(separator: ".")
        }
        AttackCase(
            tokenText: "token-json-serialization", "The three parts stand in the members of a JSON object.",
            why: "The App Store writes the compact serialization only; the other one has headers that are not signed.",
            reference: "RFC 7515, section 7.2.2", fails: .unknownFormat
        ) { text in
            let parts = text.split(separator: ".").map { SampleJSON.text(String($0)) }
            let json: SampleJSON = .object([("protected", parts[0]), ("payload", parts[1]), ("signature", parts[2])])
            return String(decoding: json.octets, as: UTF8.self)
        }
        AttackCase(
            tokenParts: "token-detached", "The payload is missing, as in a detached signature.",
            why: "There is nothing to judge.", reference: "RFC 7515, appendix F", fails: .noContent
        ) { $0.payload.octets = [] }
        AttackCase(
            tokenParts: "token-unsigned", "The signature is empty.",
            why: "Whoever verifies what is there finds nothing wrong.",
            reference: "RFC 8725, section 2.1; CVE-2020-28042",
            fails: .notSigned
        ) { $0.signature.octets = [] }
    }
}

extension AttackKit {
    /// The payload of the transaction with trailing white space, so that its base64 has two unused bits.
    fileprivate var paddable: [UInt8] {
        let octets = transaction.json.octets
        return octets + [UInt8](repeating: 0x20, count: (5 - octets.count % 3) % 3)
    }
}
