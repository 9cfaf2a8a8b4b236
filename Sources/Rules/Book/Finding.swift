public import Encodings

/// One occurrence of a rule on one subject.
public struct Finding: Sendable {
    public var severity: Severity
    /// The rule's index in ``RuleBook/rules``.
    public var rule: Int
    /// The subject, by its ``SubjectKind``: `claim:…`, `receipt:…` (SHA-256 of the content), `transaction:…` (the
    /// original transaction's id), `device:…`, `account:…`, `app:…` (bundle id and original purchase date) or
    /// `person:…` (`appTransactionId`).
    public var subject: ExactText
    /// The claims, devices and accounts involved.
    public var involved: Participants
    public var evidence: String
    public var confidence: Confidence
    /// The number of distinct transactions concerned, for rules that count them; otherwise 1.
    public var events: Int
    /// The transactions at stake.
    package var stake = Stake()
    /// The number of the ``ClaimWave`` that it is part of if there is such a wave; 0 if it is part of none.
    package var wave: UInt64 = 0
    /// Whether these are of the product that the claim asks for. They then replace those of other parts of the finding.
    package var isOfAsked = false

    public var ruleID: ExactText { RuleBook.ids[rule] }

    public init(
        severity: Severity, rule: Int, subject: ExactText, involved: Participants, evidence: String,
        confidence: Confidence = .likely, events: Int = 1
    ) {
        self.severity = severity
        self.rule = rule
        self.subject = subject
        self.involved = involved
        self.evidence = evidence
        self.confidence = confidence
        self.events = events
    }

    /// Lowers the severity and confidence of a finding in a wave.
    package mutating func lowerInWave() {
        severity = min(.medium, severity)
        confidence = .doubtful
    }

    /// Adds another finding of the same rule about the same subject, without its evidence.
    package mutating func add(_ other: Finding) {
        severity = max(severity, other.severity)
        // The most confident part decides.
        confidence = max(confidence, other.confidence)
        involved.add(other.involved)
        wave = max(wave, other.wave)
        if isOfAsked == other.isOfAsked {
            stake.add(other.stake)
        } else if other.isOfAsked {
            stake = other.stake
            isOfAsked = true
        }
        // Claims with equal content are one event, and so is a finding of a rule that does not count transactions.
        events =
            RuleBook.countsStake(rule)
            ? max(1, stake.count)
            : RuleBook.addsEvents(rule) ? events.addingSaturating(other.events) : max(events, other.events)
    }
}
