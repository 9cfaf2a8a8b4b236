import Encodings

/// Payloads that are not JSON, or are ambiguous, under a valid signature.
extension AttackSuite {
    @AttackList static var tokenJSON: [AttackCase] {
        AttackCase(
            payload: "token-json-trailing-octets", "Other text follows the object in the payload.",
            why: "That is no JSON; a reader that stops at the brace does not see it.",
            reference: "RFC 8259, section 2", fails: .malformedReceipt
        ) { kit in kit.transaction.json.octets + Array("x".utf8) }
        AttackCase(
            payload: "token-json-two-objects", "A second object follows the first in the payload.",
            why: "One reader takes the first, another the last.", reference: "RFC 8259, section 2; CWE-436",
            fails: .malformedReceipt
        ) { kit in kit.transaction.json.octets + kit.richerTransaction.json.octets }
        AttackCase(
            payload: "token-json-nul-behind", "An octet of zero follows the object in the payload.",
            why: "In C the text ends there.", reference: "RFC 8259, section 2; CWE-158", fails: .malformedReceipt
        ) { kit in kit.transaction.json.octets + [0] }
        AttackCase(
            payload: "token-json-byte-order-mark", "The payload starts with a byte order mark.",
            why: "JSON must not have one.", reference: "RFC 8259, section 8.1", fails: .malformedReceipt
        ) { kit in [0xef, 0xbb, 0xbf] + kit.transaction.json.octets }
        AttackCase(
            payload: "token-json-utf-16", "The payload is in UTF-16.",
            why: "JSON is UTF-8.", reference: "RFC 8259, section 8.1", fails: .malformedReceipt
        ) { kit in kit.transaction.json.octets.flatMap { [0, $0] } }
        AttackCase(
            payload: "token-json-not-utf-8", "A member of the payload has an overlong slash, which is no UTF-8.",
            why: "Readers replace it, leave it out, or take it for a slash.",
            reference: "RFC 3629, section 3; CVE-2000-0884", fails: .malformedReceipt
        ) { kit in
            kit.transaction.json.octets.dropLast() + Array(#","note":""#.utf8) + [0xc0, 0xaf] + Array(#""}"#.utf8)
        }
        AttackCase(
            payload: "token-json-list", "The payload is a list with the right object in it.",
            why: "A payload is an object.", reference: "RFC 7519, section 7.2", fails: .malformedReceipt
        ) { kit in SampleJSON.list([kit.transaction.json]).octets }
        AttackCase(
            payload: "token-json-text", "The payload is a text with the right object in it.",
            why: "A payload is an object. Whoever decodes twice lets a text become one.",
            reference: "RFC 7519, section 7.2; CWE-174", fails: .malformedReceipt
        ) { kit in SampleJSON.text(String(decoding: kit.transaction.json.octets, as: UTF8.self)).octets }
        AttackCase(
            payload: "token-json-comment", "A comment stands in the payload.",
            why: "JSON has none; readers that allow them disagree on where they end.",
            reference: "RFC 8259, section 2", fails: .malformedReceipt
        ) { kit in Array("/* */".utf8) + kit.transaction.json.octets }
        AttackCase(
            payload: "token-json-trailing-comma", "A comma follows the last member of the payload.",
            why: "JSON has none there.", reference: "RFC 8259, section 4", fails: .malformedReceipt
        ) { kit in kit.transaction.json.octets.dropLast() + Array(",}".utf8) }
        AttackCase(
            transaction: "token-json-leading-zero", "The quantity is written 01.",
            why: "Numbers have no leading zeros: some readers take them for octal.",
            reference: "RFC 8259, section 6", fails: .malformedReceipt
        ) { $0.edits = [.replace("quantity", with: .raw("01"))] }
        AttackCase(
            transaction: "token-json-not-a-number", "The price is NaN.",
            why: "JSON has no such number.", reference: "RFC 8259, section 6", fails: .malformedReceipt
        ) { $0.edits = [.replace("price", with: .raw("NaN"))] }
        AttackCase(
            transaction: "token-json-control-character", "A text has a line break that is not escaped.",
            why: "Control characters in texts are escaped.", reference: "RFC 8259, section 7", fails: .malformedReceipt
        ) { $0.edits = [.replace("storefront", with: .raw("\"U\nSA\""))] }
        AttackCase(
            payload: "token-json-form-feed", "A form feed stands before the payload's object.",
            why: "White space is blank, tab, line feed and carriage return, and nothing else.",
            reference: "RFC 8259, section 2", fails: .malformedReceipt
        ) { kit in [0x0c] + kit.transaction.json.octets }
        AttackCase(
            transaction: "token-json-nesting-of-65",
            "A member of the payload is nested one deeper than is allowed: 65.",
            why: "A reader that descends recursively needs a limit.", reference: "RFC 8259, section 9; CWE-674",
            fails: .malformedReceipt
        ) { $0.advancedCommerceInfo = .nested(64) }
        AttackCase(
            transaction: "token-two-bundle-ids", "The payload has the member bundleId twice, for two apps.",
            why: "One reader takes the first, another the last: each app sees a token of its own.",
            reference: "RFC 8259, section 4; CWE-436", fails: .malformedReceipt
        ) { $0.edits = [.add("bundleId", .text("com.example.other"))] }
        AttackCase(
            transaction: "token-two-equal-bundle-ids",
            "The payload has the member bundleId twice, with the same value.",
            why: "A payload has each member once. Whether the values agree is more than a reader should have to ask.",
            reference: "RFC 8259, section 4; CWE-436", fails: .malformedReceipt
        ) { $0.edits = [.add("bundleId", .text(AttackKit.bundleID))] }
        AttackCase(
            transaction: "token-two-products-escaped",
            "The payload has the member productId twice, once with an escaped letter, for two products.",
            why: "The names are the same only after unescaping: a filter before the reader does not see it.",
            reference: "RFC 8259, section 8.3; CWE-436", fails: .malformedReceipt
        ) { $0.edits = [.addEscaped(#"product\u0049d"#, .text("com.example.notes.everything"))] }
        AttackCase(
            transaction: "token-two-prices", "The payload has the member price twice, with two values.",
            why: "Also what not every transaction has is there once.", reference: "RFC 8259, section 4; CWE-436",
            fails: .malformedReceipt
        ) { $0.edits = [.add("price", .number(1))] }
        AttackCase(
            transaction: "token-two-unknown-members", "A member that nobody knows stands in the payload twice.",
            why: "What nobody knows today, somebody reads tomorrow.", reference: "RFC 8259, section 4",
            fails: .malformedReceipt
        ) { $0.edits = [.add("new", .number(1)), .add("new", .number(1))] }
        AttackCase(
            transaction: "token-two-nested-members", "An object inside the payload has a member twice.",
            why: "The rule is for every object.", reference: "RFC 8259, section 4; CWE-436", fails: .malformedReceipt
        ) {
            $0.advancedCommerceInfo = .object([("requestReferenceId", .text("a")), ("requestReferenceId", .text("b"))])
        }
    }

    /// Payloads of no known kind, or without a required member.
    @AttackList static var tokenMembers: [AttackCase] {
        AttackCase(
            payload: "token-empty-object", "The payload is an object without members.",
            why: "Truly signed, but nothing is said.", reference: "Apple, App Store Server API, JWSTransaction",
            fails: .notAProof
        ) { _ in Array("{}".utf8) }
        AttackCase(
            payload: "token-unknown-kind", "The payload has an app and a date, but is of no known kind.",
            why: "Whatever else the App Store signs is no proof of a purchase.",
            reference: "Apple, App Store Server API", fails: .notAProof
        ) { _ in
            SampleJSON.members([
                ("bundleId", AttackKit.bundleID), ("environment", "Production"), ("signedDate", AttackKit.createdAt),
            ]).octets
        }
        AttackCase(
            transaction: "token-two-kinds", "A transaction that has the member notificationType, too.",
            why: "Then it is a notification, which it is not; a payload is of one kind.",
            reference: "Apple, App Store Server Notifications; CWE-436", fails: .malformedReceipt
        ) { $0.edits = [.add("notificationType", .text("REFUND"))] }
        AttackCase(
            payload: "token-app-transaction-with-transaction",
            "An app transaction that has the member transactionId, too.",
            why: "Then it is a transaction, which it is not; a payload is of one kind.",
            reference: "Apple, StoreKit, AppTransaction; CWE-436", fails: .malformedReceipt
        ) { kit in
            kit.appTransaction.with { $0.edits = [.add("transactionId", .text("470000000000001"))] }.json.octets
        }
        AttackCase(
            transaction: "token-without-transaction-id", "The transaction has no transactionId.",
            why: "Then it is of no known kind.", reference: "Apple, App Store Server API, transactionId",
            fails: .malformedReceipt
        ) { $0.edits = [.leaveOut("transactionId")] }
        AttackCase(
            transaction: "token-without-original-transaction-id", "The transaction has no originalTransactionId.",
            why: "Every transaction has one.", reference: "Apple, App Store Server API, originalTransactionId",
            fails: .malformedReceipt
        ) { $0.edits = [.leaveOut("originalTransactionId")] }
        AttackCase(
            transaction: "token-without-bundle-id", "The transaction has no bundleId.",
            why: "Every transaction has one; what is absent must not be taken for equal.",
            reference: "Apple, App Store Server API, bundleId", fails: .malformedReceipt
        ) { $0.edits = [.leaveOut("bundleId")] }
        AttackCase(
            transaction: "token-without-product-id", "The transaction has no productId.",
            why: "Every transaction has one.", reference: "Apple, App Store Server API, productId",
            fails: .malformedReceipt
        ) { $0.edits = [.leaveOut("productId")] }
        AttackCase(
            transaction: "token-without-purchase-date", "The transaction has no purchaseDate.",
            why: "Every transaction has one.", reference: "Apple, App Store Server API, purchaseDate",
            fails: .malformedReceipt
        ) { $0.edits = [.leaveOut("purchaseDate")] }
        AttackCase(
            transaction: "token-without-signed-date", "The transaction has no signedDate.",
            why: "There is no date to judge the chain at. Today's, which Apple's libraries take, is any date at all.",
            reference: "Apple, App Store Server Library, SignedDataVerifier", fails: .malformedReceipt
        ) { $0.edits = [.leaveOut("signedDate")] }
        AttackCase(
            transaction: "token-signed-date-text", "signedDate is a text of digits.",
            why: "A date is a number.", reference: "Apple, App Store Server API, signedDate", fails: .malformedReceipt
        ) { $0.edits = [.replace("signedDate", with: .text("\(AttackKit.createdAt.milliseconds)"))] }
        AttackCase(
            transaction: "token-signed-date-true", "signedDate is true.",
            why: "In some languages that is the number 1.", reference: "RFC 8259, section 3", fails: .malformedReceipt
        ) { $0.edits = [.replace("signedDate", with: .bool(true))] }
        AttackCase(
            transaction: "token-bundle-id-null", "The bundleId is null.",
            why: "null is no text, and not absent.", reference: "RFC 8259, section 3", fails: .malformedReceipt
        ) { $0.edits = [.replace("bundleId", with: .null)] }
        AttackCase(
            transaction: "token-bundle-id-list", "The bundleId is a list of two, the app's among them.",
            why: "A reader that asks whether it contains the app says yes.", reference: "RFC 8259, section 3; CWE-843",
            fails: .malformedReceipt
        ) { $0.edits = [.replace("bundleId", with: .texts([AttackKit.bundleID, "com.example.other"]))] }
        AttackCase(
            transaction: "token-transaction-id-number", "The transactionId is a number.",
            why: "It is a text: readers round large numbers, so that two become one.",
            reference: "RFC 8259, section 6", fails: .malformedReceipt
        ) { $0.edits = [.replace("transactionId", with: .number(470_000_000_000_001))] }
        AttackCase(
            payload: "token-renewal-without-original", "The renewal info has no originalTransactionId.",
            why: "Every renewal info has one; it belongs to nothing without.",
            reference: "Apple, App Store Server API, JWSRenewalInfoDecodedPayload", kind: .renewalInfo,
            fails: .malformedReceipt
        ) { kit in kit.renewal.with { $0.edits = [.leaveOut("originalTransactionId")] }.json.octets }
        AttackCase(
            payload: "token-renewal-without-signed-date", "The renewal info has no signedDate.",
            why: "There is no date to judge the chain at.",
            reference: "Apple, App Store Server API, JWSRenewalInfoDecodedPayload", kind: .renewalInfo,
            fails: .malformedReceipt
        ) { kit in kit.renewal.with { $0.edits = [.leaveOut("signedDate")] }.json.octets }
        AttackCase(
            payload: "token-app-transaction-without-date",
            "The app transaction has a signedDate, but no receiptCreationDate.",
            why: "Every app transaction has one; no other date stands in for it.",
            reference: "Apple, StoreKit, AppTransaction", kind: .appTransaction, fails: .malformedReceipt
        ) { kit in
            kit.appTransaction.with {
                $0.edits = [.leaveOut("receiptCreationDate"), .add("signedDate", .date(AttackKit.createdAt))]
            }.json.octets
        }
        AttackCase(
            payload: "token-app-transaction-without-bundle-id", "The app transaction has no bundleId.",
            why: "Every app transaction has one.", reference: "Apple, StoreKit, AppTransaction", kind: .appTransaction,
            fails: .malformedReceipt
        ) { kit in kit.appTransaction.with { $0.edits = [.leaveOut("bundleId")] }.json.octets }
        AttackCase(
            payload: "token-notification-without-uuid", "The notification has no notificationUUID.",
            why: "Without it nobody knows whether it was met before.",
            reference: "Apple, App Store Server Notifications, notificationUUID", kind: .notification,
            fails: .malformedReceipt
        ) { kit in try kit.notification().with { $0.edits = [.leaveOut("notificationUUID")] }.json.octets }
        AttackCase(
            payload: "token-notification-without-any-date", "The notification has no signedDate and no token inside.",
            why: "There is no date to judge the chain at.",
            reference: "Apple, App Store Server Notifications, signedDate", kind: .notification,
            fails: .malformedReceipt
        ) { kit in
            try kit.notification { $0.signedTransaction = nil }.with { $0.signedAt = nil }.json.octets
        }
        AttackCase(
            payload: "token-notification-date-text",
            "The notification's signedDate is a text; the token inside has a date.",
            why: "What is there must be right: the nested date is for those that have none.",
            reference: "Apple, App Store Server Notifications, signedDate", kind: .notification,
            fails: .malformedReceipt
        ) { kit in
            try kit.notification().with { $0.edits = [.replace("signedDate", with: .text("2024-03-01"))] }.json.octets
        }
        AttackCase(
            transaction: "token-signed-in-the-future",
            "The token was signed 24 hours and a second after the reference time.",
            why: "Nobody can have signed it yet. A day is allowed for clocks that differ.",
            reference: "RFC 7519, section 4.1.5", fails: .malformedReceipt
        ) { $0.signedAt = AttackKit.asOf.adding(seconds: 86_401) }
    }
}
