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
        let tables = ["unclaimed", "refund_requests"]
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

    @Test func `paid for what evidence shows and no claim does`() {
        let found = Set(rows("unclaimed").map { $0["original_transaction_id"] })
        let planted = cases(.unclaimed).map(\.originalTransactionID)
        #expect(planted.count == 4 && planted.allSatisfy(found.contains))
        let settled = cases(.settled).map(\.originalTransactionID)
        #expect(settled.count == 4 && !settled.contains(where: found.contains))
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
