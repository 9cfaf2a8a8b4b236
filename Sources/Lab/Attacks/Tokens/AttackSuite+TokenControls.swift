import Encodings

/// Genuine tokens that a hasty verifier may refuse.
extension AttackSuite {
    @AttackList static var tokenControls: [AttackCase] {
        AttackCase(claim: "token-control-transaction") { kit in try kit.claim(kit.token()) }
        AttackCase(claim: "token-control-renewal-info") { kit in try kit.claim(kit.token(kit.renewal)) }
        AttackCase(claim: "token-control-app-transaction") { kit in
            try kit.claim(kit.token(kit.appTransaction)).with { $0.appVersion = "7" }
        }
        AttackCase(claim: "token-control-notification") { kit in try kit.claim(kit.token(kit.notification())) }
        AttackCase(claim: "token-control-notification-without-date") { kit in
            let store = try TokenAuthority.expired(at: .utc(2025))
            return try kit.claim(kit.token(kit.notification().with { $0.signedAt = nil }, by: store))
        }
        AttackCase(claim: "token-control-test-notification") { kit in
            try kit.claim(
                kit.token(
                    kit.notification { ($0.signedTransaction, $0.status) = (nil, nil) }.with { $0.type = "TEST" }))
        }
        AttackCase(claim: "token-control-summary") { kit in
            let summary = NotificationSummary(
                requestIdentifier: "f9a3c1d2-0000-4000-8000-5eed00000004", bundleID: AttackKit.bundleID)
            return try kit.claim(
                kit.token(
                    kit.notification().with {
                        $0.type = "RENEWAL_EXTENSION"
                        $0.subtype = "SUMMARY"
                        $0.body = .summary(summary)
                    }))
        }
        AttackCase(claim: "token-control-external-purchase") { kit in
            let purchase = ExternalPurchaseTokenContent(
                "b2158121-7af9-49d4-9561-5eed00000005", bundleID: AttackKit.bundleID, createdAt: .utc(2024, 2, 1))
            return try kit.claim(
                kit.token(
                    kit.notification().with {
                        $0.type = "EXTERNAL_PURCHASE_TOKEN"
                        $0.subtype = "UNREPORTED"
                        $0.body = .externalPurchaseToken(purchase)
                    })
            ).with { $0.allowedEnvironments = ["Production"] }
        }
        AttackCase(claim: "token-control-realtime-request") { kit in
            try kit.claim(
                kit.token(
                    RealtimeRequestContent(
                        requestIdentifier: "0d6f6a3b-0000-4000-8000-5eed00000006",
                        originalTransactionID: "470000000000003", signedAt: AttackKit.createdAt)))
        }
        AttackCase(claim: "token-control-chain-ended-since") { kit in
            try kit.claim(kit.tokenWith(leaf: { $0.notAfter = .utc(2025) }))
        }
        AttackCase(claim: "token-control-signed-within-a-day") { kit in
            try kit.claim(kit.token(kit.transaction.with { $0.signedAt = AttackKit.asOf.adding(seconds: 23 * 3600) }))
        }
        AttackCase(claim: "token-control-purchase-after-signing") { kit in
            try kit.claim(
                kit.token(kit.transaction.with { $0.purchasedAt = AttackKit.createdAt.adding(seconds: 30 * 86_400) }))
        }
        AttackCase(claim: "token-control-sandbox") { kit in
            try kit.claim(kit.token(kit.transaction.with { $0.environment = "Sandbox" })).with {
                $0.allowedEnvironments = ["Sandbox"]
            }
        }
        AttackCase(claim: "token-control-server-transaction") { kit in
            try kit.claim(kit.token(kit.transaction.with { $0.deviceVerification = nil }))
        }
        AttackCase(claim: "token-control-device-in-lower-case") { kit in
            try kit.claim(kit.token()).with {
                $0.deviceVerificationID = AttackKit.verification.deviceID.lowercased()
            }
        }
    }

    /// Forms of genuine tokens that differ from the usual one.
    @AttackList static var tokenFormControls: [AttackCase] {
        AttackCase(claim: "token-control-low-s") { kit in
            try kit.claim(
                kit.token(
                    kit.richerTransaction, as: TokenForm().with { $0.signature = .numbers { $0.withLowS.octets } }))
        }
        AttackCase(claim: "token-control-high-s") { kit in
            try kit.claim(
                kit.token(
                    kit.richerTransaction, as: TokenForm().with { $0.signature = .numbers { $0.withHighS.octets } }))
        }
        AttackCase(claim: "token-control-header-order") { kit in
            let edits: [MemberEdit] = [.leaveOut("alg"), .add("alg", .text("ES256"))]
            return try kit.claim(kit.token(as: TokenForm().with { $0.headerEdits = edits }))
        }
        AttackCase(claim: "token-control-header-space") { kit in
            try kit.claim(kit.token(as: TokenForm().with { $0.headerSpace = "\r\n\t " }))
        }
        AttackCase(claim: "token-control-payload-space") { kit in
            try kit.claim(kit.tokens.token(octets: kit.transaction.json.octets(around: "\n\t \r")))
        }
        AttackCase(claim: "token-control-escapes") { kit in
            try kit.claim(
                kit.token(
                    kit.transaction.with {
                        $0.edits = [
                            .leaveOut("bundleId"),
                            .addEscaped(#"\u0062undle\u0049d"#, .raw(#""com\u002eexample.no\u0074es""#)),
                        ]
                    }))
        }
        AttackCase(claim: "token-control-unknown-members") { kit in
            let digits = String(repeating: "9", count: 400)
            return try kit.claim(
                kit.token(
                    kit.transaction.with {
                        $0.reason = "GIFT"
                        $0.edits = [
                            .add("somethingNew", .object([("list", .list([.null, .bool(true)]))])),
                            .add("hugeNumber", .raw(digits)), .add("exponent", .raw("1E+999")),
                        ]
                    }))
        }
        AttackCase(claim: "token-control-other-types") { kit in
            try kit.claim(
                kit.token(
                    kit.transaction.with {
                        $0.edits = [
                            .replace("quantity", with: .text("1")), .replace("price", with: .raw("9.99")),
                            .replace("storefront", with: .null),
                        ]
                    }))
        }
        AttackCase(claim: "token-control-fractional-date") { kit in
            try kit.claim(
                kit.token(
                    kit.transaction.with {
                        $0.edits = [.replace("signedDate", with: .raw("\(AttackKit.createdAt.milliseconds).375"))]
                    }))
        }
        AttackCase(claim: "token-control-without-environment") { kit in
            try kit.claim(kit.token(kit.transaction.with { $0.environment = nil })).with {
                $0.allowedEnvironments = ["Production"]
            }
        }
        AttackCase(claim: "token-control-nesting-of-64") { kit in
            try kit.claim(kit.token(kit.transaction.with { $0.advancedCommerceInfo = .nested(63) }))
        }
        AttackCase(claim: "token-control-other-third") { kit in
            let certificates = Array(kit.tokens.certificates.prefix(2)) + [kit.rogueTokens.root.certificate]
            return try kit.claim(kit.token(as: TokenForm().with { $0.certificates = certificates }))
        }
        AttackCase(claim: "token-control-line-breaks-around") { kit in
            try kit.claim(token: "\r\n \(kit.token().text)\n")
        }
    }
}

extension SampleJSON {
    /// Returns this number of nested lists.
    static func nested(_ depth: Int) -> SampleJSON {
        .raw(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
    }
}
