import Checks
import Encodings
import Engine
import Rules
import SQLite

/// A finding in a ledger, and the runs that found it: a row of the table `finding`.
struct StoredFinding {
    let rule: ExactText
    let subject: ExactText
    /// The evidence in the last of the runs; empty after a deletion (``Ledger/forget(_:in:)``).
    var evidence: String
    var severity: Severity
    var confidence: Confidence
    /// The reference time of the first run that ever found it.
    var firstSeen: Instant
    /// The number of its events.
    var events: KnownEvents
    /// Whether it has gained claims since its last review.
    var isAboutMore = false
    /// The ring that it belonged to in the last of the runs, by the ring's finding.
    var ring: FindingID?
    /// The runs that found it, at least one.
    var runs = RunSpans()

    init(_ finding: FindingRow, at asOf: Instant) {
        rule = finding.rule
        subject = finding.subject
        evidence = finding.evidence
        severity = finding.severity
        confidence = finding.confidence
        firstSeen = asOf
        events = KnownEvents(day: asOf.day, last: Int64(finding.events))
        isAboutMore = finding.isAboutMore
        ring = finding.ring
    }

    /// The last run that counts; 0 if only doubtful ones found it.
    var lastRun: Int64 { runs.last }

    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&severity)
        try coder.code(&confidence)
        try coder.instant(&firstSeen)
        for path in [\KnownEvents.most, \.day, \.before, \.last] { try coder.signed(&events[keyPath: path]) }
        try coder.bool(&isAboutMore)
        var isInRing = ring != nil
        try coder.bool(&isInRing)
        var id = ring ?? .none
        if isInRing { try coder.identity(&id) }
        ring = isInRing ? id : nil
        try runs.code(&coder)
    }
}

extension StoredFinding: LedgerRow {
    static var source: String { "subject, rule, record, evidence FROM finding" }
    static var noun: String { "a finding" }

    init(_ row: Statement, probably known: FindingRow?) {
        subject = ExactText(row.text(0, known: known?.subject.text ?? ""))
        rule = ExactText(row.text(1, known: known?.rule.text ?? ""))
        evidence = row.text(3, known: known?.evidence ?? "")
        severity = .info
        confidence = .likely
        firstSeen = Instant(milliseconds: 0)
        events = KnownEvents()
    }

    static func insertion(_ connection: Connection) throws(LedgerError) -> Statement {
        try Statement(
            connection,
            "INSERT OR REPLACE INTO finding(subject, rule, last_run, record, evidence) VALUES(?1, ?2, ?3, ?4, ?5)")
    }

    func write(by insertion: Statement) throws(LedgerError) {
        insertion.bind(texts: subject.text, rule.text)
        insertion.bind(lastRun, at: 3)
        insertion.bind(record.span, at: 4)
        insertion.bind(evidence, at: 5)
        try insertion.run()
    }
}

/// The number of events of a finding: the distinct transactions concerned. Only published runs count, and whether a run
/// is published is known when the next one begins.
struct KnownEvents: Equatable {
    /// The maximum in any published run before the last one.
    var most: Int64 = 0
    /// The latest day, in days since 1970 (UTC), of the reference time of a run that found it.
    var day: Int64 = 0
    /// The maximum in any published run before the last one with an earlier day.
    var before: Int64 = 0
    /// The number in the last run that found it, published or not.
    var last: Int64 = 0

    /// Counts the last run, which was published.
    ///
    /// - Parameter day: its reference day.
    mutating func countLast(on day: Int64) {
        most = max(most, last)
        if day < self.day { before = max(before, last) }
    }

    /// Begins another run.
    ///
    /// - Parameter day: its reference day.
    mutating func begin(on day: Int64) {
        last = 0
        guard day > self.day else { return }
        before = most
        self.day = day
    }
}
