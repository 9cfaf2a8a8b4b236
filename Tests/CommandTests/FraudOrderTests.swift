import Foundation
import SampleStore
import Testing

/// Findings that have severity, rule and subject in common: six transactions have one original transaction.
struct `Rows of fraud that tie` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        var lines = ""
        for (number, product) in ["gold", "silver"].enumerated() {
            var content = ReceiptContent(
                bundleID: "com.example.notes", device: TestExport.phone, createdAt: .utc(2024, 3, 1 + number))
            content.purchases = ["101", "1002", "103", "10004", "105", "106"].enumerated().map { number, id in
                var purchase = PurchaseContent(
                    .nonConsumable, productID: product, transactionID: id, purchasedAt: .utc(2024, 1, 1 + number))
                purchase.originalTransactionID = "100"
                if number > 2 { purchase.cancelledAt = .utc(2024, 2) }
                return purchase
            }
            // To sort(1), an account goes on with the quotation mark that ends it in JSON.
            for account in ["ana", "ana!", "ana\"", "ana\u{0}"] {
                let claim = [
                    "receipt_data": Data(try TestExport.receipt(content)).base64EncodedString(), "account_id": account,
                    "device_id": TestExport.phone.text,
                ]
                lines += String(decoding: try JSONSerialization.data(withJSONObject: claim), as: UTF8.self) + "\n"
            }
        }
        try export.write(lines, to: "export.ndjson")
    }

    private var options: [String] { ["--as-of", "2026-06-30", "--root", export.root] }

    private func audit(workers: Int, memory: String = "64M") throws -> String {
        let run = try AuditProcess(
            ["run", "export.ndjson", "--report", "fraud=-", "--workers", "\(workers)", "--memory", memory] + options,
            in: export.folder)
        try #require(run.exitCode == 0, "\(run.messages)")
        return run.output
    }

    @Test func `are in the order of their evidence`() throws {
        let conflicts = table(try audit(workers: 1)).filter { $0["rule"] == "transaction-conflict" }
        #expect(Set(conflicts.map { $0["subject"] }) == ["transaction:100"])
        let evidence = conflicts.compactMap { $0["evidence"] }
        #expect(evidence.count == 6)
        #expect(evidence == evidence.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    @Test(arguments: [1, 3])
    func `come in one order from a run and from shards`(shards: Int) throws {
        let want = try audit(workers: 2)
        let sharded = try AuditProcess(
            script: ShardExport.script, ["-s", "\(shards)", "-o", "got", "export.ndjson", "--"] + options,
            environment: ["AUDIT": AuditProcess.path], in: export.folder)
        try #require(sharded.exitCode == 0, "\(sharded.messages)")
        let accounts = table(want).filter { $0["rule"] == "repeat-refunds" }.compactMap { $0["subject"] }
        #expect(accounts.count == 4)
        #expect(export.text(of: "got/fraud.csv") == want)
    }

    @Test func `of a version to come are refused, and named by their line`() throws {
        let row = #"{"table":"fraud","severity":"high","rule":"tomorrow","subject":"account:a","csv":",,,,,,,,"}"#
        let run = try AuditProcess(shell: "printf '\n%s\n' '\(row)' | \"$0\" rows fraud", [])
        #expect(run.exitCode == 2)
        #expect(run.messages.contains("line 2"))
    }
}
