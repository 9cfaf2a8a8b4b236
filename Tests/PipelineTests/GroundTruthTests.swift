import Checks
import FoundationEssentials
import Inputs
import Pipeline
import SampleStore
import Signatures
import Synchronization
import Testing

/// Whole runs over exports whose truth is known.
struct `A run over a made-up export` {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `finds exactly what was forged, and nothing else`(seed: UInt64) throws {
        try withExport(seed: seed) { export, folder in
            let found = try audit(folder, export, workers: 2)
            #expect(found.count == export.count)
            for index in 0..<export.count {
                let claim = try export.claim(at: index)
                #expect(found[index].source == claim.source)
                #expect(found[index].failed == claim.failedCheck ?? "", "\(claim.source)")
            }
        }
    }

    @Test func `gives the same with any number of workers`() throws {
        try withExport(seed: 4) { export, folder in
            let expected = try audit(folder, export, workers: 1).map(\.row)
            for workers in [2, 3, 8] { #expect(try audit(folder, export, workers: workers).map(\.row) == expected) }
        }
    }

    @Test func `counts each claim once, with one verdict`() throws {
        try withExport(seed: 5) { export, folder in
            var tally = Tally()
            try run(folder, export, workers: 2) { tally += $0.tally }
            let verdicts = tally.verdicts.occurring.map(\.count).reduce(0, +)
            #expect(tally.claims == export.count)
            #expect(verdicts == export.count)
        }
    }

    private struct Found {
        var source: String
        var failed: String
        var row: String
    }

    private func audit(_ folder: String, _ export: SampleExport, workers: Int) throws -> [Found] {
        var text = ""
        try run(folder, export, workers: workers) { text += String(decoding: $0.rows[0], as: UTF8.self) }
        return text.split(separator: "\n").map { row in
            let cells = row.split(separator: "\t", omittingEmptySubsequences: false)
            return Found(source: String(cells[0]), failed: String(cells[1]), row: String(row))
        }
    }

    private func run(
        _ folder: String, _ export: SampleExport, workers: Int, write: (AuditRun.Part) throws -> Void
    ) throws {
        let run = AuditRun(
            trust: try TrustAnchors(files: [(name: "root.cer", bytes: export.root)]),
            expectations: Expectations(asOf: SampleExport.asOf), workers: workers)
        try run.run(
            Inputs([folder + "/receipts"]), isStopped: { false },
            encoders: [
                { facts, row in
                    let cells = [facts.claim.source, facts.failed.description, facts.deviceMatch.rawValue]
                    row += Array((cells.joined(separator: "\t") + "\n").utf8)
                }
            ], write: write)
    }

    private func withExport(seed: UInt64, _ body: (SampleExport, String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "audit-run-\(UUID())").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let export = try SampleExport(count: 600, seed: seed, forgeryShare: 0.3)
        _ = try ExportFolder(folder).write(export)
        try body(export, folder)
    }
}
