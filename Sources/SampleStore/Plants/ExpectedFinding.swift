/// A finding that an audit of an export must report.
public struct ExpectedFinding: Sendable, Hashable, Codable {
    public enum Severity: String, CaseIterable, Codable, Sendable {
        case critical, high, medium, low
    }

    /// The rule by its id.
    public var rule: String
    public var severity: Severity
    /// `source:…`, `receipt:…`, `transaction:…`, `device:…` or `account:…`.
    public var subject: String
    /// Every claim that is involved, in claim order.
    public var sources: [String]
    /// How many distinct devices those claims name.
    public var devices: Int
    /// How many distinct accounts those claims name.
    public var accounts: Int

    public init(
        rule: String, severity: Severity, subject: String, sources: [String], devices: Int, accounts: Int
    ) {
        self.rule = rule
        self.severity = severity
        self.subject = subject
        self.sources = sources
        self.devices = devices
        self.accounts = accounts
    }

    /// The order of a report: the worst first, then by rule, then by subject.
    public static func isBefore(_ a: ExpectedFinding, _ b: ExpectedFinding) -> Bool {
        if a.severity != b.severity { return a.severity.rank < b.severity.rank }
        if a.rule != b.rule { return a.rule < b.rule }
        return a.subject.utf8.lexicographicallyPrecedes(b.subject.utf8)
    }
}

extension ExpectedFinding.Severity {
    var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
}
