public import Encodings
public import Engine
public import Rules

/// The history of earlier runs, which a run reads and extends: `--state FILE`.
///
/// It stores bytes under keys and knows nothing about receipts. Everything that a run adds is one transaction: a run
/// that fails, or ends without ``commit(_:)``, changes nothing. Anybody who can write the file is trusted, because its
/// checksums have no key (``LedgerExposure``). The file should be on a local disk: SQLite's locks do not work on every
/// network.
///
/// There is one writer, on one thread.
public final class Ledger: History {
    private let files: LedgerFiles
    var connection: Connection { files.connection }
    private let origin: LedgerOrigin
    private let asOf: Instant
    public let run: Int64
    private let losses = Losses()
    private let findings: FindingWriter
    private let claimInsertion: Statement
    private let keyInsertion: Statement
    private let statementInsertion: Statement
    private var lastStatement: Int64
    /// This run, after its commit.
    private var committed: LedgerRun?
    /// The first error. After it SQLite may have rolled back the transaction, so nothing more is written.
    private var failure: LedgerError?

    /// Opens or creates a ledger, locks it and checks it. A damaged ledger is replaced (``setAside``).
    ///
    /// Missing folders are created, and only the owner can read a new file. A ledger of up to 32 MB, and one whose last
    /// run was killed, is checked as a whole, row by row; in others each row is checked when it is read.
    ///
    /// - Parameters:
    ///   - asOf: the run's reference time.
    ///   - rewritesHistory: whether the run may set an earlier first-seen date than the ledger has.
    public init(
        _ path: String, origin: LedgerOrigin, runAt asOf: Instant, rewritesHistory: Bool = false
    ) throws(LedgerError) {
        files = try LedgerFiles.open(path, origin, asOf: asOf)
        (self.origin, self.asOf) = (origin, asOf)
        let runs = files.runs.runs
        hasFewerAnchors = runs.last.map { $0.origin.trustAnchors != origin.trustAnchors } ?? false
        run = files.runs.lastID + 1
        for id in files.runs.damaged { losses.add(.runs, id) }
        let connection = files.connection
        if files.isChecked { try losses.find(in: connection) }
        findings = try FindingWriter(connection, losses, run: run, asOf: asOf, after: runs)
        findings.rewritesHistory = rewritesHistory
        claimInsertion = try Statement(connection, "INSERT OR IGNORE INTO claim(id, run, record) VALUES(?1, ?2, ?3)")
        keyInsertion = try Statement(
            connection, "INSERT OR REPLACE INTO observation(key, claim, checksum) VALUES(?1, ?2, ?3)")
        statementInsertion = try Statement(
            connection, "INSERT INTO statement(id, claim, run, record) VALUES(?1, ?2, ?3, ?4)")
        lastStatement = try connection.number("SELECT max(id) FROM statement") ?? 0
    }

    /// A sentence about what was damaged and where it was moved, or that the file was empty; `nil` if nothing was
    /// wrong.
    public var setAside: String? { files.setAside }

    /// A description of the damaged data that was left out; empty if there was none.
    public var lost: String { losses.text }

    /// Whether it was damaged and replaced, and rows were lost.
    public var hasLostRows: Bool { files.hasLostRows }

    /// Whether its earlier runs had fewer trust anchors than this one.
    public let hasFewerAnchors: Bool

    public var isEmpty: Bool { files.runs.runs.isEmpty }

    /// The last committed run, even if its reports were not published.
    public var lastRun: LedgerRun? { files.runs.runs.last }

    /// Opens another, read-only connection, which sees what was committed before this run. A ledger created by this run
    /// has none, because nobody reads it before the run is committed.
    public func reader() throws -> sending any HistoryReader {
        try LedgerReader(
            connection.path, name: connection.name, keeping: connection.lock, losses, after: files.runs.runs)
    }

    /// Sets a damaged ledger aside, and makes a new one from its readable parts. The ledger and its readers must be
    /// closed.
    ///
    /// - Parameters:
    ///   - asOf: the reference time of the run that found the damage.
    ///   - reason: what was damaged, for `audit history`.
    /// - Returns: a sentence about where it was moved and what was kept, and whether no row is missing.
    public static func restore(
        _ path: String, asOf: Instant, reason: String
    ) throws(LedgerError) -> (text: String, isWhole: Bool) {
        try LedgerFiles.restore(path, asOf: asOf, reason)
    }
}

extension Ledger {
    public func put(claim id: UInt64, record: Span<UInt8>) throws {
        try write { () throws(LedgerError) in
            let id = Unsigned.stored(id)
            claimInsertion.bind(numbers: id, run)
            let stored = Checksum(id, run).appended(to: record)
            claimInsertion.bind(stored.span, at: 3)
            try claimInsertion.run()
        }
    }

    public func put(_ key: EarlierKey) throws {
        try write { () throws(LedgerError) in
            let (hash, claim) = (Unsigned.stored(key.hash), Unsigned.stored(key.claim))
            keyInsertion.bind(numbers: hash, claim, Checksum(hash, claim).short)
            try keyInsertion.run()
        }
    }

