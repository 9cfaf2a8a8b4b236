/// Signatures by another algorithm, or with impossible numbers.
extension AttackSuite {
    @AttackList static var tokenAlgorithms: [AttackCase] {
        AttackCase(
            token: "token-alg-none", "The header says `none`, and the signature is empty.",
            why: "Nobody signed it.", reference: "RFC 8725, section 3.1; CVE-2015-9235", fails: .notSigned
        ) { kit in
            try kit.token(
                kit.richerTransaction,
                as: TokenForm().with {
                    $0.headerEdits = [.replace("alg", with: .text("none"))]
                    $0.signature = .octets([])
                })
        }
        AttackCase(
            token: "token-alg-none-signed",
            "The header says `none`, and the signature is the store's over another payload.",
            why: "What the header says is believed first; the signature is then not looked at.",
            reference: "RFC 8725, section 3.1; CVE-2015-9235", fails: .notSigned
        ) { kit in
            let signature = try kit.token().signature.octets
            return try kit.token(
                kit.richerTransaction,
                as: TokenForm().with {
                    $0.headerEdits = [.replace("alg", with: .text("none"))]
                    $0.signature = .octets(signature)
                })
        }
        AttackCase(
            tokenForm: "token-alg-none-in-capitals", "The header says `nOnE`, and the signature is 64 octets of zero.",
            why: "A list of refused names that does not know how it is written lets it pass.",
            reference: "RFC 8725, section 3.1; CVE-2016-10555", fails: .noncanonicalContainer, .signatureInvalid
        ) { form, _ in
            form.headerEdits = [.replace("alg", with: .text("nOnE"))]
            form.signature = .octets([UInt8](repeating: 0, count: 64))
        }
        AttackCase(
            token: "token-alg-hs256-with-public-key",
            "The header says HS256, and the key is the leaf's public key in DER.",
            why: "Everybody has the public key. Whoever lets the header choose takes it for a secret.",
            reference: "RFC 8725, section 2.1; CVE-2016-5431", fails: .noncanonicalContainer, .signatureInvalid
        ) { kit in try kit.token(hmac: kit.tokens.leaf.key.publicKeyInfo) }
        AttackCase(
            token: "token-alg-hs256-with-pem", "The header says HS256, and the key is the leaf's certificate in PEM.",
            why: "The text in which verifiers keep keys is no secret either.",
            reference: "RFC 8725, section 2.1; CVE-2015-9235", fails: .noncanonicalContainer, .signatureInvalid
        ) { kit in
            let text = kit.base64(kit.tokens.leaf.certificate, lineLength: 64)
            return try kit.token(
                hmac: Array("-----BEGIN CERTIFICATE-----\n\(text)-----END CERTIFICATE-----\n".utf8))
        }
        AttackCase(
            token: "token-alg-es384", "The leaf's key is on P-384, and the header says ES384.",
            why: "The signature holds, but the App Store signs with ES256 alone.",
            reference: "Apple, App Store Server API, JWSDecodedHeader", fails: .noncanonicalContainer, .signatureInvalid
        ) { kit in try kit.token(kit.transaction, by: .leaf(.tokenLeaf384)) }
        AttackCase(
            token: "token-alg-es384-as-es256", "The leaf's key is on P-384, but the header says ES256.",
            why: "ES256 is P-256 with SHA-256: the key and the name must agree.",
            reference: "RFC 7518, section 3.4; RFC 8725, section 3.1", fails: .noncanonicalContainer, .signatureInvalid
        ) { kit in
            try kit.token(
                kit.transaction, by: .leaf(.tokenLeaf384),
                as: TokenForm().with { $0.headerEdits = [.replace("alg", with: .text("ES256"))] })
        }
        AttackCase(
            token: "token-alg-rs256", "The leaf's key is RSA, and the header says RS256.",
            why: "The signature holds, but the App Store signs with ES256 alone.",
            reference: "Apple, App Store Server API, JWSDecodedHeader", fails: .noncanonicalContainer, .signatureInvalid
        ) { kit in try kit.token(kit.transaction, by: .leaf(.leaf)) }
        AttackCase(
            tokenForm: "token-alg-in-lower-case", "The header says `es256`; everything else is right.",
            why: "Names of algorithms are compared octet by octet.", reference: "RFC 7515, section 4.1.1",
            fails: .noncanonicalContainer, .signatureInvalid
        ) { form, _ in form.headerEdits = [.replace("alg", with: .text("es256"))] }
        AttackCase(
            tokenForm: "token-alg-missing", "The header has no alg; everything else is right.",
            why: "Every token names its algorithm.", reference: "RFC 7515, section 4.1.1",
            fails: .noncanonicalContainer, .signatureInvalid
        ) { form, _ in form.headerEdits = [.leaveOut("alg")] }
        AttackCase(
            tokenForm: "token-alg-list", "The header's alg is a list with ES256 in it.",
            why: "It is a text.", reference: "RFC 7515, section 4.1.1", fails: .noncanonicalContainer, .signatureInvalid
        ) { form, _ in form.headerEdits = [.replace("alg", with: .list([.text("ES256")]))] }
        AttackCase(
            tokenForm: "token-digest-sha384",
            "The header says ES256, but the signature is over the SHA-384 of the text.",
            why: "ES256 is P-256 with SHA-256.", reference: "RFC 7518, section 3.4", fails: .signatureInvalid
        ) { form, _ in form.digest = .sha384 }
        AttackCase(
            token: "token-signed-without-header", "The signature is over the payload's text alone.",
            why: "The header would be free.", reference: "RFC 7515, section 5.1", fails: .signatureInvalid
        ) { kit in try kit.token { Array($0.payload.text.utf8) } }
        AttackCase(
            token: "token-signed-decoded",
            "The signature is over the header's and the payload's octets, not their text.",
            why: "The text is what is signed; its base64 would be free.", reference: "RFC 7515, section 5.1",
            fails: .signatureInvalid
        ) { kit in try kit.token { $0.header.octets + Array(".".utf8) + $0.payload.octets } }
    }

