public import Encodings

/// The cache and history of earlier runs, which a run reads and extends: `--state FILE`.
///
/// It stores bytes under keys and knows nothing of receipts. All that a run adds is one transaction: a run that fails,
/// or ends without ``commit(_:)``, changes nothing. Whoever can write the file is trusted, as its checksums have no key
/// (``LedgerExposure``). The file should be on a local disk: SQLite's locks do not work on every network.
///
/// There is one writer, which is used on one thread.
public final class Ledger {
    private let files: LedgerFiles
    var connection: Connection { files.connection }
    /// The tiers as they were before this run.
    var tiers: TierList { files.state.tiers }
    private let origin: LedgerOrigin
    /// This run's number.
    public let run: Int64
    private let blocks: BlockWriter
    private let rows: TieredRowWriter
    private let findings: FindingWriter
    /// This run, once it is committed.
    private var committed: LedgerRun?
    /// The first error. After it SQLite may have rolled back the transaction, so nothing more is written.
    private var failure: LedgerError?

    /// Opens a ledger or creates it, locks it, checks it and migrates it to the current version.
    ///
    /// Missing folders are created, and only the owner can read a new file. A ledger of up to 32 MB, and one whose last
    /// run was killed, is checked for consistency as a whole; each row that is read is checked in any case.
    ///
    /// - Parameter asOf: the run's reference time.
    public init(_ path: String, origin: LedgerOrigin, runAt asOf: Instant) throws(LedgerError) {
        files = try LedgerFiles.open(path, origin)
        self.origin = origin
        let earlier = try LedgerMeta(files.connection).origin()
        hasFewerAnchors = earlier.map { $0.trustAnchors != origin.trustAnchors } ?? false
        run = files.state.lastRun + 1
        blocks = try BlockWriter(files.connection, run: run)
        rows = try TieredRowWriter(files.connection, run: run, after: files.state.tiers)
        findings = try FindingWriter(files.connection, run: run, asOf: asOf, after: files.state)
    }

    /// A sentence that says what was damaged and where it was moved, or that the file was empty; `nil` if nothing was wrong.
    public var setAside: String? { files.setAside }

    /// Whether its earlier runs had fewer trust anchors than this one.
    public let hasFewerAnchors: Bool

    /// Whether no run was ever committed.
    public var isNew: Bool { files.state.lastRun == 0 }

    /// The number of observations of earlier runs.
    public var observationCount: Int { Int(files.state.observations) }

    /// The last run that was committed, whether or not its reports were published.
    public var lastRun: LedgerRun? { files.state.runs.last }

    /// Opens another, read-only connection, which sees what was committed before this run. There is none to a ledger that
    /// was made for this run: nobody reads that before the run is committed.
    public func reader() throws(LedgerError) -> sending LedgerReader {
        try LedgerReader(files.connection.path, name: files.connection.name, keeping: files.connection.lock)
    }

    /// Renames a damaged ledger, so that the next run creates another. The ledger and its readers must be closed.
    ///
    /// - Returns: its new name.
    public static func setAside(_ path: String) throws(LedgerError) -> String { try LedgerFiles.setAside(path) }
}

extension Ledger {
    /// Adds a block of audited claims.
    ///
    /// - Parameters:
    ///   - key: 32 bytes that identify all that was audited. The output of a block with the same key is replaced.
    ///   - statusKey: 32 bytes by which the block can be found without reading its files.
    ///   - output: the results of the audit.
    public func add(block key: Span<UInt8>, statusKey: Span<UInt8>?, output: Span<UInt8>) throws(LedgerError) {
        try write { () throws(LedgerError) in try blocks.add(key, statusKey, output) }
    }

    /// Records that this run used a block, perhaps under another status key.
    public func use(block id: Int64, statusKey: Span<UInt8>?) throws(LedgerError) {
        try write { () throws(LedgerError) in try blocks.use(id, statusKey) }
    }

