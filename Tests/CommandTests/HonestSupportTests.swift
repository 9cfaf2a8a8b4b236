import Foundation
import SampleStore
import Testing

/// The tables for support, on people who are honest.
struct `The customers who need help in a population` {
    private let export: TestExport
    private let planted: [SupportCase]

    init() throws {
        let export = try TestExport()
        self.export = export
        var parameters = HonestParameters()
        (parameters.personsPerCircle, parameters.personsPerCustomer) = (1, 1)
        _ = try HonestFolder(export.path("people")).write(
            HonestWorld(persons: 0..<12, seed: 3, parameters: parameters))
        let run = try AuditProcess(
            [
                "run", export.path("people/claims.ndjson"), "--evidence", export.path("people/evidence.ndjson"),
                "--root", export.path("people/root.cer"), "--policy", export.path("people/policy.yml"), "--as-of",
                "2026-06-30", "--quiet", "--unclaimed-ended",
            ] + ["unclaimed", "refund_requests"].flatMap { ["--report", "\($0)=" + export.path("\($0).csv")] })
        try #require(run.exitCode == 0, "\(run.messages)")
        planted = try (export.text(of: "people/support.ndjson") ?? "").split(separator: "\n").map {
            try JSONDecoder().decode(SupportCase.self, from: Data($0.utf8))
        }
    }

    private func found(_ table: String) -> [String] {
        CommandTests.table(export.text(of: "\(table).csv") ?? "").compactMap { $0["original_transaction_id"] }.sorted()
    }

    private func expected(_ kind: SupportCase.Kind) -> [String] {
        planted.filter { $0.kind == kind }.map(\.originalTransactionID).sorted()
    }

    @Test func `are exactly those who paid, present nothing and have no money back`() {
        #expect(expected(.unclaimed).count == 9 && expected(.settled).count == 3)
        #expect(found("unclaimed") == expected(.unclaimed))
    }

    @Test func `ask for exactly the refunds that Apple asks about`() {
        // Six customers, and the buyers of two families for two purchases each.
        #expect(expected(.refundRequest).count == 10)
        #expect(found("refund_requests") == expected(.refundRequest))
    }
}
