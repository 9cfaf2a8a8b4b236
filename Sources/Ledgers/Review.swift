public import Encodings
public import Engine
public import Rules
import SQLite

/// A review of one finding, a row of the table `review`. A finding can have several; the last one applies.
public struct Review: Sendable, Equatable {
    public let rule: ExactText
    public let subject: ExactText
    public private(set) var decision: ReviewDecision
    /// The severity that the finding had, and the number of its events.
    private(set) var severity: Severity
    private(set) var events: Int64
    /// The last run in the ledger.
    private(set) var run: Int64

    init(of finding: StoredFinding, after run: Int64, _ decision: ReviewDecision) {
        rule = finding.rule
        subject = finding.subject
        severity = finding.severity
        events = max(finding.events.most, finding.events.last)
        self.run = run
        self.decision = decision
    }

    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&severity)
        try coder.signed(&events)
        try coder.signed(&run)
        try coder.place(of: &decision.disposition)
        try coder.instant(&decision.at)
        try coder.string(&decision.by)
        try coder.string(&decision.note)
        var bits = try coder.beginBits()
        try coder.instant(&decision.until, &bits)
        coder.end(bits)
    }

    /// Adds it to the reviews.
    func write(to connection: Connection) throws(LedgerError) {
        let statement = try Statement(connection, "INSERT INTO review(subject, rule, record) VALUES(?1, ?2, ?3)")
        statement.bind(texts: subject.text, rule.text)
        statement.bind(record.span, at: 3)
        try statement.run()
    }
}

extension Review: LedgerRow {
    static var source: String { "subject, rule, record FROM review" }
    static var noun: String { "a review" }

    init(_ row: Statement, probably known: FindingRow?) {
        subject = ExactText(row.text(0))
        rule = ExactText(row.text(1))
        severity = .info
        events = 0
        run = 0
        decision = ReviewDecision(.watch, at: Instant(milliseconds: 0), by: "")
    }
}

extension StoredFinding {
    /// The status at a reference time, if this is the last review.
    func status(after review: Review, asOf: Instant) -> FindingStatus {
        if let until = review.decision.until, asOf >= until { return .open }
        let isAboutMore = isAboutMore && lastRun > review.run
        return isAboutMore || max(events.most, events.last) > review.events || severity > review.severity
            ? .reopened : FindingStatus(review.decision.disposition)
    }
}

/// The last reviews of findings, for one run.
final class ReviewedFindings {
    private let asOf: Instant
    /// The reviews; `nil` if the ledger has none, to save the lookups.
    private let last: Review.Rows?
    private let meetings: Statement
    private let connection: Connection

    init(_ connection: Connection, asOf: Instant) throws(LedgerError) {
        self.asOf = asOf
        isEmpty = try connection.number("SELECT 1 FROM review LIMIT 1") == nil
        last =
            isEmpty
            ? nil : try Review.Rows(connection, "WHERE subject=?1 AND rule=?2 ORDER BY id DESC")
        meetings = try Statement(
            connection, "SELECT runs FROM claim JOIN meeting ON meeting.claim=claim.id WHERE claim.\"case\"=?1")
        self.connection = connection
    }

    /// Whether nothing was ever reviewed.
    let isEmpty: Bool

    /// Returns the status of a finding of this run, or of an earlier one.
    func status(of finding: StoredFinding) throws(LedgerError) -> FindingStatus {
        try lastReview(of: finding.rule, finding.subject).map { finding.status(after: $0, asOf: asOf) } ?? .open
    }

    /// Returns the last review of a finding, even if it no longer holds.
    func lastReview(of rule: ExactText, _ subject: ExactText) throws(LedgerError) -> Review? {
        try last?.first(subject, rule)
    }

    /// Returns whether a finding was reviewed and has since gained a case that the reviewer had not seen. Another
    /// presentation of a case is nothing new.
    ///
    /// - Parameter cases: returns the first 64 bits of the ids of its cases.
    func isAboutMore(_ rule: ExactText, _ subject: ExactText, cases: () -> [UInt64]) throws(LedgerError) -> Bool {
        // A finding about one case has no other. A claim by itself may have no key, and then it is not stored.
        guard subject.rest(behind: "claim:") == nil, let review = try lastReview(of: rule, subject) else {
            return false
        }
        for id in cases() {
            meetings.bind(Unsigned.stored(id), at: 1)
            defer { meetings.reset() }
            var isSeen = false
            while !isSeen, try meetings.step() {
                isSeen = try MeetingTable.runs(meetings.bytes(0), connection).began(by: review.run)
            }
            guard isSeen else { return true }
        }
        return false
    }
}

/// A finding in a ledger, with its last review.
public struct ReviewedFinding: Sendable {
    public let name: FindingName
    public let severity: Severity
    public let confidence: Confidence
    /// The last decision; `nil` if it was never reviewed.
    public let decision: ReviewDecision?
    /// The earlier decisions, oldest first.
    public let earlier: [ReviewDecision]
    /// The status after the last run.
    public let status: FindingStatus
}

extension LedgerHistory {
    /// Returns all reviews, oldest first.
    public func reviews() throws(LedgerError) -> [Review] {
        let rows = try Review.Rows(connection, "ORDER BY id")
        var reviews: [Review] = []
        while let review = try rows.next() { reviews.append(review) }
        return reviews
    }

    /// Calls a body with each finding, by subject and rule: its name, its last review, and its status after the last run.
    public func forEachFinding(_ body: (ReviewedFinding) throws -> Void) throws {
        let asOf = runs.last?.asOf ?? Instant(milliseconds: .min)
        let reviews = Dictionary(grouping: try reviews(), by: \.name)
        let rows = try StoredFinding.Rows(connection, "ORDER BY subject, rule")
        while let finding = try rows.next() {
            let decided = reviews[finding.name] ?? []
            try body(
                ReviewedFinding(
                    name: finding.name, severity: finding.severity, confidence: finding.confidence,
                    decision: decided.last?.decision, earlier: decided.dropLast().map(\.decision),
                    status: decided.last.map { finding.status(after: $0, asOf: asOf) } ?? .open))
        }
    }
}
