import Checks
import Engine
import FoundationEssentials
import Inputs
import Proofs
import Rules
import SampleStore

/// A made-up export in a folder of its own, and audits of it.
struct SampleAudit {
    let export: SampleExport
    let folder: String

    /// One row of the table `receipts`, as far as tests look at it.
    struct Row: Equatable, Sendable {
        var source: String
        var claimID: String
        var failed: String
        var risk: String
        var rules: String
    }

    struct Outcome: Sendable {
        var rows: [Row] = []
        var findings: [FindingRow] = []
        var links: [LinkRow] = []
        var tally: Tally
        var findingTally: FindingTally
    }

    /// Writes an export, hands it to a body, and removes it.
    static func with(
        count: Int = 600, seed: UInt64, forgeries: Double = 0.3, plants: Double = 0, tokens: Double = 0.2,
        _ body: (SampleAudit) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "audit-run-\(UUID())").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let export = try SampleExport(
            count: count, seed: seed, forgeryShare: forgeries, plantShare: plants, tokenShare: tokens)
        _ = try ExportFolder(folder).write(export)
        try body(SampleAudit(export: export, folder: folder))
    }

    func run(workers: Int = 2, memory: Int = 64 << 20, policy: Policy = Policy()) throws -> Outcome {
        let run = AuditRun(
            trust: try TrustAnchors(files: [(name: "root.cer", bytes: export.root)]),
            expectations: Expectations(asOf: SampleExport.asOf, policy),
            rules: RuleSet(policy, asOf: SampleExport.asOf),
            workers: workers,
            storage: Storage(memory: memory, folder: FileManager.default.temporaryDirectory.path()), withLinks: true)
        let result = try run.run(Inputs([folder + "/receipts"]), encoders: [Self.encoder], isStopped: { false })
        var text: [UInt8] = []
        try result.writeRows { _, rows in for index in rows.indices { text.append(rows[index]) } }
        var findings: [FindingRow] = []
        try result.forEachFinding { findings.append($0) }
        var links: [LinkRow] = []
        try result.forEachLink { links.append($0) }
        let rows = String(decoding: text, as: UTF8.self).split(separator: "\n").map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return Row(source: cells[0], claimID: cells[1], failed: cells[2], risk: cells[3], rules: cells[4])
        }
        return Outcome(
            rows: rows, findings: findings, links: links, tally: result.tally, findingTally: result.findingTally)
    }

    /// Cells with tabs between them.
    private static let encoder = RowEncoder.joined(
        JoinedRowEncoder(
            emptyLength: 1,
            encode: { facts, bytes in
                bytes += Array("\(facts.claim.source)\t\(facts.id)\t\(facts.failed.description)\t".utf8)
                let cells = bytes.count
                bytes += Array("\t\n".utf8)
                return cells
            },
            fill: { risk, rules, bytes in bytes += Array("\(risk.code)\t\(rules)".utf8) }))
}
