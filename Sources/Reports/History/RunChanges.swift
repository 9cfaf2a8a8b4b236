public import Ledgers
import Rules

/// Two runs of a ledger and what changed from one to the other, the worst first.
public struct RunChanges {
    public let earlier: LedgerRun
    public let later: LedgerRun
    let new: [LedgerFinding]
    let persisting: [LedgerFinding]
    let resolved: [LedgerFinding]

    public init(from earlier: LedgerRun, to later: LedgerRun, _ changes: LedgerChanges) {
        self.earlier = earlier
        self.later = later
        new = Self.sorted(changes.new)
        persisting = Self.sorted(changes.persisting)
        resolved = Self.sorted(changes.resolved)
    }

    private static func sorted(_ findings: [LedgerFinding]) -> [LedgerFinding] {
        findings.sorted { ($1.severity, $0.rule, $0.subject) < ($0.severity, $1.rule, $1.subject) }
    }
}

extension LedgerFinding {
    /// The word of its severity.
    var severityCode: String { LedgerRun.code(of: severity) }
}

extension LedgerRun {
    /// The word of a severity as a ledger has it: by number.
    static func code(of severity: UInt8) -> String { Severity(rawValue: severity)?.code ?? String(severity) }

    func count(of severity: Severity) -> Int { findings[severity.rawValue, default: 0] }
}
