/// Signatures by another algorithm, or with impossible numbers.
extension AttackSuite {
    @AttackList static var tokenAlgorithms: [AttackCase] {
        AttackCase(token: "token-alg-none") { kit in
            try kit.token(
                kit.richerTransaction,
                as: TokenForm().with {
                    $0.headerEdits = [.replace("alg", with: .text("none"))]
                    $0.signature = .octets([])
                })
        }
        AttackCase(token: "token-alg-none-signed") { kit in
            let signature = try kit.token().signature.octets
            return try kit.token(
                kit.richerTransaction,
                as: TokenForm().with {
                    $0.headerEdits = [.replace("alg", with: .text("none"))]
                    $0.signature = .octets(signature)
                })
        }
        AttackCase(tokenForm: "token-alg-none-in-capitals") { form, _ in
            form.headerEdits = [.replace("alg", with: .text("nOnE"))]
            form.signature = .octets([UInt8](repeating: 0, count: 64))
        }
        AttackCase(token: "token-alg-hs256-with-public-key") { kit in
            try kit.token(hmac: kit.tokens.leaf.key.publicKeyInfo)
        }
        AttackCase(token: "token-alg-hs256-with-pem") { kit in
            let text = kit.base64(kit.tokens.leaf.certificate, lineLength: 64)
            return try kit.token(
                hmac: Array("-----BEGIN CERTIFICATE-----\n\(text)-----END CERTIFICATE-----\n".utf8))
        }
        AttackCase(token: "token-alg-es384") { kit in try kit.token(kit.transaction, by: .leaf(.tokenLeaf384)) }
        AttackCase(token: "token-alg-es384-as-es256") { kit in
            try kit.token(
                kit.transaction, by: .leaf(.tokenLeaf384),
                as: TokenForm().with { $0.headerEdits = [.replace("alg", with: .text("ES256"))] })
        }
        AttackCase(token: "token-alg-rs256") { kit in try kit.token(kit.transaction, by: .leaf(.leaf)) }
        AttackCase(tokenForm: "token-alg-in-lower-case") { form, _ in
            form.headerEdits = [.replace("alg", with: .text("es256"))]
        }
        AttackCase(tokenForm: "token-alg-missing") { form, _ in form.headerEdits = [.leaveOut("alg")] }
        AttackCase(tokenForm: "token-alg-list") { form, _ in
            form.headerEdits = [.replace("alg", with: .list([.text("ES256")]))]
        }
        AttackCase(tokenForm: "token-digest-sha384") { form, _ in form.digest = .sha384 }
        AttackCase(token: "token-signed-without-header") { kit in try kit.token { Array($0.payload.text.utf8) } }
        AttackCase(token: "token-signed-decoded") { kit in
            try kit.token { $0.header.octets + Array(".".utf8) + $0.payload.octets }
        }
    }

    @AttackList static var tokenNumbers: [AttackCase] {
        AttackCase(token: "token-signature-zeros") { kit in
            try kit.token(
                kit.richerTransaction,
                as: TokenForm().with { $0.signature = .octets([UInt8](repeating: 0, count: 64)) })
        }
        AttackCase(tokenNumbers: "token-r-zero") { $0.r = [UInt8](repeating: 0, count: 32) }
        AttackCase(tokenNumbers: "token-s-zero") { $0.s = [UInt8](repeating: 0, count: 32) }
        AttackCase(tokenNumbers: "token-r-order") { $0.r = $0.curve.order }
        AttackCase(tokenNumbers: "token-s-order") { $0.s = $0.curve.order }
        AttackCase(tokenNumbers: "token-all-ones") {
            $0.r = [UInt8](repeating: 0xff, count: 32)
            $0.s = [UInt8](repeating: 0xff, count: 32)
        }
        AttackCase(tokenNumbers: "token-r-and-s-one") {
            let one = [UInt8](repeating: 0, count: 31) + [1]
            $0.r = one
            $0.s = one
        }
        AttackCase(tokenNumbers: "token-r-negated") { $0.r = $0.curve.order.subtracting($0.r) }
        AttackCase(tokenNumbers: "token-numbers-swapped") { ($0.r, $0.s) = ($0.s, $0.r) }
        AttackCase(tokenNumbers: "token-little-endian") { ($0.r, $0.s) = ($0.r.reversed(), $0.s.reversed()) }
        AttackCase(tokenForm: "token-signature-der") { form, _ in form.signature = .numbers(\.der) }
        AttackCase(tokenForm: "token-signature-63") { form, _ in form.signature = .numbers { $0.octets.dropLast() } }
        AttackCase(tokenForm: "token-signature-65") { form, _ in form.signature = .numbers { $0.octets + [0] } }
        AttackCase(tokenForm: "token-signature-leading-zeros") { form, _ in
            form.signature = .numbers { [0] + $0.r + [0] + $0.s }
        }
        AttackCase(tokenParts: "token-signature-flipped") { $0.signature.octets[63] ^= 1 }
        AttackCase(tokenParts: "token-payload-flipped") { token in
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
