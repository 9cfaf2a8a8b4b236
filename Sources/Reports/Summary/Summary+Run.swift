import Encodings
package import Engine
import Inputs
package import Rules
package import Subscriptions

extension Summary {
    init(_ result: AuditResult, _ run: RunDescription, changes: ChangeCounts?) {
        self.init(
            result.tally, result.breakdown, result.findingTally, result.figures, run, result.policy, changes: changes)
    }

    /// The same of a run whose parts were counted elsewhere.
    package init(
        _ tally: Tally, _ breakdown: Breakdown, _ findings: FindingTally, _ figures: SubscriptionFigures,
        _ run: RunDescription, _ policy: Policy
    ) {
        self.init(tally, breakdown, findings, figures, run, policy, changes: nil)
    }

    private init(
        _ tally: Tally, _ breakdown: Breakdown, _ findings: FindingTally, _ figures: SubscriptionFigures,
        _ run: RunDescription, _ policy: Policy, changes: ChangeCounts?
    ) {
        sections =
            [Self.description(run, claims: tally.claims)] + Self.claims(tally, breakdown)
            + Self.findings(findings, changes, policy, asOf: run.asOf) + Self.subscriptions(figures)
            + [Self.omissions(run.omissions)]
        sections.removeAll { $0.rows.isEmpty }
    }

    /// Names the row with the command line.
    static let repeatLabel = "command"

    /// All that is needed to repeat the run.
    static func description(_ run: RunDescription, claims: Int) -> Section {
        var rows: [[Cell]] = [
            [.code("as of"), .date(run.asOf)], [.code("claims"), .number(claims)],
            [.code("audit"), .code(run.version)], [.code("OpenSSL"), .code(run.openSSL)],
        ]
        rows += run.inputs.map { [.code("input"), .text(ExactText($0))] }
        rows += run.roots.map { [.code("trust anchor (SHA-256)"), .code($0)] }
        if let policy = run.policy {
            rows.append([.code("policy"), .text(ExactText(policy.file))])
            rows.append([.code("policy (SHA-256)"), .code(policy.sha256)])
        } else {
            rows.append([.code("policy"), .code("standard")])
        }
        if let job = run.job {
            rows.append([.code("job"), .text(ExactText(job.file))])
            rows.append([.code("job (SHA-256)"), .code(job.sha256)])
        }
        if let baseline = run.baseline { rows.append([.code("compared with"), .text(ExactText(baseline))]) }
        rows.append([.code(repeatLabel), .text(ExactText(run.command))])
        return Section(
            "run", "This run", "The same inputs, policy, trust anchors and as-of give the same report.",
            columns: ["what", "value"], rows: rows)
    }

    private static func omissions(_ omissions: Omissions) -> Section {
        let skipped = omissions.skipped
        var rows: [[Cell]] = []
        if skipped.specialFiles > 0 {
            rows.append([.code("devices, FIFOs or sockets"), .number(skipped.specialFiles), .none])
        }
        if skipped.links > 0 {
            rows.append([.code("symbolic links to folders, or to nothing"), .number(skipped.links), .none])
        }
        for folder in skipped.unreadablePaths {
            rows.append([.code("folder that cannot be opened"), .number(1), .text(ExactText(folder))])
        }
        if skipped.unreadableFolders > skipped.unreadablePaths.count {
            let more = skipped.unreadableFolders - skipped.unreadablePaths.count
            rows.append([.code("more folders that cannot be opened"), .number(more), .none])
        }
        for column in omissions.unknownColumns {
            rows.append([.code("unknown column"), .none, .text(ExactText(column))])
        }
        return Section(
            "skipped", "Skipped", "What the inputs held that is no claim.", columns: ["what", "count", "name"],
            rows: rows)
    }
}
