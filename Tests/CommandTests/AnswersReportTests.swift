import Foundation
import SampleStore
import Testing

/// The table `answers`: what verifyReceipt would have said.
struct `An answer in a report` {
    private let export: TestExport

    init() throws { export = try TestExport() }

    private static func content(_ change: (inout ReceiptContent) -> Void = { _ in }) -> ReceiptContent {
        ReceiptContent(bundleID: "com.example.notes", device: TestExport.phone, createdAt: .utc(2024, 4, 1)).with(
            change)
    }

    /// The rows of the report, as they are written.
    private func rows(_ arguments: String...) throws -> [String] {
        let run = try AuditProcess(
            [
                "run", export.path("receipts"), "--root", export.root, "--as-of", "2026-06-30", "--quiet", "--report",
                "answers=-.ndjson",
            ] + arguments)
        return run.output.split(separator: "\n").map(String.init)
    }

    private func answer(in row: String) -> String {
        String(row.drop { $0 != ":" }.split(separator: "\"answer\":").last?.dropLast() ?? "")
    }

    @Test func `has every field that the receipt proves, in the shape of verifyReceipt`() throws {
        let month = PurchaseContent(
            .autoRenewable, productID: "month", transactionID: "2", purchasedAt: .utc(2024, 3, 1))
        try export.write(
            TestExport.receipt(
                Self.content {
                    $0.purchases = [
                        month.with {
                            $0.originalTransactionID = "1"
                            $0.originallyPurchasedAt = .utc(2024, 2, 1)
                            $0.expiresAt = .utc(2024, 4, 1)
                            $0.cancelledAt = .utc(2024, 3, 5)
                            $0.webOrderLineItemID = 9_007_199_254_740_993
                            $0.quantity = 3
                            $0.isIntroOffer = true
                            $0.promotionalOfferID = "a \"b\""
                            $0.edits = [.add(AttributeContent(1720, integer: 1))]
                        },
                        PurchaseContent(
                            .consumable, productID: "coins", transactionID: "3", purchasedAt: .utc(2024, 1, 1)),
                    ]
                    $0.edits = [
                        .replace(15, with: AttributeContent(15, integer: 9_007_199_254_740_993).value),
                        .replace(16, with: AttributeContent(16, integer: 7).value),
                        .replace(18, with: AttributeContent(18, date: .utc(2023, 8, 1)).value),
                    ]
                }), to: "receipts/a.der")
        let row = try #require(try rows().first)
        let shown = try #require(try export.audit("--quiet", "--report", "-").rows.first)
        let (claim, digest) = (try #require(shown["claim_id"]), try #require(shown["receipt_sha256"]))
        func dates(_ name: String, _ gmt: String, _ ms: String, _ pst: String) -> String {
            "\"\(name)\":\"\(gmt) Etc/GMT\",\"\(name)_ms\":\"\(ms)\",\"\(name)_pst\":\"\(pst) America/Los_Angeles\""
        }
        let receipt = [
            "\"receipt_type\":\"Production\",\"adam_id\":1500000001,\"app_item_id\":1500000001",
            "\"bundle_id\":\"com.example.notes\",\"application_version\":\"1\",\"download_id\":9007199254740993",
            "\"version_external_identifier\":7",
            dates("receipt_creation_date", "2024-04-01 00:00:00", "1711929600000", "2024-03-31 17:00:00"),
            dates("original_purchase_date", "2023-08-01 00:00:00", "1690848000000", "2023-07-31 17:00:00"),
            "\"original_application_version\":\"1\"",
        ]
        let first = [
            "\"quantity\":\"3\",\"product_id\":\"month\",\"transaction_id\":\"2\",\"original_transaction_id\":\"1\"",
            dates("purchase_date", "2024-03-01 00:00:00", "1709251200000", "2024-02-29 16:00:00"),
            dates("original_purchase_date", "2024-02-01 00:00:00", "1706745600000", "2024-01-31 16:00:00"),
            dates("expires_date", "2024-04-01 00:00:00", "1711929600000", "2024-03-31 17:00:00"),
            dates("cancellation_date", "2024-03-05 00:00:00", "1709596800000", "2024-03-04 16:00:00"),
            "\"cancellation_reason\":\"1\",\"web_order_line_item_id\":\"9007199254740993\"",
            "\"is_trial_period\":\"false\",\"is_in_intro_offer_period\":\"true\"",
            "\"promotional_offer_id\":\"a \\\"b\\\"\"",
        ]
        let second = [
            "\"quantity\":\"1\",\"product_id\":\"coins\",\"transaction_id\":\"3\",\"original_transaction_id\":\"3\"",
            dates("purchase_date", "2024-01-01 00:00:00", "1704067200000", "2023-12-31 16:00:00"),
            dates("original_purchase_date", "2024-01-01 00:00:00", "1704067200000", "2023-12-31 16:00:00"),
            "\"is_trial_period\":\"false\"",
        ]
        // In the order of the SET that the sample store signs.
        let purchases = [second, first].map { "{" + $0.joined(separator: ",") + "}" }.joined(separator: ",")
        #expect(
            row
                == "{\"source\":\"a.der\",\"claim_id\":\"\(claim)\",\"answer\":{\"status\":0,\"environment\":\"Production\","
                + "\"receipt\":{\(receipt.joined(separator: ",")),\"in_app\":[\(purchases)]},\"latest_receipt_info\":["
                + [first, second].map { (purchase: [String]) in
                    // The same names and types, the purchase made last first, and what proves it.
                    "{" + purchase.joined(separator: ",")
                        + ",\"audit_evidence\":{\"sha256\":\"\(digest)\",\"date\":\"2024-04-01T00:00:00Z\"}}"
                }.joined(separator: ",") + "]}}")
    }

