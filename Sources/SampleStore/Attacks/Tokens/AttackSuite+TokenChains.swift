import Encodings

/// Chains that differ from that of the store's leaf, or were not valid when the token was signed.
extension AttackSuite {
    @AttackList static var tokenChains: [AttackCase] {
        AttackCase(
            token: "token-chain-self-made-root", "x5c brings a root of the forger's, with the names of the store's.",
            why: "The chain holds up to its own root, which nobody trusts.",
            reference: "RFC 5280, section 6.1; CVE-2023-41058", fails: .chainUntrusted
        ) { kit in try kit.token(kit.richerTransaction, by: kit.rogueTokens) }
        AttackCase(
            token: "token-chain-genuine-root-behind",
            "The forger's leaf and intermediate stand before the store's root.",
            why: "That the root is there proves nothing: it did not issue the intermediate.",
            reference: "RFC 5280, section 6.1.3", fails: .chainUntrusted
        ) { kit in
            let certificates = Array(kit.rogueTokens.certificates.prefix(2)) + [kit.tokens.root.certificate]
            return try kit.token(
                kit.richerTransaction, by: kit.rogueTokens, as: TokenForm().with { $0.certificates = certificates })
        }
        AttackCase(
            token: "token-chain-forged-leaf", "The forger's leaf stands before the store's intermediate and root.",
            why: "The intermediate has the name of the issuer, but its key did not sign the leaf.",
            reference: "RFC 5280, section 6.1.3 (a)(1)", fails: .chainUntrusted
        ) { kit in
            let certificates = [kit.rogueTokens.leaf.certificate] + kit.tokens.certificates.dropFirst()
            return try kit.token(
                kit.richerTransaction, by: kit.rogueTokens, as: TokenForm().with { $0.certificates = certificates })
        }
        AttackCase(
            token: "token-chain-forged-signature", "The certificates are the store's, the signature is the forger's.",
            why: "The leaf's key did not sign it.", reference: "RFC 7515, section 5.2", fails: .signatureInvalid
        ) { kit in
            try kit.token(
                kit.richerTransaction, by: kit.rogueTokens,
                as: TokenForm().with { $0.certificates = kit.tokens.certificates })
        }
        AttackCase(
            token: "token-chain-flipped-leaf", "The last bit of the leaf's certificate, in its signature, is flipped.",
            why: "The intermediate did not sign it like that.", reference: "RFC 5280, section 6.1.3 (a)(1)",
            fails: .chainUntrusted
        ) { kit in
            var certificates = kit.tokens.certificates
            certificates[0][certificates[0].count - 1] ^= 1
            let altered = certificates
            return try kit.token(as: TokenForm().with { $0.certificates = altered })
        }
        AttackCase(
            token: "token-chain-developer", "A developer's certificate under the same root signed the transaction.",
            why: "Every developer has one. Only the marker tells it from that of the App Store.",
            reference: "Apple, App Store Server Library, SignedDataVerifier", fails: .signerNotAppStore
        ) { kit in try kit.token(kit.richerTransaction, by: .developer()) }
        AttackCase(
            token: "token-chain-leaf-without-marker", "The leaf lacks the marker of receipt signing.",
            why: "Apple's intermediate issues certificates for other purposes, too.",
            reference: "Apple, App Store Server Library, SignedDataVerifier", fails: .signerNotAppStore
        ) { kit in try kit.tokenWith(leaf: { $0.markers = [] }) }
        AttackCase(
            token: "token-chain-intermediate-without-marker", "The intermediate lacks the marker of its authority.",
            why: "Apple's root issues other authorities, too.",
            reference: "Apple, App Store Server Library, SignedDataVerifier", fails: .signerNotAppStore
        ) { kit in try kit.tokenWith(intermediate: { $0.markers = [] }) }
        AttackCase(
            token: "token-chain-markers-swapped", "Leaf and intermediate have each other's markers.",
            why: "Each marker belongs to one place.", reference: "Apple, App Store Server Library, SignedDataVerifier",
            fails: .signerNotAppStore
        ) { kit in
            let (leaf, intermediate) = (CertificateContent.tokenLeaf, CertificateContent.tokenIntermediate)
            return try kit.token(
                kit.transaction,
                by: TokenAuthority(
                    intermediates: [intermediate.with { $0.markers = leaf.markers }],
                    leaf: leaf.with { $0.markers = intermediate.markers }))
        }
        AttackCase(
            token: "token-chain-of-two", "The root issued the leaf itself, and x5c has these two.",
            why: "Apple's chain is leaf, intermediate, root. There is no intermediate that could carry the marker.",
            reference: "Apple, App Store Server Library, SignedDataVerifier",
            fails: .noncanonicalContainer, .signerNotAppStore
        ) { kit in try kit.token(kit.transaction, by: .chainOfTwo()) }
        AttackCase(
            token: "token-chain-of-four", "One more authority stands between intermediate and leaf.",
            why: "Apple's chain is leaf, intermediate, root.",
            reference: "Apple, App Store Server Library, SignedDataVerifier",
            fails: .noncanonicalContainer, .chainUntrusted
        ) { kit in try kit.token(kit.transaction, by: .chainOfFour()) }
        AttackCase(
            token: "token-chain-developer-as-authority",
            "A developer issued a leaf with the marker of receipt signing.",
            why: "A developer's certificate has no cA: it must not issue any other.",
            reference: "RFC 5280, section 6.1.4 (k); CVE-2002-0862", fails: .chainUntrusted, .signerNotAppStore
        ) { kit in
            let issuer = CertificateContent.tokenDeveloper
            let forger = try TokenAuthority(intermediates: [.tokenIntermediate, issuer])
            let certificates = [forger.certificates[0], forger.certificates[1], forger.certificates[3]]
            return try kit.token(
                kit.richerTransaction, by: forger, as: TokenForm().with { $0.certificates = certificates })
        }
        AttackCase(
            token: "token-chain-leaf-key-usage", "The leaf's key usage is keyEncipherment, without digitalSignature.",
            why: "Its key must not sign anything.", reference: "RFC 5280, section 4.2.1.3", fails: .chainUntrusted
        ) { kit in try kit.tokenWith(leaf: { $0.extensionEdits = [.replace(.keyUsage([.keyEncipherment]))] }) }
        AttackCase(
            tokenClaim: "token-chain-receipt-root",
            "The transaction is genuine, but only the root of app receipts is trusted.",
            why: "Whom to trust is the verifier's to say.", reference: "RFC 5280, section 6.1.1 (d)",
            fails: .chainUntrusted
        ) { kit in try kit.claim(kit.token()).with { $0.trustAnchors = [kit.store.root.certificate] } }
        AttackCase(
            token: "token-chain-xcode", "Xcode's local store signed the transaction with a certificate of its own.",
            why: "Everybody has Xcode. Apple's own libraries verify nothing of such tokens if they are asked to.",
            reference: "Apple, App Store Server Library, Environment.XCODE",
            fails: .noncanonicalContainer, .chainUntrusted, .signerNotAppStore
        ) { kit in try XcodeToken.token(kit.transaction.with { $0.environment = "Xcode" }) }
    }