    @AttackList static var tokenNumbers: [AttackCase] {
        AttackCase(
            token: "token-signature-zeros", "The signature is 64 octets of zero.",
            why: "With r = s = 0 the equation holds for every message, where nobody looks at the range.",
            reference: "CVE-2022-21449; FIPS 186-5, section 6.4.2", fails: .noncanonicalContainer, .signatureInvalid
        ) { kit in
            try kit.token(
                kit.richerTransaction,
                as: TokenForm().with { $0.signature = .octets([UInt8](repeating: 0, count: 64)) })
        }
        AttackCase(
            tokenNumbers: "token-r-zero", "r is 0, and s is the store's.",
            why: "Both numbers must be at least 1.", fails: .noncanonicalContainer, .signatureInvalid
        ) { $0.r = [UInt8](repeating: 0, count: 32) }
        AttackCase(
            tokenNumbers: "token-s-zero", "s is 0, and r is the store's.",
            why: "Both numbers must be at least 1: s has no inverse.", fails: .noncanonicalContainer, .signatureInvalid
        ) { $0.s = [UInt8](repeating: 0, count: 32) }
        AttackCase(
            tokenNumbers: "token-r-order", "r is n, the order of the curve.",
            why: "Both numbers must be less than n: it is 0 to whoever reduces it first.",
            fails: .noncanonicalContainer, .signatureInvalid
        ) { $0.r = $0.curve.order }
        AttackCase(
            tokenNumbers: "token-s-order", "s is n, the order of the curve.",
            why: "Both numbers must be less than n: it is 0 to whoever reduces it first.",
            fails: .noncanonicalContainer, .signatureInvalid
        ) { $0.s = $0.curve.order }
        AttackCase(
            tokenNumbers: "token-all-ones", "Every bit of r and s is one.",
            why: "Both numbers must be less than n.", fails: .noncanonicalContainer, .signatureInvalid
        ) { ($0.r, $0.s) = ([UInt8](repeating: 0xff, count: 32), [UInt8](repeating: 0xff, count: 32)) }
        AttackCase(
            tokenNumbers: "token-r-and-s-one", "r and s are 1.",
            why: "Both are in the range, but no signature.", fails: .signatureInvalid
        ) {
            let one = [UInt8](repeating: 0, count: 31) + [1]
            ($0.r, $0.s) = (one, one)
        }
        AttackCase(
            tokenNumbers: "token-r-negated", "r is n − r.",
            why: "Only the second number has a twin that holds.", fails: .signatureInvalid
        ) { $0.r = $0.curve.order.subtracting($0.r) }
        AttackCase(
            tokenNumbers: "token-numbers-swapped", "s stands before r.",
            why: "The first number is r.", fails: .signatureInvalid
        ) { ($0.r, $0.s) = ($0.s, $0.r) }
        AttackCase(
            tokenNumbers: "token-little-endian", "r and s are written with the least significant octet first.",
            why: "The most significant octet is first.", fails: .signatureInvalid
        ) { ($0.r, $0.s) = ($0.r.reversed(), $0.s.reversed()) }
        AttackCase(
            tokenForm: "token-signature-der", "The signature is an ECDSA-Sig-Value in DER, as in certificates.",
            why: "The numbers are right, but DER has many forms, and a token's signature has 64 octets.",
            reference: "RFC 7518, section 3.4; CVE-2020-14966", fails: .noncanonicalContainer, .signatureInvalid
        ) { form, _ in form.signature = .numbers(\.der) }
        AttackCase(
            tokenForm: "token-signature-63", "The last octet of the signature is missing.",
            why: "A signature has 64 octets.", reference: "RFC 7518, section 3.4",
            fails: .noncanonicalContainer, .signatureInvalid
        ) { form, _ in form.signature = .numbers { $0.octets.dropLast() } }
        AttackCase(
            tokenForm: "token-signature-65", "An octet of zero follows the signature.",
            why: "A reader that takes the first 64 octets does not see it; it is free to be anything.",
            reference: "RFC 7518, section 3.4", fails: .noncanonicalContainer, .signatureInvalid
        ) { form, _ in form.signature = .numbers { $0.octets + [0] } }
        AttackCase(
            tokenForm: "token-signature-leading-zeros", "r and s have 33 octets each, the first of which is zero.",
            why: "The numbers are right, but not as long as they must be.", reference: "RFC 7518, section 3.4",
            fails: .noncanonicalContainer, .signatureInvalid
        ) { form, _ in form.signature = .numbers { [0] + $0.r + [0] + $0.s } }
        AttackCase(
            tokenParts: "token-signature-flipped", "The last bit of the signature is flipped.",
            why: "It is not the signature.", reference: "FIPS 186-5, section 6.4.2", fails: .signatureInvalid
        ) { $0.signature.octets[63] ^= 1 }
        AttackCase(
            tokenParts: "token-payload-flipped", "The product is another one than was signed.",
            why: "That is what the signature is for.", reference: "RFC 7515, section 5.2", fails: .signatureInvalid
        ) { token in
            let text = String(decoding: token.payload.octets, as: UTF8.self)
            token.payload.octets = Array(text.replacing("com.example.notes.pro", with: "com.example.notes.all").utf8)
        }
    }
}

extension AttackKit {
    /// Returns a forger's transaction, authenticated with a public key.
    fileprivate func token(hmac key: [UInt8]) throws(SigningError) -> TokenContent {
        try token(
            richerTransaction,
            as: TokenForm().with {
                $0.headerEdits = [.replace("alg", with: .text("HS256"))]
                $0.signature = .hmac(key: key)
            })
    }

    /// Returns the transaction with the store's signature over bytes other than the text of its two parts.
    fileprivate func token(signing input: (TokenContent) -> [UInt8]) throws -> TokenContent {
        var token = try token()
        token.signature.octets = try tokens.leaf.key.curveSignature(over: input(token), digest: .sha256).octets
        return token
    }
}
