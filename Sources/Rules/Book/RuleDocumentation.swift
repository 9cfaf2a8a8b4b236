public import Encodings

/// The text of a rule, as `audit rules`, reports and `docs/rules.md` show it.
public struct RuleDocumentation: Sendable {
    /// The rule's name in reports and policies. It never changes.
    public let id: ExactText
    public let title: String
    public let severity: Severity
    /// Other severities that the rule itself gives, each with its case: `critical` “for Xcode's receipts”.
    public let exceptions: [SeverityException]
    /// The confidence of a finding, unless the rule gives another one.
    public let confidence: Confidence
    /// The condition that raises the rule, as the end of “raised when …”, without a full stop.
    public let raisedWhen: String
    /// What the condition means in detail: sentences for a list.
    public let details: [String]
    /// Why it matters.
    public let why: String
    /// The false positives: what honest people do that looks the same.
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

    /// - Parameter details: what the condition means in detail; each line is an item of a list.
    public init(
        id: ExactText, title: String, severity: Severity, exceptions: [SeverityException] = [],
        confidence: Confidence = .likely, raisedWhen: String, details: String = "", why: String, whenWrong: String,
        whatToDo: String, limits: [RuleLimit] = []
    ) {
        self.id = id
        self.title = title
        self.severity = severity
        self.exceptions = exceptions
        self.confidence = confidence
        self.raisedWhen = raisedWhen
        self.details = details.split(separator: "\n").map { String($0) }
        self.why = why
        self.whenWrong = whenWrong
        self.whatToDo = whatToDo
        self.limits = limits
    }
}

/// A number in a rule that a policy may change.
public struct RuleLimit: Hashable, Sendable {
    /// The key in a policy, unit included: `minutes`, `devices`.
    public let name: ExactText
    public let standard: Int
    /// The values that a policy may set.
    public let range: ClosedRange<Int>
    /// What the number does, as the end of “raised when …”.
    public let meaning: String

    public init(_ name: ExactText, standard: Int, in range: ClosedRange<Int> = 0...1_000_000, _ meaning: String) {
        self.name = name
        self.standard = standard
        self.range = range
        self.meaning = meaning
    }
}

/// How certain a finding is. The least certain sorts first.
public enum Confidence: UInt8, CaseIterable, Comparable, Codable, Sendable {
    /// A known cause of false alarms applies, or cannot be ruled out. Such findings come last in queues.
    case doubtful
    case possible
    case likely

    /// The word in reports.
    public var code: String {
        switch self {
        case .doubtful: "doubtful"
        case .possible: "possible"
        case .likely: "likely"
        }
    }

    /// Makes a confidence from its word in reports; `nil` for any other text.
    public init?(code: ExactText) {
        guard let confidence = Self.allCases.first(where: { ExactText($0.code) == code }) else { return nil }
        self = confidence
    }

    public static func < (a: Confidence, b: Confidence) -> Bool { a.rawValue < b.rawValue }
}

/// How serious a finding is.
public enum Severity: UInt8, CaseIterable, Comparable, Codable, Sendable {
    case info
    case low
    case medium
    case high
    case critical

    /// The word in reports and policies.
    public var code: String {
        switch self {
        case .info: "info"
        case .low: "low"
        case .medium: "medium"
        case .high: "high"
        case .critical: "critical"
        }
    }

    /// Makes a severity from its word in reports and policies; `nil` for any other text.
    public init?(code: ExactText) {
        guard let severity = Self.allCases.first(where: { ExactText($0.code) == code }) else { return nil }
        self = severity
    }

    public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }
}