    /// Certificates that were not valid when the token was signed.
    @AttackList static var tokenValidity: [AttackCase] {
        AttackCase(
            token: "token-validity-leaf-expired", "The leaf ended one second before signedDate.",
            why: "notAfter is the last second at which a certificate is valid.",
            reference: "RFC 5280, sections 4.1.2.5 and 6.1.3 (a)(2)", fails: .chainExpired
        ) { kit in try kit.tokenWith(leaf: { $0.notAfter = AttackKit.createdAt.adding(seconds: -1) }) }
        AttackCase(
            token: "token-validity-leaf-begins-later", "The leaf began one second after signedDate.",
            why: "notBefore is the first second at which a certificate is valid. Today the leaf is valid.",
            reference: "RFC 5280, sections 4.1.2.5 and 6.1.3 (a)(2)", fails: .chainExpired
        ) { kit in try kit.tokenWith(leaf: { $0.notBefore = AttackKit.createdAt.adding(seconds: 1) }) }
        AttackCase(
            token: "token-validity-intermediate-expired", "The intermediate ended one second before signedDate.",
            why: "Every certificate of the chain must be valid, not only the leaf.",
            reference: "RFC 5280, section 6.1.3 (a)(2)", fails: .chainExpired
        ) { kit in try kit.tokenWith(intermediate: { $0.notAfter = AttackKit.createdAt.adding(seconds: -1) }) }
        AttackCase(
            tokenParts: "token-validity-date-moved", "signedDate was moved to 2025, without a new signature.",
            why: "The date is under the signature, too.", reference: "RFC 7515, section 5.2", fails: .signatureInvalid
        ) { $0.replaceInPayload("\(AttackKit.createdAt.milliseconds)", with: "\(Instant.utc(2025).milliseconds)") }
        AttackCase(
            token: "token-validity-date-moved-back",
            "The leaf ended in 2018; its token of 2024 was dated back to 2017, without a new signature.",
            why: "The chain holds at the date that is written there, but the leaf's key did not sign it.",
            reference: "RFC 7515, section 5.2", fails: .signatureInvalid
        ) { kit in
            try kit.token(kit.transaction, by: kit.expiredTokens()).with {
                $0.replaceInPayload("\(AttackKit.createdAt.milliseconds)", with: "\(Instant.utc(2017).milliseconds)")
            }
        }
        AttackCase(
            token: "token-validity-purchase-date", "The leaf ended in 2018: after the purchase, before signedDate.",
            why: "The chain is judged at signedDate, not at any other date of the payload.",
            reference: "Apple, App Store Server Library, SignedDataVerifier", fails: .chainExpired
        ) { kit in
            try kit.token(
                kit.transaction.with { ($0.purchasedAt, $0.originallyPurchasedAt) = (.utc(2017), .utc(2017)) },
                by: kit.expiredTokens())
        }
        AttackCase(
            token: "token-validity-app-transaction",
            "The leaf ended in 2018: after the original purchase of the app, before receiptCreationDate.",
            why: "An app transaction is judged at receiptCreationDate.", reference: "Apple, StoreKit, AppTransaction",
            kind: .appTransaction, fails: .chainExpired
        ) { kit in
            try kit.token(
                kit.appTransaction.with { $0.originallyPurchasedAt = .utc(2017) }, by: kit.expiredTokens())
        }
        AttackCase(
            token: "token-validity-nested-date",
            "A notification without signedDate; its leaf ended before the nested token.",
            why: "It is judged at the nested token's date. At no date at all every chain holds.",
            reference: "Apple, App Store Server Notifications, changelog of 2022", kind: .notification,
            fails: .chainExpired
        ) { kit in try kit.token(kit.notification().with { $0.signedAt = nil }, by: kit.expiredTokens()) }
        AttackCase(
            token: "token-validity-own-date-first",
            "The notification's leaf ended in 2018; the token inside says 2017, the notification itself 2024.",
            why: "Where a notification has a date of its own, no other counts.",
            reference: "Apple, App Store Server Notifications, signedDate", kind: .notification, fails: .chainExpired
        ) { kit in
            let nested = try kit.token(kit.transaction.with { $0.signedAt = .utc(2017) })
            return try kit.token(
                kit.notification { $0.signedTransaction = nested.text }, by: kit.expiredTokens())
        }
        AttackCase(
            token: "token-validity-before-1970", "signedDate is before 1970.",
            why: "No certificate was valid then.", reference: "RFC 5280, section 6.1.3 (a)(2)", fails: .chainExpired
        ) { kit in try kit.token(kit.transaction.with { $0.signedAt = Instant(milliseconds: -1) }) }
    }
}

extension TokenContent {
    /// Replaces a text in the payload, which is not signed again.
    mutating func replaceInPayload(_ text: String, with other: String) {
        payload.octets = Array(String(decoding: payload.octets, as: UTF8.self).replacing(text, with: other).utf8)
    }
}
