public import Encodings
public import Rules

/// What makes two findings of any runs the same: their rule and their subject.
public struct FindingName: Hashable, Sendable {
    public let rule: ExactText
    public let subject: ExactText

    public init(rule: ExactText, subject: ExactText) { (self.rule, self.subject) = (rule, subject) }
}

/// A person's decision about a finding.
public enum Disposition: String, CaseIterable, Sendable {
    /// It is fraud.
    case fraud
    /// It is a false alarm, or allowed.
    case ok
    /// It is undecided.
    case watch
}

/// The status of a finding: its last review, unless something happened that the reviewer could not know.
public enum FindingStatus: String, CaseIterable, Comparable, Sendable {
    case open, fraud, ok, watch
    /// After the review, the finding gained a claim or events, or its severity rose.
    case reopened

    /// Whether a review closed it, so that it raises no alarm.
    public var isClosed: Bool { self == .fraud || self == .ok }

    /// Sorts by urgency for a reviewer; the most urgent is the greatest.
    public static func < (a: FindingStatus, b: FindingStatus) -> Bool { a.urgency < b.urgency }

    private var urgency: Int {
        switch self {
        case .ok: 0
        case .fraud: 1
        case .watch: 2
        case .open: 3
        case .reopened: 4
        }
    }

    package init(_ disposition: Disposition) {
        switch disposition {
        case .fraud: self = .fraud
        case .ok: self = .ok
        case .watch: self = .watch
        }
    }
}

/// A reviewer's decision about findings.
public struct ReviewDecision: Sendable, Hashable {
    public var disposition: Disposition
    /// When it was made, by the clock.
    public var at: Instant
    /// Who made it.
    public var by: String
    public var note = ""
    /// The reference time at which it expires.
    public var until: Instant?

    public init(_ disposition: Disposition, at: Instant, by: String) {
        self.disposition = disposition
        self.at = at
        self.by = by
    }
}

/// The history of a finding of this run.
public struct FindingHistoryEntry: Sendable, Equatable {
    /// The reference time of the first run that found it.
    public var firstSeen: Instant
    /// Whether no run with an earlier reference day (UTC) found it, or none with as many events. A second run
    /// for the same day gives the same result. `nil` if the run is doubtful about it.
    public var isNew: Bool?
    /// Its status according to reviews.
    public var status: FindingStatus
    /// Its last review, even if that no longer holds.
    public var decision: ReviewDecision?

    public init(firstSeen: Instant, isNew: Bool?, status: FindingStatus = .open, decision: ReviewDecision? = nil) {
        self.firstSeen = firstSeen
        self.isNew = isNew
        self.status = status
        self.decision = decision
    }
}

/// A finding of earlier runs.
public struct EarlierFinding: Sendable, Equatable {
    public let rule: ExactText
    public let subject: ExactText
    /// The severity in the last run that found it.
    public let severity: Severity
    /// The confidence in that run.
    public let confidence: Confidence
    /// The evidence in that run. Empty after a deletion, or if many findings are requested.
    public var evidence: String
    /// The reference time of the first run that found it.
    public let firstSeen: Instant

    public init(
        rule: ExactText, subject: ExactText, severity: Severity, confidence: Confidence, evidence: String,
        firstSeen: Instant
    ) {
        self.rule = rule
        self.subject = subject
        self.severity = severity
        self.confidence = confidence
        self.evidence = evidence
        self.firstSeen = firstSeen
    }

    /// Sorts the worst first, then by rule and subject.
    package static func isWorse(_ a: EarlierFinding, _ b: EarlierFinding) -> Bool {
        (b.severity, a.rule, a.subject) < (a.severity, b.rule, b.subject)
    }
}