    public func put(statement record: Span<UInt8>, by claim: UInt64) throws {
        try write { () throws(LedgerError) in
            lastStatement += 1
            let claim = Unsigned.stored(claim)
            statementInsertion.bind(numbers: lastStatement, claim, run)
            let stored = Checksum(lastStatement, claim, run).appended(to: record)
            statementInsertion.bind(stored.span, at: 4)
            try statementInsertion.run()
        }
    }

    public var hasReviews: Bool { !findings.reviewed.isEmpty }

    public func isAboutMore(rule: ExactText, subject: ExactText, claims: () -> [UInt64]) throws -> Bool {
        try findings.reviewed.isAboutMore(rule, subject, claims: claims)
    }

    public func status(of finding: FindingRow) throws -> FindingStatus { try findings.status(of: finding) }

    public func forEachReview(_ body: (RecordedReview) throws -> Void) throws {
        let rows = try Review.Rows(connection, losses, "ORDER BY id")
        while let review = try rows.next() {
            try body(RecordedReview(rule: review.rule, subject: review.subject, review.decision))
        }
    }

    public func ruleQuality() throws -> [RuleQuality] { try RuleQuality.all(connection, losses) }

    public func record(_ finding: FindingRow) throws -> FindingHistoryEntry {
        try write { () throws(LedgerError) in try findings.record(finding) }
    }

    public func findingsOfLastRun(limit: Int) throws -> [EarlierFinding] {
        try findings.findingsOfLastRun(limit: limit)
    }

    public func subjectsOfSevereFindings(by rules: [ExactText], limit: Int) throws -> [ExactText] {
        try findings.subjectsOfSevere(by: rules, limit: limit)
    }

    public func countNewFindingsOfOtherRuns() throws -> [Severity: Int] { try findings.countNewOfOtherRuns() }

    public func devicesOfLastRun(of inputs: [String]) -> DeviceShare? {
        let names = inputs.map(\.withoutNumbers)
        let last = files.runs.runs.last { run in
            let others = run.inputs.map(\.withoutNumbers)
            return run.asOf.day < asOf.day && !run.keepsOnlyEvidence && others.count == names.count
                && zip(others, names).allSatisfy { $0.isSamePath(as: $1) }
        }
        return last.map { DeviceShare(run: $0.id, claims: $0.claims, withDevice: $0.withDevice) }
    }

    public var firstPresented: Instant? { files.runs.runs.firstPresented }
    public var apps: Set<ExactText> { files.runs.runs.apps }

    public func discard() throws {
        try write { () throws(LedgerError) in try connection.execute("ROLLBACK; BEGIN IMMEDIATE") }
    }

    /// Commits everything that the run wrote, flushed to disk. Its reports are not yet published.
    public func commit(_ outcome: RunOutcome) throws {
        try write { () throws(LedgerError) in
            var run = LedgerRun(
                asOf: outcome.asOf, inputs: outcome.inputs, claims: outcome.claims, valid: outcome.valid)
            run.id = self.run
            run.findings = findings.counts
            run.origin = origin
            run.lost = losses.text
            (run.withDevice, run.exitCode) = (outcome.withDevice, outcome.exitCode)
            (run.firstPresented, run.apps) = (outcome.firstPresented, outcome.apps)
            (run.complaints, run.keepsOnlyEvidence) = (outcome.complaints, outcome.keepsOnlyEvidence)
            try losses.delete(from: connection)
            try RunTable.write(run, to: connection)
            try connection.execute("COMMIT")
            committed = run
        }
        // The commit stands even if this fails: the next run tries again.
        try? connection.share()
        connection.truncateLog()
    }

    /// Records that the run's reports are in place.
    public func publish() throws {
        if let failure { throw failure }
        guard var run = committed else { throw ended }
        run.isPublished = true
        do { try RunTable.write(run, to: connection) } catch {
            failure = error
            throw error
        }
        committed = run
        connection.truncateLog()
    }

    /// Writes, unless the run has ended or failed.
    @inline(__always)
    private func write<Result>(_ body: () throws(LedgerError) -> Result) throws(LedgerError) -> Result {
        if let failure { throw failure }
        guard committed == nil, connection.isInTransaction else { throw ended }
        do { return try body() } catch {
            failure = error
            throw error
        }
    }

    private var ended: LedgerError {
        .storage(path: connection.name, reason: "a run writes between its beginning and its end")
    }
}

extension String {
    /// The path with a 9 for each number: daily exports are named by a date, a time or a number.
    fileprivate var withoutNumbers: String { replacing(/[0-9]+([-_.:T\/]?[0-9]+)*/) { _ in "9" } }

    /// Whether two paths may name one file: one of them may be relative.
    fileprivate func isSamePath(as other: String) -> Bool {
        self == other || hasSuffix("/" + other) || other.hasSuffix("/" + self)
    }
}
