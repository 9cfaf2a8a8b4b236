public import Encodings
public import Rules

/// What a person decided about a finding.
public enum Disposition: String, CaseIterable, Sendable {
    /// It is fraud.
    case fraud
    /// It is a false alarm, or is allowed.
    case ok
    /// It is neither yet.
    case watch
}

/// The status of a finding: what its last review says, as long as nothing happened that the reviewer could not know.
public enum FindingStatus: String, CaseIterable, Comparable, Sendable {
    case open, fraud, ok, watch
    /// After the review a claim of the finding was first met, its events became more, or its severity rose.
    case reopened

    /// Whether a review ended it: it counts for no alarm.
    public var isClosed: Bool { self == .fraud || self == .ok }

    /// What matters most to somebody who has to decide is the greatest.
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

/// What a reviewer says about findings.
public struct ReviewDecision: Sendable, Equatable {
    public var disposition: Disposition
    /// When it was made, by the clock.
    public var at: Instant
    /// Who made it.
    public var by: String
    public var note = ""
    /// The reference time from which on it does not hold any more.
    public var until: Instant?

    public init(_ disposition: Disposition, at: Instant, by: String) {
        self.disposition = disposition
        self.at = at
        self.by = by
    }
}

/// What earlier runs know of a finding of this run.
public struct FindingHistoryEntry: Sendable, Equatable {
    /// The reference time of the run that found it first.
    public var firstSeen: Instant
    /// Whether no published run with an earlier day of its reference time (UTC) found it, or none with as many events.
    /// A second run for the same day says the same.
    public var isNew: Bool
    /// What reviews say of it.
    public var status: FindingStatus
    /// Its last review, whether or not that still holds.
    public var decision: ReviewDecision?

    public init(firstSeen: Instant, isNew: Bool, status: FindingStatus = .open, decision: ReviewDecision? = nil) {
        (self.firstSeen, self.isNew, self.status, self.decision) = (firstSeen, isNew, status, decision)
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
    /// The evidence in that run. Empty once something was forgotten, or where many findings are asked for.
    public var evidence: String
    /// The reference time of the first run that found it.
    public let firstSeen: Instant

    public init(
        rule: ExactText, subject: ExactText, severity: Severity, confidence: Confidence, evidence: String,
        firstSeen: Instant
    ) {
        (self.rule, self.subject, self.severity, self.confidence) = (rule, subject, severity, confidence)
        (self.evidence, self.firstSeen) = (evidence, firstSeen)
    }
}
