public import Encodings

/// What a person decided about a finding.
public enum Disposition: String, CaseIterable, Sendable {
    /// It is fraud.
    case fraud
    /// It is a false alarm, or is allowed.
    case ok
    /// It is neither yet.
    case watch

    /// The number in a ledger.
    fileprivate var number: Int64 {
        switch self {
        case .fraud: 1
        case .ok: 2
        case .watch: 3
        }
    }

    fileprivate init?(number: Int64) {
        guard let found = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = found
    }
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

    init(_ disposition: Disposition) {
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

/// A review of one finding. A finding can have several; the last one holds.
public struct Review: Sendable, Equatable {
    public let rule: ExactText
    public let subject: ExactText
    public let decision: ReviewDecision
    /// The severity that the finding had, and the number of its events.
    let severity: Int64
    let events: Int64
    /// The last run in the ledger.
    let run: Int64

    static let columns = "id, rule, subject, severity, events, run, disposition, at, until, reviewer, note, seal"

    init(of finding: StoredFinding, after run: Int64, _ decision: ReviewDecision) {
        rule = finding.rule
        subject = finding.subject
        severity = finding.severity
        events = max(finding.events.most, finding.events.last)
        self.run = run
        self.decision = decision
    }

    /// Reads a row of all columns.
    init(_ row: Statement, of ledger: Connection) throws(LedgerError) {
        rule = ExactText(row.text(1))
        subject = ExactText(row.text(2))
        (severity, events, run) = (row.number(3), row.number(4), row.number(5))
        guard let disposition = Disposition(number: row.number(6)) else { throw Self.damaged(ledger) }
        var decision = ReviewDecision(disposition, at: Instant(milliseconds: row.number(7)), by: row.text(9))
        decision.until = row.number(8) == .max ? nil : Instant(milliseconds: row.number(8))
        decision.note = row.text(10)
        self.decision = decision
        guard row.number(11) == checksum(row.number(0)) else { throw Self.damaged(ledger) }
    }

    private static func damaged(_ ledger: Connection) -> LedgerError {
        .damaged(path: ledger.name, reason: "checksum mismatch in a review")
    }

    private var numbers: [Int64] {
        [
            severity, events, run, decision.disposition.number, decision.at.milliseconds,
            decision.until?.milliseconds ?? .max,
        ]
    }

    private func checksum(_ id: Int64) -> Int64 {
        var sum = Checksum().adding(id)
        for text in [rule.text, subject.text, decision.by, decision.note] { sum = sum.adding(text) }
        return numbers.reduce(sum) { $0.adding($1) }.value
    }

    /// Adds it to the reviews.
    fileprivate func write(to connection: Connection) throws(LedgerError) {
        let id = try connection.number("SELECT coalesce(max(id), 0) + 1 FROM review") ?? 1
        let statement = try Statement(
            connection,
            "INSERT INTO review(\(Self.columns)) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)")
        statement.bind(id, at: 1)
        statement.bind(rule.text, at: 2)
        statement.bind(subject.text, at: 3)
        for (index, number) in numbers.enumerated() { statement.bind(number, at: Int32(index + 4)) }
        statement.bind(decision.by, at: 10)
        statement.bind(decision.note, at: 11)
        statement.bind(checksum(id), at: 12)
        try statement.run()
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
    private let connection: Connection
    private let asOf: Instant
    private let claimTiers: [Int64]
    /// `nil` if the ledger has no reviews: then nothing is looked up.
    private let last: Statement?
    private let firstRun: Statement

    /// - Parameter tiers: those with the claims of earlier runs.
    init(_ connection: Connection, asOf: Instant, _ tiers: TierList) throws(LedgerError) {
        self.connection = connection
        self.asOf = asOf
        claimTiers = tiers.numbers(.claim)
        lastNumber = try connection.number("SELECT max(id) FROM review") ?? 0
        last =
            lastNumber > 0
            ? try Statement(
                connection,
                "SELECT \(Review.columns) FROM review WHERE rule=?1 AND subject=?2 ORDER BY id DESC LIMIT 1") : nil
        firstRun = try Statement(connection, "SELECT run FROM claim WHERE tier=?1 AND id=?2")
    }

    /// The number of the last review; 0 if there is none.
    let lastNumber: Int64

    /// Returns the status of a finding of this run, or of an earlier one.
    func status(of finding: StoredFinding) throws(LedgerError) -> FindingStatus {
        try lastReview(of: finding).map { finding.status(after: $0, asOf: asOf) } ?? .open
    }

    /// Returns the last review of a finding, whether or not it still holds.
    func lastReview(of finding: StoredFinding) throws(LedgerError) -> Review? {
        try lastReview(finding.rule, finding.subject)
    }

    /// Whether a finding was reviewed, and one of its claims was first met in a later run than the reviewer saw.
    ///
    /// - Parameter claims: the numbers of the claims that it is about.
    func isAboutMore(_ rule: ExactText, _ subject: ExactText, claims: () -> [UInt64]) throws(LedgerError) -> Bool {
        // A finding about one claim has no other; a claim by itself may be under no key, and then is not stored.
        guard subject.rest(behind: "claim:") == nil, let review = try lastReview(rule, subject) else { return false }
        for claim in claims() where try !wasMet(claim, by: review.run) { return true }
        return false
    }

    private func lastReview(_ rule: ExactText, _ subject: ExactText) throws(LedgerError) -> Review? {
        guard let last else { return nil }
        last.bind(rule.text, at: 1)
        last.bind(subject.text, at: 2)
        defer { last.reset() }
        return try last.step() ? try Review(last, of: connection) : nil
    }

    /// Whether one of the runs up to this one had a claim.
    private func wasMet(_ claim: UInt64, by run: Int64) throws(LedgerError) -> Bool {
        for tier in claimTiers {
            firstRun.bind(tier, at: 1)
            firstRun.bind(Unsigned.stored(claim), at: 2)
            defer { firstRun.reset() }
            if try firstRun.step(), firstRun.number(0) <= run { return true }
        }
        return false
    }
}

/// A finding in a ledger, and what its last review says of it.
public struct ReviewedFinding: Sendable {
    public struct Name: Hashable, Sendable {
        public let rule: ExactText
        public let subject: ExactText

        init(_ rule: ExactText, _ subject: ExactText) { (self.rule, self.subject) = (rule, subject) }
    }

    public let name: Name
    /// `nil` if it was never reviewed.
    public let decision: ReviewDecision?
    /// What was decided before, oldest first.
    public let earlier: [ReviewDecision]
    /// After the last run.
    public let status: FindingStatus
}

/// Findings that a review is about.
public enum ReviewTarget: Sendable, Equatable {
    case subject(ExactText)
    case finding(rule: ExactText, subject: ExactText)
}

extension Ledger {
    /// Records a decision about each finding that is meant and that the ledger has.
    ///
    /// - Parameters:
    ///   - path: the path of an existing ledger that nobody has open.
    ///   - decisions: what was decided about what, in the order in which it was.
    /// - Returns: for each decision, how many findings it is about.
    public static func review(
        _ decisions: [(target: ReviewTarget, decision: ReviewDecision)], in path: String
    ) throws(LedgerError) -> [Int] {
        let files = try LedgerFiles.open(existing: path)
        let connection = files.connection
        let bySubject = try Statement(
            connection, "SELECT \(FindingTable.latest.columns) FROM finding WHERE subject=?1 ORDER BY rule")
        let byName = try FindingTable.latest.selection(connection)
        var counts: [Int] = []
        for (target, decision) in decisions {
            let statement: Statement
            switch target {
            case .subject(let subject):
                statement = bySubject
                statement.bind(subject.text, at: 1)
            case .finding(let rule, let subject):
                statement = byName
                statement.bind(rule.text, at: 1)
                statement.bind(subject.text, at: 2)
            }
            var found: [StoredFinding] = []
            while try statement.step() { found.append(try StoredFinding(statement, from: .latest, of: connection)) }
            statement.reset()
            for finding in found {
                try Review(of: finding, after: files.state.lastRun, decision).write(to: connection)
            }
            counts.append(found.count)
        }
        try connection.execute("COMMIT")
        connection.truncateLog()
        return counts
    }
}

extension LedgerHistory {
    /// Returns all reviews, oldest first.
    public func reviews() throws(LedgerError) -> [Review] {
        let rows = try Statement(connection, "SELECT \(Review.columns) FROM review ORDER BY id")
        var reviews: [Review] = []
        while try rows.step() { reviews.append(try Review(rows, of: connection)) }
        return reviews
    }

    /// Calls a body with each finding, by rule and subject: its name, its last review, and its status after the last run.
    public func forEachFinding(_ body: (ReviewedFinding) throws -> Void) throws {
        let asOf = runs.last?.asOf ?? Instant(milliseconds: .min)
        let reviews = Dictionary(grouping: try reviews()) { ReviewedFinding.Name($0.rule, $0.subject) }
        let rows = try Statement(
            connection, "SELECT \(FindingTable.latest.columns) FROM finding ORDER BY rule, subject")
        while try rows.step() {
            let finding = try StoredFinding(rows, from: .latest, of: connection)
            let name = ReviewedFinding.Name(finding.rule, finding.subject)
            let decided = reviews[name] ?? []
            try body(
                ReviewedFinding(
                    name: name, decision: decided.last?.decision, earlier: decided.dropLast().map(\.decision),
                    status: decided.last.map { finding.status(after: $0, asOf: asOf) } ?? .open))
        }
    }
}
