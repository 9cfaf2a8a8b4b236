public import Encodings
public import Engine
public import Rules
import SQLite

/// A committed run in a ledger, and its row in the table `run`.
@dynamicMemberLookup
public struct LedgerRun: Sendable, Equatable {
    /// The run's number, counting up from 1; 0 until the run is committed. No number is used twice.
    public internal(set) var id: Int64 = 0
    private var outcome: RunOutcome
    /// The number of findings by severity.
    public internal(set) var findings: [Severity: Int] = [:]
    /// What the run is doubtful about; nothing if it has been accepted.
    public internal(set) var doubt = RunDoubt()
    /// The origin of the ledger.
    var origin = LedgerOrigin(trustAnchors: [], pseudonymKey: nil)

    init(_ outcome: RunOutcome) { self.outcome = outcome }

    public subscript<Value>(dynamicMember member: KeyPath<RunOutcome, Value>) -> Value { outcome[keyPath: member] }
}

extension LedgerRun: StoredRecord {
    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.instant(&outcome.asOf)
        try coder.strings(&outcome.inputs)
        try coder.count(&outcome.claims)
        try coder.count(&outcome.valid)
        try coder.count(&outcome.withDevice)
        var bits = try coder.beginBits()
        try coder.instant(&outcome.firstPresented, &bits)
        coder.end(bits)
        try coder.texts(&outcome.apps)
        try coder.count(&outcome.exitCode)
        try coder.strings(&outcome.complaints)
        try coder.bool(&doubt.isAboutAll)
        var doubtful = doubt.apps.sorted()
        try coder.texts(&doubtful)
        doubt.apps = Set(doubtful)
        try coder.strings(&outcome.reports)
        try coder.list(&outcome.told, of: 0) { (hash, coder) throws(Coder.Failure) in try coder.number(&hash) }
        try origin.code(&coder)
        var counts = findings.sorted { $0.key < $1.key }
        try coder.list(&counts, of: (.info, 0)) { (count, coder) throws(Coder.Failure) in
            try coder.code(&count.key)
            try coder.count(&count.value)
        }
        findings = Dictionary(counts.map { ($0.key, $0.value) }, uniquingKeysWith: +)
    }
}

extension [LedgerRun] {
    /// The earliest presentation date of a claim, without those of doubtful runs.
    var firstPresented: Instant? { lazy.filter { !$0.doubt.exists }.compactMap(\.firstPresented).min() }

    /// The apps of claims, without those that a run is doubtful about.
    var apps: Set<ExactText> {
        Set(lazy.flatMap { run in run.apps.filter { !run.doubt.covers($0) } })
    }

    /// The latest reference time of a run that counts.
    var lastAsOf: Instant? { lazy.filter { !$0.doubt.isAboutAll }.map(\.asOf).max() }
}

/// A failed run. The ledger has nothing else of it.
public struct FailedRun: Sendable, Equatable, StoredRecord {
    /// When it failed.
    public private(set) var at: Instant
    /// The run's reference time.
    public private(set) var asOf: Instant
    /// The reason, as in its log.
    public private(set) var reason: String

    /// - Parameter reason: its first 1,000 characters are kept.
    public init(at: Instant, asOf: Instant, reason: String) {
        self.at = at
        self.asOf = asOf
        self.reason = String(reason.prefix(1000))
    }

    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.instant(&at)
        try coder.instant(&asOf)
        try coder.string(&reason)
    }
}

/// The table `run`: a row for each committed or failed run.
struct RunTable {
    /// The maximum number of failed runs, the last ones.
    private static let keptFailures = 100

    /// The committed runs, oldest first.
    private(set) var runs: [LedgerRun] = []
    /// The failed runs, oldest first, with their numbers.
    private(set) var failures: [(id: Int64, run: FailedRun)] = []
    /// The number of the last run, even if its row is gone.
    let lastID: Int64

    init(_ connection: Connection) throws(LedgerError) {
        lastID = try connection.number("SELECT seq FROM sqlite_sequence WHERE name='run'") ?? 0
        let rows = try Statement(connection, "SELECT id, record FROM run ORDER BY id")
        let unknown = Instant(milliseconds: 0)
        while try rows.step() {
            let (id, record) = (rows.number(0), rows.bytes(1))
            let fields = Array(record.dropFirst())
            if record.first == Self.failure {
                var run = FailedRun(at: unknown, asOf: unknown, reason: "")
                try run.take(fields, "a run", connection)
                failures.append((id, run))
            } else {
                var run = LedgerRun(RunOutcome(asOf: unknown, inputs: [], claims: 0, valid: 0))
                try run.take(fields, "a run", connection)
                run.id = id
                runs.append(run)
            }
        }
    }

    /// The first byte of a record of a failed run; of another, it is 0.
    private static let failure: UInt8 = 1

    /// Adds a run, or replaces its row.
    static func write(_ run: LedgerRun, to connection: Connection) throws(LedgerError) {
        try write([0] + run.record, id: run.id, to: connection)
    }

    /// Adds a failed run, under the number that it would have had, and deletes excess ones.
    func add(_ failed: FailedRun, to connection: Connection) throws(LedgerError) {
        try Self.write([Self.failure] + failed.record, id: lastID + 1, to: connection)
        try connection.run("DELETE FROM run WHERE id=?1", for: failures.dropLast(Self.keptFailures - 1)) {
            $1.bind($0.id, at: 1)
        }
    }

    private static func write(_ record: [UInt8], id: Int64, to connection: Connection) throws(LedgerError) {
        let statement = try Statement(connection, "INSERT OR REPLACE INTO run(id, record) VALUES(?1, ?2)")
        statement.bind(id, at: 1)
        statement.bind(record.span, at: 2)
        try statement.run()
    }
}

extension Ledger {
    /// Records a failed run in an existing ledger that nobody has open.
    public static func record(_ failed: FailedRun, in path: String) throws(LedgerError) {
        let change = try LedgerChange(path)
        try change.runs.add(failed, to: change.connection)
        try change.finish()
        try change.publish()
    }
}
