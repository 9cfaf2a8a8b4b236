public import Encodings
public import Engine
public import Rules
import SQLite

/// The history of earlier runs, which a run reads and extends: `--state FILE`.
///
/// It stores bytes under keys and knows nothing about receipts. A run changes a copy, which takes the ledger's place when
/// its reports are in place: a run that fails, or ends before ``publish()``, changes nothing. Anybody who can write the
/// file is trusted, because its digest has no key (``LedgerExposure``). The file should be on a local disk: locks do not
/// work on every network.
///
/// There is one writer, on one thread.
public final class Ledger: History {
    private let change: LedgerChange
    var connection: Connection { change.connection }
    private let origin: LedgerOrigin
    private let asOf: Instant
    public let run: Int64
    public var doubt = RunDoubt()
    private let findings: FindingWriter
    private let meetings: MeetingTable
    private let addClaim: Statement
    private let setFirstRun: Statement
    private let addKey: Statement
    private let addStatement: Statement
    /// The size of the committed ledger in bytes; `nil` before.
    private var size: Int?
    /// The first error. After it nothing more is written.
    private var failure: LedgerError?

    /// Opens or creates a ledger, locks it and checks each of its bits. If it is damaged, the run goes on from the
    /// previous one (``restored``).
    ///
    /// Missing folders are created, and only the owner can read a new file.
    ///
    /// - Parameters:
    ///   - asOf: the run's reference time.
    ///   - rewritesHistory: whether the run may set an earlier first-seen date than the ledger has.
    public init(
        _ path: String, origin: LedgerOrigin, runAt asOf: Instant, rewritesHistory: Bool = false
    ) throws(LedgerError) {
        change = try LedgerChange(path, isRun: true)
        self.origin = origin
        self.asOf = asOf
        let runs = change.runs.runs
        if let difference = runs.last?.origin.difference(to: origin) { throw .otherOrigin(path: path, difference) }
        hasFewerAnchors = runs.last.map { $0.origin.trustAnchors != origin.trustAnchors } ?? false
        run = change.runs.lastID + 1
        let connection = change.connection
        meetings = try MeetingTable(connection)
        addClaim = try Statement(connection, "INSERT INTO claim(id, run, \"case\", record) VALUES(?1, ?2, ?3, ?4)")
        setFirstRun = try Statement(connection, "UPDATE claim SET run=?2 WHERE id=?1")
        addKey = try Statement(connection, "INSERT OR IGNORE INTO observation(key, claim) VALUES(?1, ?2)")
        addStatement = try Statement(connection, "INSERT INTO statement(claim, run, record) VALUES(?1, ?2, ?3)")
        findings = try FindingWriter(connection, run: run, asOf: asOf, after: runs)
        findings.rewritesHistory = rewritesHistory
    }

    /// A sentence about the damage of the ledger, and the previous one from which this run goes on; `nil` if it is
    /// sound.
    public var restored: String? { change.restored }

    /// A sentence about the damage of the previous ledger, if the ledger itself is sound; `nil` if both are.
    public var damageOfPrevious: String? { change.damageOfPrevious }

    /// The kind of network file system that it is on; `nil` on a local one.
    public var network: String? { change.network }

    /// A sentence that the file was empty; `nil` if it was not.
    public var wasEmpty: String? { change.wasEmpty }

    /// Whether its earlier runs had fewer trust anchors than this one.
    public let hasFewerAnchors: Bool

    public var isEmpty: Bool { change.runs.runs.isEmpty }

    /// The last run.
    public var lastRun: LedgerRun? { change.runs.runs.last }

    /// Opens another, read-only connection, which sees the ledger before this run. A new ledger has none.
    public func reader() throws -> sending any HistoryReader {
        guard let base = change.base else { throw ended }
        return try LedgerReader(Connection(base, name: connection.name, .reading), change.runs.runs)
    }
}

