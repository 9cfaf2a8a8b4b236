public import Encodings

/// One occurrence of a rule on one subject.
public struct Finding: Sendable {
    public var severity: Severity
    /// The rule's place in ``RuleBook/rules``.
    public var rule: Int
    /// `source:…`, `receipt:…` (SHA-256 of the content), `transaction:…` (the original transaction's id), `device:…` or
    /// `account:…`.
    public var subject: ExactText
    /// The claims, devices and accounts that it is about.
    public var involved: Involved
    public var evidence: String

    public var ruleID: ExactText { RuleBook.rules[rule].documentation.id }

    public init(severity: Severity, rule: Int, subject: ExactText, involved: Involved, evidence: String) {
        self.severity = severity
        self.rule = rule
        self.subject = subject
        self.involved = involved
        self.evidence = evidence
    }
}