    /// Adds the verdict on a signature, by its digest of 32 bytes. An existing row stays.
    ///
    /// Digests should come in ascending order, in which they are stored.
    public func add(signature digest: Span<UInt8>, verdict: Span<UInt8>) throws(LedgerError) {
        try write { () throws(LedgerError) in try rows.add(signature: digest, verdict) }
    }

    /// Adds a claim, preferably in ascending order. An existing row stays.
    public func add(claim id: UInt64, record: Span<UInt8>) throws(LedgerError) {
        try write { () throws(LedgerError) in try rows.add(claim: id, record) }
    }

    /// Adds an observation of a claim under a key, preferably in ascending order. An existing row stays.
    ///
    /// It is fastest after the claim itself: a new claim has no earlier observations.
    public func add(observation key: UInt64, claim: UInt64) throws(LedgerError) {
        try write { () throws(LedgerError) in try rows.add(observation: key, claim) }
    }

    /// Adds what a token of evidence says that no earlier run had.
    ///
    /// - Parameters:
    ///   - key: a hash of what it is about. They should come in ascending order, in which they are stored.
    ///   - claim: the number under which the token itself is stored.
    public func add(statement key: UInt64, record: Span<UInt8>, by claim: UInt64) throws(LedgerError) {
        try write { () throws(LedgerError) in try rows.add(statement: key, record, by: claim) }
    }

    /// The number of the last review of a finding, greater than that of any before; 0 if there is none.
    public var lastReview: Int64 { findings.reviewed.lastNumber }

    /// Whether a finding was reviewed, and one of its claims was first met in a later run than the reviewer saw.
    ///
    /// - Parameter claims: the numbers of the claims that it is about; asked for only if it was reviewed.
    public func isAboutMore(
        rule: ExactText, subject: ExactText, claims: () -> [UInt64]
    ) throws(LedgerError) -> Bool {
        try findings.reviewed.isAboutMore(rule, subject, claims: claims)
    }

    /// Records a finding of this run, once.
    ///
    /// - Returns: what earlier runs and reviews know of it.
    public func record(_ finding: NamedFinding) throws(LedgerError) -> FindingHistoryEntry {
        try write { () throws(LedgerError) in try findings.record(finding) }
    }

    /// Calls a body with each finding that the last published run for an earlier day (UTC, of its reference time) made and
    /// this run has not made, as far as it is recorded: worst first, then by rule and subject.
    public func forEachFindingOfLastRun(_ body: (LedgerFinding) throws -> Void) throws {
        try findings.forEachOfLastRun(body)
    }

    /// Counts by severity the findings that are new on the day of this run's reference time and that this run has not
    /// made, as far as it is recorded.
    public func countNewFindingsOfOtherRuns() throws(LedgerError) -> [UInt8: Int] {
        try findings.countNewOfOtherRuns()
    }

    /// Commits all that the run wrote, flushed to disk. Its reports are not yet published.
    ///
    /// Blocks that the last 14 runs did not use are deleted.
    public func commit(_ run: LedgerRun) throws(LedgerError) {
        try write { () throws(LedgerError) in
            try blocks.deleteUnused()
            var run = run
            run.id = self.run
            run.isPublished = false
            run.findings = findings.counts
            try run.write(to: connection)
            let meta = LedgerMeta(connection)
            try rows.finish().write(to: meta)
            try meta.set(origin)
            try meta.set("last_run", [self.run])
            try meta.set("observations", [files.state.observations + rows.addedObservations])
            try connection.execute("COMMIT")
            committed = run
        }
        // What is committed stays so if this fails: the next run tries it again.
        try? connection.share()
        connection.truncateLog()
    }

    /// Records that the run's reports are in place.
    public func publish() throws(LedgerError) {
        if let failure { throw failure }
        guard var run = committed else { throw ended }
        run.isPublished = true
        do { try run.write(to: connection) } catch {
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