extension Ledger {
    public func put(claim id: UInt64, ofCase caseID: UInt64?, isDoubtful: Bool, record: Span<UInt8>) throws {
        try write { () throws(LedgerError) in
            let id = Unsigned.stored(id)
            var runs = try meetings.runs(of: id)
            let before = runs.first
            runs.add(run, after: previous, isDoubtful: isDoubtful)
            try meetings.put(runs, of: id)
            if before == 0 {
                addClaim.bind(numbers: id, runs.first)
                if let caseID {
                    addClaim.bind(Unsigned.stored(caseID), at: 3)
                } else {
                    addClaim.bindNull(at: 3)
                }
                addClaim.bind(record, at: 4)
                try addClaim.run()
            } else if runs.first != before {
                setFirstRun.bind(numbers: id, runs.first)
                try setFirstRun.run()
            }
        }
    }

    /// The number of the last run.
    private var previous: Int64 { change.runs.runs.last?.id ?? 0 }

    public func put(_ key: EarlierKey) throws {
        try write { () throws(LedgerError) in
            addKey.bind(numbers: Unsigned.stored(key.hash), Unsigned.stored(key.claim))
            try addKey.run()
        }
    }

    public func put(statement record: Span<UInt8>, by claim: UInt64) throws {
        try write { () throws(LedgerError) in
            addStatement.bind(numbers: Unsigned.stored(claim), run)
            addStatement.bind(record, at: 3)
            try addStatement.run()
        }
    }

    public var hasReviews: Bool { !findings.reviewed.isEmpty }

    public func isAboutMore(rule: ExactText, subject: ExactText, cases: () -> [UInt64]) throws -> Bool {
        try findings.reviewed.isAboutMore(rule, subject, cases: cases)
    }

    public func status(of finding: FindingRow) throws -> FindingStatus { try findings.status(of: finding) }

    public func forEachReview(_ body: (FindingName, ReviewDecision) throws -> Void) throws {
        let rows = try Review.Rows(connection, "ORDER BY id")
        while let review = try rows.next() { try body(review.name, review.decision) }
    }

    public func ruleQuality() throws -> [RuleQuality] { try RuleQuality.all(connection) }

    public func record(_ finding: FindingRow) throws -> FindingHistoryEntry {
        try write { () throws(LedgerError) in try findings.record(finding, isDoubtful: doubt.covers(finding.bundleID)) }
    }

    public func findingsOfLastRun(limit: Int) throws -> [EarlierFinding] {
        try findings.findingsOfLastRun(limit: limit)
    }

    public func subjectsOfSevereFindings(by rules: [ExactText], limit: Int) throws -> [ExactText] {
        try findings.subjectsOfSevere(by: rules, limit: limit)
    }

    public func countNewFindingsOfOtherRuns() throws -> [Severity: Int] { try findings.countNewOfOtherRuns() }

    public var firstPresented: Instant? { change.runs.runs.firstPresented }
    public var apps: Set<ExactText> { change.runs.runs.apps }
    /// The hashes of the messages of the last run that were no reasons for 3.
    public var toldByLastRun: Set<UInt64> { Set(change.runs.runs.last?.told ?? []) }
    public var lastAsOf: Instant? { change.runs.runs.lastAsOf }

    /// Completes the ledger with everything that the run wrote, flushed to disk. It is not yet in its place.
    ///
    /// - Returns: its size in bytes.
    @discardableResult
    public func commit(_ outcome: RunOutcome) throws -> Int {
        try write { () throws(LedgerError) in
            var run = LedgerRun(outcome)
            run.id = self.run
            run.findings = findings.counts
            run.origin = origin
            run.doubt = doubt
            try RunTable.write(run, to: connection)
            let size = try change.finish()
            self.size = size
            return size
        }
    }

    /// Puts the committed ledger in its place; the one before the run stays beside it.
    public func publish() throws {
        if let failure { throw failure }
        guard size != nil else { throw ended }
        try change.publish()
    }

    /// Writes, unless the run has ended or failed.
    @inline(__always)
    private func write<Result>(_ body: () throws(LedgerError) -> Result) throws(LedgerError) -> Result {
        if let failure { throw failure }
        guard size == nil else { throw ended }
        do { return try body() } catch {
            failure = error
            throw error
        }
    }

    private var ended: LedgerError {
        .storage(path: connection.name, reason: "a run writes between its beginning and its end")
    }
}
