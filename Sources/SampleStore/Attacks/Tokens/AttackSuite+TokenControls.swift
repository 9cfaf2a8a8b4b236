import Encodings

/// Genuine tokens that a hasty verifier may refuse.
extension AttackSuite {
    @AttackList static var tokenControls: [AttackCase] {
        AttackCase(
            validToken: "token-control-transaction", "A transaction as the App Store signs it.",
            why: "Nothing is wrong with it.", reference: "Apple, App Store Server API, JWSTransaction"
        ) { kit in try kit.claim(kit.token()) }
        AttackCase(
            validToken: "token-control-renewal-info", "A renewal info, which names no app.",
            why: "Renewal infos have no bundle id: there is nothing to compare.",
            reference: "Apple, App Store Server API, JWSRenewalInfoDecodedPayload", kind: .renewalInfo
        ) { kit in try kit.claim(kit.token(kit.renewal)) }
        AttackCase(
            validToken: "token-control-app-transaction", "An app transaction of the right version.",
            why: "It is judged at receiptCreationDate; it has no signedDate.",
            reference: "Apple, StoreKit, AppTransaction", kind: .appTransaction
        ) { kit in try kit.claim(kit.token(kit.appTransaction)).with { $0.appVersion = "7" } }
        AttackCase(
            validToken: "token-control-notification", "A notification with a transaction inside it.",
            why: "Nothing is wrong with it.",
            reference: "Apple, App Store Server Notifications, responseBodyV2DecodedPayload", kind: .notification
        ) { kit in try kit.claim(kit.token(kit.notification())) }
        AttackCase(
            validToken: "token-control-notification-without-date",
            "A notification of 2022, which has no signedDate; the transaction inside it has one.",
            why: "It is judged at the date of its nested token; at today's date its chain would have ended.",
            reference: "Apple, App Store Server Notifications, changelog of 2022", kind: .notification
        ) { kit in
            let store = try TokenAuthority.expired(at: .utc(2025))
            return try kit.claim(kit.token(kit.notification().with { $0.signedAt = nil }, by: store))
        }
        AttackCase(
            validToken: "token-control-test-notification", "A notification of type TEST, without any transaction.",
            why: "That is what Apple sends on request.",
            reference: "Apple, App Store Server API, Request a Test Notification", kind: .notification
        ) { kit in
            try kit.claim(
                kit.token(
                    kit.notification { ($0.signedTransaction, $0.status) = (nil, nil) }.with { $0.type = "TEST" }))
        }
        AttackCase(
            validToken: "token-control-summary", "A notification whose body is a summary of extended renewals.",
            why: "A body is one of four objects; the bundle id stands in each.",
            reference: "Apple, App Store Server Notifications, summary", kind: .notification
        ) { kit in
            let summary = NotificationSummary(
                requestIdentifier: "f9a3c1d2-0000-4000-8000-5eed00000004", bundleID: AttackKit.bundleID)
            return try kit.claim(
                kit.token(
                    kit.notification().with {
                        ($0.type, $0.subtype, $0.body) = ("RENEWAL_EXTENSION", "SUMMARY", .summary(summary))
                    }))
        }
        AttackCase(
            validToken: "token-control-external-purchase",
            "A notification of a purchase outside of the App Store, where only Production counts.",
            why: "It has no environment of its own: that its id does not start with SANDBOX says the same.",
            reference: "Apple, App Store Server Notifications, externalPurchaseToken", kind: .notification
        ) { kit in
            let purchase = ExternalPurchaseTokenContent(
                "b2158121-7af9-49d4-9561-5eed00000005", bundleID: AttackKit.bundleID, createdAt: .utc(2024, 2, 1))
            return try kit.claim(
                kit.token(
                    kit.notification().with {
                        ($0.type, $0.subtype) = ("EXTERNAL_PURCHASE_TOKEN", "UNREPORTED")
                        $0.body = .externalPurchaseToken(purchase)
                    })
            ).with { $0.allowedEnvironments = ["Production"] }
        }
        AttackCase(
            validToken: "token-control-realtime-request", "A realtime request of the Retention Messaging API.",
            why: "It is signed like any other token and names no app by its bundle id.",
            reference: "Apple, Retention Messaging API, DecodedRealtimeRequestBody", kind: .realtimeRequest
        ) { kit in
            try kit.claim(
                kit.token(
                    RealtimeRequestContent(
                        requestIdentifier: "0d6f6a3b-0000-4000-8000-5eed00000006",
                        originalTransactionID: "470000000000003", signedAt: AttackKit.createdAt)))
        }
        AttackCase(
            validToken: "token-control-chain-ended-since", "The leaf ended in 2025, after the token was signed.",
            why: "A chain is judged at signedDate, not today: leaves live two years, purchases longer.",
            reference: "Apple, App Store Server Library, SignedDataVerifier"
        ) { kit in try kit.claim(kit.tokenWith(leaf: { $0.notAfter = .utc(2025) })) }
        AttackCase(
            validToken: "token-control-signed-within-a-day", "The token was signed 23 hours after the reference time.",
            why: "Clocks differ; a day is allowed for.", reference: "RFC 7519, section 4.1.5", mayReject: true
        ) { kit in
            try kit.claim(kit.token(kit.transaction.with { $0.signedAt = AttackKit.asOf.adding(seconds: 23 * 3600) }))
        }
        AttackCase(
            validToken: "token-control-purchase-after-signing", "The purchase date is a month after signedDate.",
            why: "Renewals are signed before their period begins.",
            reference: "Apple, App Store Server API, purchaseDate"
        ) { kit in
            try kit.claim(
                kit.token(kit.transaction.with { $0.purchasedAt = AttackKit.createdAt.adding(seconds: 30 * 86_400) }))
        }
        AttackCase(
            validToken: "token-control-sandbox", "A transaction of the sandbox, where the sandbox counts.",
            why: "Nothing is wrong with it.", reference: "Apple, App Store Server API, environment"
        ) { kit in
            try kit.claim(kit.token(kit.transaction.with { $0.environment = "Sandbox" })).with {
                $0.allowedEnvironments = ["Sandbox"]
            }
        }
        AttackCase(
            validToken: "token-control-server-transaction",
            "A transaction of the App Store Server API, which has no device verification.",
            why: "Only tokens that come from a device have one; there is nothing to compare.",
            reference: "Apple, StoreKit, deviceVerification", mayReject: true
        ) { kit in try kit.claim(kit.token(kit.transaction.with { $0.deviceVerification = nil })) }
        AttackCase(
            validToken: "token-control-device-in-lower-case", "The device verification id is written in lower case.",
            why: "Both texts are hashed in lower case, however they are written.",
            reference: "Apple, StoreKit, deviceVerification"
        ) { kit in
            try kit.claim(kit.token()).with {
                $0.deviceVerificationID = AttackKit.verification.deviceID.lowercased()
            }
        }
    }

