public import Encodings

/// A row of the table `fraud`.
public struct FindingRow: Sendable, Equatable {
    public var severity: Severity
    /// The rule's id.
    public var rule: ExactText
    public var subject: ExactText
    /// How many distinct claims, devices and accounts are involved.
    public var claims: Int
    public var devices: Int
    public var accounts: Int
    /// The first ten.
    public var sources: [ExactText]
    public var evidence: String

    public init(
        severity: Severity, rule: ExactText, subject: ExactText, claims: Int, devices: Int, accounts: Int,
        sources: [ExactText], evidence: String
    ) {
        self.severity = severity
        self.rule = rule
        self.subject = subject
        self.claims = claims
        self.devices = devices
        self.accounts = accounts
        self.sources = sources
        self.evidence = evidence
    }
}
