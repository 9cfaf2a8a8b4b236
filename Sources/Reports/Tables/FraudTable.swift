public import Encodings
public import Rules

/// The table `fraud`: one row per finding, worst first.
public enum FraudTable {
    public static let columns = [
        "severity", "rule", "subject", "claims", "devices", "accounts", "sources", "evidence", "first_seen",
    ]

    /// The columns if an earlier report is there to compare with.
    public static let columnsWithBaseline = columns + ["change"]

    package static func write(_ finding: ComparedFinding, withChange: Bool, to row: inout some CellWriter) {
        let found = finding.finding
        row.code(found.severity.code)
        // Of what is resolved, whatever the earlier report's file says; an id of ours is written alike.
        row.text(found.rule)
        row.text(found.subject)
        row.number(found.claims)
        row.number(found.devices)
        row.number(found.accounts)
        row.text(found.sources.map(\.text).joined(separator: ";"))
        row.text(found.evidence)
        row.date(finding.firstSeen)
        if withChange { row.code(finding.change?.rawValue ?? "") }
    }
}

/// A finding, and what an earlier report says of it.
public struct ComparedFinding: Sendable {
    public var finding: FindingRow
    /// When it was found first, if that is known.
    public var firstSeen: Instant?
    /// `nil` if there is nothing to compare with.
    public var change: Change?

    public init(_ finding: FindingRow, firstSeen: Instant? = nil, change: Change? = nil) {
        self.finding = finding
        self.firstSeen = firstSeen
        self.change = change
    }

    public enum Change: String, Sendable {
        case new
        case persisting
        case resolved
    }
}