    /// Forms of genuine tokens that differ from the usual one.
    @AttackList static var tokenFormControls: [AttackCase] {
        AttackCase(
            validToken: "token-control-low-s", "The signature's second number is the lower one of two that hold.",
            why: "Both occur in Apple's tokens.", reference: "FIPS 186-5, section 6.4.1"
        ) { kit in
            try kit.claim(
                kit.token(
                    kit.richerTransaction, as: TokenForm().with { $0.signature = .numbers { $0.withLowS.octets } }))
        }
        AttackCase(
            validToken: "token-control-high-s", "The signature's second number is the higher one of two that hold.",
            why: "Both occur in Apple's tokens: a rule of Bitcoin's does not apply.",
            reference: "FIPS 186-5, section 6.4.1"
        ) { kit in
            try kit.claim(
                kit.token(
                    kit.richerTransaction, as: TokenForm().with { $0.signature = .numbers { $0.withHighS.octets } }))
        }
        AttackCase(
            validToken: "token-control-header-order", "In the header x5c stands before alg.",
            why: "The order of members means nothing.", reference: "RFC 8259, section 4"
        ) { kit in
            let edits: [MemberEdit] = [.leaveOut("alg"), .add("alg", .text("ES256"))]
            return try kit.claim(kit.token(as: TokenForm().with { $0.headerEdits = edits }))
        }
        AttackCase(
            validToken: "token-control-header-space", "White space stands between all parts of the header's JSON.",
            why: "White space means nothing, and the header is signed as it stands.", reference: "RFC 8259, section 2"
        ) { kit in try kit.claim(kit.token(as: TokenForm().with { $0.headerSpace = "\r\n\t " })) }
        AttackCase(
            validToken: "token-control-payload-space", "White space stands between all parts of the payload's JSON.",
            why: "White space means nothing.", reference: "RFC 8259, section 2"
        ) { kit in try kit.claim(kit.tokens.token(octets: kit.transaction.json.octets(around: "\n\t \r"))) }
        AttackCase(
            validToken: "token-control-escapes", "Characters of the bundle id's name and value are escaped.",
            why: "An escaped character is the character.", reference: "RFC 8259, section 7"
        ) { kit in
            try kit.claim(
                kit.token(
                    kit.transaction.with {
                        $0.edits = [
                            .leaveOut("bundleId"),
                            .addEscaped(#"\u0062undle\u0049d"#, .raw(#""com\u002eexample.no\u0074es""#)),
                        ]
                    }))
        }
        AttackCase(
            validToken: "token-control-unknown-members",
            "The payload has members and values that nobody knows yet, one a number of 400 digits.",
            why: "Apple adds members without notice; what is not understood is left alone.",
            reference: "Apple, App Store Server API, changelog", mayReject: true
        ) { kit in
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
        AttackCase(
            validToken: "token-control-other-types", "Members that not every transaction has are of another type.",
            why: "They count as absent, as nothing rests on them.",
            reference: "Apple, App Store Server API, JWSTransactionDecodedPayload", mayReject: true
        ) { kit in
            try kit.claim(
                kit.token(
                    kit.transaction.with {
                        $0.edits = [
                            .replace("quantity", with: .text("1")), .replace("price", with: .raw("9.99")),
                            .replace("storefront", with: .null),
                        ]
                    }))
        }
        AttackCase(
            validToken: "token-control-fractional-date", "signedDate has a fraction of a millisecond.",
            why: "Xcode writes such dates; the fraction alone is nothing wrong.", reference: "RFC 8259, section 6",
            mayReject: true
        ) { kit in
            try kit.claim(
                kit.token(
                    kit.transaction.with {
                        $0.edits = [.replace("signedDate", with: .raw("\(AttackKit.createdAt.milliseconds).375"))]
                    }))
        }
        AttackCase(
            validToken: "token-control-without-environment", "The transaction has no environment.",
            why: "Those before 2022 had none; what is absent is not compared.",
            reference: "Apple, App Store Server API, changelog of 2022", mayReject: true
        ) { kit in
            try kit.claim(kit.token(kit.transaction.with { $0.environment = nil })).with {
                $0.allowedEnvironments = ["Production"]
            }
        }
        AttackCase(
            validToken: "token-control-nesting-of-64", "A member of the payload is nested as deeply as is allowed: 64.",
            why: "A limit must not be lower than it says.", reference: "RFC 8259, section 9", mayReject: true
        ) { kit in
            try kit.claim(kit.token(kit.transaction.with { $0.advancedCommerceInfo = .nested(63) }))
        }
        AttackCase(
            validToken: "token-control-other-third",
            "The third certificate in x5c is another root than the trusted one.",
            why: "It is counted and never trusted: the chain is leaf, intermediate, and the anchor at hand.",
            reference: "RFC 5280, section 6.1; RFC 7515, section 4.1.6", mayReject: true
        ) { kit in
            let certificates = Array(kit.tokens.certificates.prefix(2)) + [kit.rogueTokens.root.certificate]
            return try kit.claim(kit.token(as: TokenForm().with { $0.certificates = certificates }))
        }
        AttackCase(
            validToken: "token-control-line-breaks-around", "Line breaks and blanks stand around the token.",
            why: "Files end with a line break; what is outside of the token is no part of it.",
            reference: "RFC 7515, section 7.1", mayReject: true
        ) { kit in try kit.claim(token: "\r\n \(kit.token().text)\n") }
    }
}

extension SampleJSON {
    /// Returns this number of nested lists.
    static func nested(_ depth: Int) -> SampleJSON {
        .raw(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
    }
}
