import Encodings

/// Payloads that are not JSON, or are ambiguous, under a valid signature.
extension AttackSuite {
    @AttackList static var tokenJSON: [AttackCase] {
        AttackCase(payload: "token-json-trailing-octets") { kit in kit.transaction.json.octets + Array("x".utf8) }
        AttackCase(payload: "token-json-two-objects") { kit in
            kit.transaction.json.octets + kit.richerTransaction.json.octets
        }
        AttackCase(payload: "token-json-nul-behind") { kit in kit.transaction.json.octets + [0] }
        AttackCase(payload: "token-json-byte-order-mark") { kit in [0xef, 0xbb, 0xbf] + kit.transaction.json.octets }
        AttackCase(payload: "token-json-utf-16") { kit in kit.transaction.json.octets.flatMap { [0, $0] } }
        AttackCase(payload: "token-json-not-utf-8") { kit in
            kit.transaction.json.octets.dropLast() + Array(#","note":""#.utf8) + [0xc0, 0xaf] + Array(#""}"#.utf8)
        }
        AttackCase(payload: "token-json-list") { kit in SampleJSON.list([kit.transaction.json]).octets }
        AttackCase(payload: "token-json-text") { kit in
            SampleJSON.text(String(decoding: kit.transaction.json.octets, as: UTF8.self)).octets
        }
        AttackCase(payload: "token-json-comment") { kit in Array("/* */".utf8) + kit.transaction.json.octets }
        AttackCase(payload: "token-json-trailing-comma") { kit in
            kit.transaction.json.octets.dropLast() + Array(",}".utf8)
        }
        AttackCase(transaction: "token-json-leading-zero") { $0.edits = [.replace("quantity", with: .raw("01"))] }
        AttackCase(transaction: "token-json-not-a-number") { $0.edits = [.replace("price", with: .raw("NaN"))] }
        AttackCase(transaction: "token-json-control-character") {
            $0.edits = [.replace("storefront", with: .raw("\"U\nSA\""))]
        }
        AttackCase(payload: "token-json-form-feed") { kit in [0x0c] + kit.transaction.json.octets }
        AttackCase(transaction: "token-json-nesting-of-65") { $0.advancedCommerceInfo = .nested(64) }
        AttackCase(transaction: "token-two-bundle-ids") { $0.edits = [.add("bundleId", .text("com.example.other"))] }
        AttackCase(transaction: "token-two-equal-bundle-ids") {
            $0.edits = [.add("bundleId", .text(AttackKit.bundleID))]
        }
        AttackCase(transaction: "token-two-products-escaped") {
            $0.edits = [.addEscaped(#"product\u0049d"#, .text("com.example.notes.everything"))]
        }
        AttackCase(transaction: "token-two-prices") { $0.edits = [.add("price", .number(1))] }
        AttackCase(transaction: "token-two-unknown-members") {
            $0.edits = [.add("new", .number(1)), .add("new", .number(1))]
        }
        AttackCase(transaction: "token-two-nested-members") {
            $0.advancedCommerceInfo = .object([("requestReferenceId", .text("a")), ("requestReferenceId", .text("b"))])
        }
    }

    /// Payloads of no known kind, or without a required member.
    @AttackList static var tokenMembers: [AttackCase] {
        AttackCase(payload: "token-empty-object") { _ in Array("{}".utf8) }
        AttackCase(payload: "token-unknown-kind") { _ in
            SampleJSON.members([
                ("bundleId", AttackKit.bundleID), ("environment", "Production"), ("signedDate", AttackKit.createdAt),
            ]).octets
        }
        AttackCase(transaction: "token-two-kinds") { $0.edits = [.add("notificationType", .text("REFUND"))] }
        AttackCase(payload: "token-app-transaction-with-transaction") { kit in
            kit.appTransaction.with { $0.edits = [.add("transactionId", .text("470000000000001"))] }.json.octets
        }
        AttackCase(transaction: "token-without-transaction-id") { $0.edits = [.leaveOut("transactionId")] }
        AttackCase(transaction: "token-without-original-transaction-id") {
            $0.edits = [.leaveOut("originalTransactionId")]
        }
        AttackCase(transaction: "token-without-bundle-id") { $0.edits = [.leaveOut("bundleId")] }
        AttackCase(transaction: "token-without-product-id") { $0.edits = [.leaveOut("productId")] }
        AttackCase(transaction: "token-without-purchase-date") { $0.edits = [.leaveOut("purchaseDate")] }
        AttackCase(transaction: "token-without-signed-date") { $0.edits = [.leaveOut("signedDate")] }
        AttackCase(transaction: "token-signed-date-text") {
            $0.edits = [.replace("signedDate", with: .text("\(AttackKit.createdAt.milliseconds)"))]
        }
        AttackCase(transaction: "token-signed-date-true") { $0.edits = [.replace("signedDate", with: .bool(true))] }
        AttackCase(transaction: "token-bundle-id-null") { $0.edits = [.replace("bundleId", with: .null)] }
        AttackCase(transaction: "token-bundle-id-list") {
            $0.edits = [.replace("bundleId", with: .texts([AttackKit.bundleID, "com.example.other"]))]
        }
        AttackCase(transaction: "token-transaction-id-number") {
            $0.edits = [.replace("transactionId", with: .number(470_000_000_000_001))]
        }
        AttackCase(payload: "token-renewal-without-original") { kit in
            kit.renewal.with { $0.edits = [.leaveOut("originalTransactionId")] }.json.octets
        }
        AttackCase(payload: "token-renewal-without-signed-date") { kit in
            kit.renewal.with { $0.edits = [.leaveOut("signedDate")] }.json.octets
        }
        AttackCase(payload: "token-app-transaction-without-date") { kit in
            kit.appTransaction.with {
                $0.edits = [.leaveOut("receiptCreationDate"), .add("signedDate", .date(AttackKit.createdAt))]
            }.json.octets
        }
        AttackCase(payload: "token-app-transaction-without-bundle-id") { kit in
            kit.appTransaction.with { $0.edits = [.leaveOut("bundleId")] }.json.octets
        }
        AttackCase(payload: "token-notification-without-uuid") { kit in
            try kit.notification().with { $0.edits = [.leaveOut("notificationUUID")] }.json.octets
        }
        AttackCase(payload: "token-notification-without-any-date") { kit in
            try kit.notification { $0.signedTransaction = nil }.with { $0.signedAt = nil }.json.octets
        }
        AttackCase(payload: "token-notification-date-text") { kit in
            try kit.notification().with { $0.edits = [.replace("signedDate", with: .text("2024-03-01"))] }.json.octets
        }
        AttackCase(transaction: "token-signed-in-the-future") { $0.signedAt = AttackKit.asOf.adding(seconds: 86_401) }
    }
}
