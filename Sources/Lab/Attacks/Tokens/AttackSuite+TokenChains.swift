import Encodings

/// Chains that differ from that of the store's leaf, or were not valid when the token was signed.
extension AttackSuite {
    @AttackList static var tokenChains: [AttackCase] {
        AttackCase(token: "token-chain-self-made-root") { kit in
            try kit.token(kit.richerTransaction, by: kit.rogueTokens)
        }
        AttackCase(token: "token-chain-genuine-root-behind") { kit in
            let certificates = Array(kit.rogueTokens.certificates.prefix(2)) + [kit.tokens.root.certificate]
            return try kit.token(
                kit.richerTransaction, by: kit.rogueTokens, as: TokenForm().with { $0.certificates = certificates })
        }
        AttackCase(token: "token-chain-forged-leaf") { kit in
            let certificates = [kit.rogueTokens.leaf.certificate] + kit.tokens.certificates.dropFirst()
            return try kit.token(
                kit.richerTransaction, by: kit.rogueTokens, as: TokenForm().with { $0.certificates = certificates })
        }
        AttackCase(token: "token-chain-forged-signature") { kit in
            try kit.token(
                kit.richerTransaction, by: kit.rogueTokens,
                as: TokenForm().with { $0.certificates = kit.tokens.certificates })
        }
        AttackCase(token: "token-chain-flipped-leaf") { kit in
            var certificates = kit.tokens.certificates
            certificates[0][certificates[0].count - 1] ^= 1
            let altered = certificates
            return try kit.token(as: TokenForm().with { $0.certificates = altered })
        }
        AttackCase(token: "token-chain-developer") { kit in try kit.token(kit.richerTransaction, by: .developer()) }
        AttackCase(token: "token-chain-leaf-without-marker") { kit in try kit.tokenWith(leaf: { $0.markers = [] }) }
        AttackCase(token: "token-chain-intermediate-without-marker") { kit in
            try kit.tokenWith(intermediate: { $0.markers = [] })
        }
        AttackCase(token: "token-chain-markers-swapped") { kit in
            let (leaf, intermediate) = (CertificateContent.tokenLeaf, CertificateContent.tokenIntermediate)
            return try kit.token(
                kit.transaction,
                by: TokenAuthority(
                    intermediates: [intermediate.with { $0.markers = leaf.markers }],
                    leaf: leaf.with { $0.markers = intermediate.markers }))
        }
        AttackCase(token: "token-chain-of-two") { kit in try kit.token(kit.transaction, by: .chainOfTwo()) }
        AttackCase(token: "token-chain-of-four") { kit in try kit.token(kit.transaction, by: .chainOfFour()) }
        AttackCase(token: "token-chain-developer-as-authority") { kit in
            let issuer = CertificateContent.tokenDeveloper
            let forger = try TokenAuthority(intermediates: [.tokenIntermediate, issuer])
            let certificates = [forger.certificates[0], forger.certificates[1], forger.certificates[3]]
            return try kit.token(
                kit.richerTransaction, by: forger, as: TokenForm().with { $0.certificates = certificates })
        }
        AttackCase(token: "token-chain-leaf-key-usage") { kit in
            try kit.tokenWith(leaf: { $0.extensionEdits = [.replace(.keyUsage([.keyEncipherment]))] })
        }
        AttackCase(claim: "token-chain-receipt-root") { kit in
            try kit.claim(kit.token()).with { $0.trustAnchors = [kit.store.root.certificate] }
        }
        AttackCase(token: "token-chain-xcode") { kit in
            try XcodeToken.token(kit.transaction.with { $0.environment = "Xcode" })
        }
    }

    /// Certificates that were not valid when the token was signed.
    @AttackList static var tokenValidity: [AttackCase] {
        AttackCase(token: "token-validity-leaf-expired") { kit in
            try kit.tokenWith(leaf: { $0.notAfter = AttackKit.createdAt.adding(seconds: -1) })
        }
        AttackCase(token: "token-validity-leaf-begins-later") { kit in
            try kit.tokenWith(leaf: { $0.notBefore = AttackKit.createdAt.adding(seconds: 1) })
        }
        AttackCase(token: "token-validity-intermediate-expired") { kit in
            try kit.tokenWith(intermediate: { $0.notAfter = AttackKit.createdAt.adding(seconds: -1) })
        }
        AttackCase(tokenParts: "token-validity-date-moved") {
            $0.replaceInPayload("\(AttackKit.createdAt.milliseconds)", with: "\(Instant.utc(2025).milliseconds)")
        }
        AttackCase(token: "token-validity-date-moved-back") { kit in
            try kit.token(kit.transaction, by: kit.expiredTokens()).with {
                $0.replaceInPayload("\(AttackKit.createdAt.milliseconds)", with: "\(Instant.utc(2017).milliseconds)")
            }
        }
        AttackCase(token: "token-validity-purchase-date") { kit in
            try kit.token(
                kit.transaction.with { ($0.purchasedAt, $0.originallyPurchasedAt) = (.utc(2017), .utc(2017)) },
                by: kit.expiredTokens())
        }
        AttackCase(token: "token-validity-app-transaction") { kit in
            try kit.token(
                kit.appTransaction.with { $0.originallyPurchasedAt = .utc(2017) }, by: kit.expiredTokens())
        }
        AttackCase(token: "token-validity-nested-date") { kit in
            try kit.token(kit.notification().with { $0.signedAt = nil }, by: kit.expiredTokens())
        }
        AttackCase(token: "token-validity-own-date-first") { kit in
            let nested = try kit.token(kit.transaction.with { $0.signedAt = .utc(2017) })
            return try kit.token(
                kit.notification { $0.signedTransaction = nested.text }, by: kit.expiredTokens())
        }
        AttackCase(token: "token-validity-before-1970") { kit in
            try kit.token(kit.transaction.with { $0.signedAt = Instant(milliseconds: -1) })
        }
    }
}

extension TokenContent {
    /// Replaces a text in the payload, which is not signed again.
    mutating func replaceInPayload(_ text: String, with other: String) {
        payload.octets = Array(String(decoding: payload.octets, as: UTF8.self).replacing(text, with: other).utf8)
    }
}
