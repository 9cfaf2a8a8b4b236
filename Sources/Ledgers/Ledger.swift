public import Encodings
private import Files

/// What a run remembers of the runs before it, and adds to: `--state FILE`. The one writer; for one thread.
///
/// A cache and a history. It keeps bytes under keys and knows nothing of receipts; whoever can write it is trusted, as its
/// checksums have no key (``LedgerExposure``). All that a run adds
/// is one transaction: a run that does not end, or ends without ``commit(_:)``, leaves everything as it was.
///
/// A ledger should be on a disk of this machine: SQLite's locks do not work on every network.
public final class Ledger {
    private let files: LedgerFiles
    var connection: Connection { files.connection }
    /// As they were before this run.
    var tiers: TierList { files.memory.tiers }
    private let origin: LedgerOrigin
    /// This run's number.
    private let run: Int64
    private let blocks: BlockWriter
    private let rows: RowWriter
    private let findings: FindingWriter
    /// This run, once it is committed.
    private var committed: LedgerRun?
    /// The first error. After it SQLite may have taken back what was written, and nothing more may be.
    private var failure: LedgerError?

    /// Opens a ledger or makes it, locks it, checks it and brings it up to date.
    ///
    /// Missing folders are made, and a new file is its owner's only. A ledger of up to 32 MB, and one whose last run was
    /// killed, is gone through once to see whether its tables hang together; whatever is read is checked in any case.
    ///
    /// - Parameter asOf: the time that the run is made for.
    public init(_ path: String, origin: LedgerOrigin, runAt asOf: Instant) throws(LedgerError) {
        files = try LedgerFiles.open(path, origin)
        self.origin = origin
        run = files.memory.lastRun + 1
        blocks = try BlockWriter(files.connection, run: run)
        rows = try RowWriter(files.connection, run: run, after: files.memory.tiers)
        findings = try FindingWriter(files.connection, run: run, asOf: asOf, after: files.memory.runs)
    }

    /// What was found damaged and where it was put, if anything was: a sentence for people.
    public var setAside: String? { files.setAside }

    /// Whether nothing is remembered.
    public var isNew: Bool { files.memory.lastRun == 0 }

    /// How many observations it has from earlier runs.
    public var observationCount: Int { Int(files.memory.observations) }

    /// The last run that was committed, whether or not its reports were put in place.
    public var lastRun: LedgerRun? { files.memory.runs.last }

    /// A read-only connection of its own, which sees what was committed before this run.
    public func reader() throws(LedgerError) -> sending LedgerReader {
        try LedgerReader(files.connection.path, name: files.connection.name, keeping: files.connection.lock)
    }

    /// Renames a damaged ledger, so that the next one to open it makes another.
    ///
    /// Nobody may have it open: a ledger and its readers must be gone first.
    ///
    /// - Returns: its new name.
    public static func setAside(_ path: String) throws(LedgerError) -> String { try LedgerFiles.setAside(path) }
}

extension Ledger {
    /// Adds a block that was judged.
    ///
    /// - Parameters:
    ///   - key: 32 bytes that stand for all that was judged. If it is there already, its output is replaced.
    ///   - statusKey: 32 bytes by which the block may be known again without being read.
    ///   - output: what came of it.
    public func add(block key: Span<UInt8>, statusKey: Span<UInt8>?, output: Span<UInt8>) throws(LedgerError) {
        try mayWrite()
        do { try blocks.add(key, statusKey, output) } catch { throw failed(error) }
    }

    /// Notes that a block was met again, perhaps under another status key.
    public func use(block id: Int64, statusKey: Span<UInt8>?) throws(LedgerError) {
        try mayWrite()
        do { try blocks.use(id, statusKey) } catch { throw failed(error) }
    }

    /// Adds what is known of a signature, by its digest of 32 bytes. One that is there already stays.
    ///
    /// Digests should come in ascending order, which is how they are stored.
    public func add(signature digest: Span<UInt8>, verdict: Span<UInt8>) throws(LedgerError) {
        try mayWrite()
        do { try rows.add(signature: digest, verdict) } catch { throw failed(error) }
    }

    /// Adds a claim, preferably in ascending order. One that is there already stays.
    public func add(claim id: UInt64, record: Span<UInt8>) throws(LedgerError) {
        try mayWrite()
        do { try rows.add(claim: id, record) } catch { throw failed(error) }
    }

    /// Adds that a claim was seen under a key, preferably in ascending order. One that is there already stays.
    ///
    /// It is fastest after the claim itself: a claim that is new has no earlier observations.
    public func add(observation key: UInt64, claim: UInt64) throws(LedgerError) {
        try mayWrite()
        do { try rows.add(observation: key, claim) } catch { throw failed(error) }
    }

    /// Notes a finding of this run.
    ///
    /// - Returns: when it was first found, and whether it is new: not found by any run that was published.
    public func note(
        finding rule: ExactText, subject: ExactText, severity: UInt8
    ) throws(LedgerError) -> (firstSeen: Instant, isNew: Bool) {
        try mayWrite()
        do { return try findings.note(rule, subject, severity) } catch { throw failed(error) }
    }
}

extension Ledger {
    /// Writes everything of the run, all or nothing, flushed to disk. Its reports are not yet in place.
    ///
    /// Blocks that the last 14 runs did not meet are dropped.
    public func commit(_ run: LedgerRun) throws(LedgerError) {
        try mayWrite()
        do {
            try blocks.dropUnused()
            var run = run
            run.id = self.run
            run.isPublished = false
            run.findings = findings.counts
            try RunTable(files.connection).put(run)
            let meta = LedgerMeta(files.connection)
            try rows.finish().write(to: meta)
            try meta.set(origin)
            try meta.set("last_run", self.run)
            try meta.set("observations", files.memory.observations + rows.addedObservations)
            try files.connection.execute("COMMIT")
            committed = run
        } catch { throw failed(error) }
        files.connection.shortenLog()
    }

    /// Says that the run's reports are in place.
    public func publish() throws(LedgerError) {
        if let failure { throw failure }
        guard var run = committed else { throw ended }
        do {
            run.isPublished = true
            try RunTable(files.connection).put(run)
            committed = run
        } catch { throw failed(error) }
        files.connection.shortenLog()
    }

    private func mayWrite() throws(LedgerError) {
        if let failure { throw failure }
        guard committed == nil, files.connection.isInTransaction else { throw ended }
    }

    private func failed(_ error: LedgerError) -> LedgerError {
        failure = error
        return error
    }

    private var ended: LedgerError {
        .storage(path: files.connection.name, reason: "a run writes between its beginning and its end")
    }
}
