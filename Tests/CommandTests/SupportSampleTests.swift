import Foundation
import SampleStore
import Testing

/// The tables for support, on a sample in which customers need help.
struct `The customers who need help in a sample` {
    private let export: TestExport
    private let truth: TruthFile

    init() throws {
        let export = try TestExport()
        self.export = export
        try export.writeSample(count: 1600, seed: 5)
        let tables = ["unclaimed", "refund_requests", "purchases", "evidence"]
        let run = try AuditProcess(
            [
                "run", export.path("sample/receipts"), "--evidence", export.path("sample/evidence.ndjson"), "--root",
                export.path("sample/root.cer"), "--policy", export.path("sample/policy.yml"), "--as-of", "2026-06-30",
                "--quiet", "--unclaimed-ended",
            ] + tables.flatMap { ["--report", "\($0)=" + export.path("\($0).csv")] })
        try #require(run.exitCode == 0, "\(run.messages)")
        truth = try JSONDecoder().decode(
            TruthFile.self, from: Data((export.text(of: "sample/truth.json") ?? "").utf8))
    }

    private func rows(_ table: String) -> [[String: String]] {
        CommandTests.table(export.text(of: "\(table).csv") ?? "")
    }

    private func cases(_ kind: SupportCase.Kind) -> [SupportCase] { (truth.support ?? []).filter { $0.kind == kind } }

    @Test func `paid for exactly the purchases that evidence shows and no claim does`() {
        let found = Set(rows("unclaimed").map { $0["original_transaction_id"] })
        let planted = cases(.unclaimed).map(\.originalTransactionID)
        #expect(planted.count == 4 && planted.allSatisfy(found.contains))
        let settled = cases(.settled).map(\.originalTransactionID)
        #expect(settled.count == 4 && !settled.contains(where: found.contains))
        // Persons whose claims are tokens present one purchase of several.
        let presented = Set(rows("purchases").map { $0["original_transaction_id"] })
        let told = rows("evidence").filter { $0["kind"] == "transaction" && $0["verdict"] == "valid" }
        var expected: Set<String?> = []
        for (original, statements) in Dictionary(grouping: told, by: { $0["original_transaction_id"] }) {
            let newest = Dictionary(grouping: statements, by: { $0["transaction_id"] }).values.compactMap { all in
                all.max { $0["signed_at"] ?? "" < $1["signed_at"] ?? "" }
            }
            let isHeld = newest.contains { $0["revoked_at"] == "" && $0["environment"] == "Production" }
            if isHeld, !presented.contains(original) { expected.insert(original) }
        }
        #expect(found == expected.subtracting(settled))
    }

    @Test func `ask for exactly the refunds that Apple asks about, some for the fourth time`() {
        let found = rows("refund_requests").map {
            "\($0["original_transaction_id"] ?? "") \($0["earlier_refunds"] ?? "")"
        }
        let planted = cases(.refundRequest).map { "\($0.originalTransactionID) \($0.earlierRefunds ?? 0)" }
        #expect(found.count == 4 && Set(found) == Set(planted))
        #expect(Set(rows("refund_requests").map { $0["earlier_refunds"] }) == ["0", "3"])
        #expect(rows("refund_requests").allSatisfy { $0["claims"] != "0" })
    }
}