    @Test func `leaves out what the receipt does not say`() throws {
        try export.write(
            TestExport.receipt(
                Self.content {
                    $0.edits = [0, 1, 15, 16, 18, 19].map { .leaveOut($0) }
                    $0.environment = ""
                }), to: "receipts/a.der")
        try export.write(
            TestExport.receipt(Self.content { $0.edits = [.add(AttributeContent(1, integer: 5))] }),
            to: "receipts/b.der")
        let answers = try rows().map(answer)
        for name in ["environment", "receipt_type", "adam_id", "download_id", "original_purchase_date", "request_date"]
        {
            #expect(!answers[0].contains(name))
        }
        #expect(answers[0].contains("\"in_app\":[]"))
        // Of an attribute that occurs twice, no reader knows which value counts.
        #expect(!answers[1].contains("adam_id") && answers[1].contains("\"status\":0"))
    }

    @Test func `is a status alone where the receipt proves nothing`() throws {
        let receipt = try TestExport.receipt(Self.content())
        try export.write([UInt8](receipt.dropLast(9)), to: "receipts/a-cut.der")
        var forged = receipt
        forged[receipt.count - 1] ^= 1
        try export.write(forged, to: "receipts/b-forged.der")
        try export.write("nothing", to: "receipts/c-nothing.der")
        try export.write(
            TestExport.receipt(
                Self.content {
                    $0.purchases = [
                        PurchaseContent(.consumable, productID: "x", transactionID: "1", purchasedAt: .utc(2024, 1, 1))
                            .with { $0.edits = [.leaveOut(1703)] }
                    ]
                }),
            to: "receipts/d-malformed.der")
        // Of another app, device and version: verifyReceipt does not compare them.
        try export.write(receipt, to: "receipts/e-other.der")
        try export.write(
            "file,bundle_id,app_version,device_id\ne-other.der,com.example.other,9,1234\n", to: "devices.csv")
        #expect(
            try rows("--devices", export.path("devices.csv")).map { String(answer(in: $0).prefix(16)) } == [
                "{\"status\":0,\"env", "{\"status\":21002}", "{\"status\":21003}", "{\"status\":21002}",
            ])
    }

    @Test(arguments: [
        ("Production", "[Production]", "0,"), ("ProductionVPP", "[Production]", "0,"),
        ("ProductionSandbox", "[Production]", "21007}"), ("ProductionVPPSandbox", "[Production]", "21007}"),
        ("Xcode", "[Production]", "21007}"), ("ProductionSandbox", "[Sandbox]", "0,"),
        ("Production", "[Sandbox]", "21008}"), ("ProductionVPP", "[ProductionSandbox]", "21008}"),
    ])
    func `refuses the other environment, and says which that is`(name: String, allowed: String, status: String) throws {
        try export.write(TestExport.receipt(Self.content { $0.environment = name }), to: "receipts/a.der")
        try export.write("version: 1\nenvironments: \(allowed)\n", to: "policy.yml")
        let answer = try rows("--policy", export.path("policy.yml")).map(answer)
        #expect(answer.first?.hasPrefix("{\"status\":\(status)") == true, "\(answer)")
    }

    @Test func `is the same from a ledger, wherever the claim stands`() throws {
        try export.write(TestExport.receipt(Self.content()), to: "receipts/a.der")
        let once = try rows("--state", export.path("ledger.db"))
        let again = try rows("--state", export.path("ledger.db"))
        let without = try rows()
        #expect(once.count == 1 && once == again && once == without)
    }

    @Test func `has no row for other proofs, and is an array in JSON`() throws {
        try export.write("e30.e30.e30", to: "receipts/a.jws")
        try export.write(TestExport.receipt(Self.content()), to: "receipts/b.der")
        let run = try export.audit("--quiet", "--report", "answers=" + export.path("a.json"))
        #expect(run.exitCode == 3, "one of two is no proof: \(run.messages)")
        let json = try JSONSerialization.jsonObject(with: Data((export.text(of: "a.json") ?? "").utf8))
        #expect((json as? [[String: Any]])?.map { $0["source"] as? String } == ["b.der"])
    }

    @Test(arguments: ["csv", "xlsx", "html", "md"])
    func `is no table of cells`(format: String) throws {
        let run = try export.audit("--report", "answers=" + export.path("a." + format))
        #expect(run.exitCode == 64)
        #expect(run.messages.contains("the table answers is written as .json, .ndjson"))
    }
}
