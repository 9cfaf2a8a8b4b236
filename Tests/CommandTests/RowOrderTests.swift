import Foundation
import SampleStore
import Testing

/// An export whose rows are shuffled, in a file of another name: the order of rows changes nothing but where they stand.
struct `An export in another order` {
    private let export: TestExport

    init() throws {
        export = try TestExport()
        try export.writeSample(count: 300, seed: 13, plantShare: 0.4)
        let rows = (export.text(of: "sample/receipts/devices.csv") ?? "").split(separator: "\r\n").map(String.init)
        // One row says what another does: it is the same claim, presented again.
        let claims = Array(rows.dropFirst()) + [rows[1]]
        // 197 is prime, and no divisor of the number of claims.
        let shuffled = claims.indices.map { claims[($0 * 197 + 5) % claims.count] }
        #expect(shuffled != claims && shuffled.sorted() == claims.sorted())
        for (name, claims) in [("first", claims), ("second", shuffled)] {
            try export.write(
                ([rows[0]] + claims).joined(separator: "\r\n") + "\r\n", to: "sample/receipts/\(name).csv")
        }
    }

    private static let tables = [
        "receipts", "fraud", "links", "entities", "purchases", "subscriptions", "retention", "metrics",
    ]

    private func audit(_ name: String) throws {
        let reports = Self.tables.flatMap { ["--report", "\($0)=" + export.path("\(name)/\($0).csv")] }
        let run = try AuditProcess(
            [
                "run", export.path("sample/receipts/\(name).csv"), "--root", export.path("sample/root.cer"), "--policy",
                export.path("sample/policy.yml"), "--as-of", "2026-06-30", "--quiet",
            ] + reports)
        try #require(run.exitCode == 0, "\(run.messages)")
    }

    /// The rows of a table, sorted, without the columns that give the positions of rows in the export.
    private func rows(_ name: String, _ table: String) -> [[String]] {
        CommandTests.table(export.text(of: "\(name)/\(table).csv") ?? "").map { row in
            row.filter { !["source", "sources"].contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    @Test func `has the same rows in every table, but for where they stand`() throws {
        try audit("first")
        try audit("second")
        for table in Self.tables {
            let (first, second) = (rows("first", table), rows("second", table))
            #expect(first.count > 5, "\(table)")
            let different = zip(first, second).first { $0 != $1 }
            #expect(first.count == second.count && different == nil, "\(table): \(String(describing: different))")
        }
    }
}
