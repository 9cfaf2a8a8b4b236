public import Encodings

/// What a person reads about a rule: in `audit rules`, in reports, in `docs/rules.md`.
public struct RuleDocumentation: Sendable {
    /// Names the rule in reports and policies, and never changes.
    public let id: ExactText
    public let title: String
    public let severity: Severity
    /// Other severities that the rule gives by itself, each with its case: `critical` “for Xcode's receipts”.
    public let exceptions: [SeverityException]
    /// What raises it, in a sentence.
    public let raisedWhen: String
    /// Why it matters.
    public let why: String
    /// False positives: what honest people do that looks the same.
    public let whenWrong: String
    public let whatToDo: String
    /// The numbers that a policy may change.
    public let limits: [RuleLimit]

    public struct SeverityException: Sendable {
        public let severity: Severity
        public let condition: String

        public init(_ severity: Severity, _ condition: String) {
            self.severity = severity
            self.condition = condition
        }
    }

    public init(
        id: ExactText, title: String, severity: Severity, exceptions: [SeverityException] = [],
        raisedWhen: String, why: String, whenWrong: String, whatToDo: String, limits: [RuleLimit] = []
    ) {
        self.id = id
        self.title = title
        self.severity = severity
        self.exceptions = exceptions
        self.raisedWhen = raisedWhen
        self.why = why
        self.whenWrong = whenWrong
        self.whatToDo = whatToDo
        self.limits = limits
    }
}
