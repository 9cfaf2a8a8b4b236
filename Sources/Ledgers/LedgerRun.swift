public import Encodings
public import Engine
public import Rules
import SQLite

/// A committed run in a ledger, and its row in the table `run`.
public struct LedgerRun: Sendable, Equatable {
    /// The run's number, counting up from 1; 0 until the run is committed. No number is used twice.
    public internal(set) var id: Int64 = 0
    /// The run's reference time.
    public var asOf: Instant
    public var inputs: [String]
    public var claims: Int
    public var valid: Int
    /// The number of claims that are not valid, for any reason.
    public var invalid: Int { claims - valid }
    /// The number of findings by severity.
    public internal(set) var findings: [Severity: Int] = [:]
    /// The number of claims with a device.
    public internal(set) var withDevice = 0
    /// The earliest presentation date among its claims.
    public internal(set) var firstPresented: Instant?
    /// The apps of its claims.
    public internal(set) var apps: [ExactText] = []
    /// The exit code of the run.
    public internal(set) var exitCode = 0
    /// The reasons for exit code 3, as sentences.
    public internal(set) var complaints: [String] = []
    /// What the run is doubtful about; nothing if it has been accepted.
    public internal(set) var doubt = RunDoubt()
    /// The paths of its reports.
    public internal(set) var reports: [String] = []
    /// The hashes of its messages that are no reasons for 3.
    var told: [UInt64] = []
    /// The origin of the ledger.
    var origin = LedgerOrigin(trustAnchors: [], pseudonymKey: nil)

    public init(asOf: Instant, inputs: [String], claims: Int, valid: Int) {
        self.asOf = asOf
        self.inputs = inputs
        self.claims = claims
        self.valid = valid
    }

    fileprivate mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.instant(&asOf)
        try coder.strings(&inputs)
        try coder.count(&claims)
        try coder.count(&valid)
        try coder.count(&withDevice)
        var bits = try coder.beginBits()
        try coder.instant(&firstPresented, &bits)
        coder.end(bits)
        try coder.texts(&apps)
        try coder.count(&exitCode)
        try coder.strings(&complaints)
        try coder.bool(&doubt.isAboutAll)
        var doubtful = doubt.apps.sorted()
        try coder.texts(&doubtful)
        doubt.apps = Set(doubtful)
        try coder.strings(&reports)
        try coder.list(&told, of: 0) { (hash, coder) throws(Coder.Failure) in try coder.number(&hash) }
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
public struct FailedRun: Sendable, Equatable {
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

    fileprivate mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
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
        lastID = max(
            try connection.number("SELECT seq FROM sqlite_sequence WHERE name='run'") ?? 0,
            try connection.number("SELECT max(id) FROM run") ?? 0)
        let rows = try Statement(connection, "SELECT id, record FROM run ORDER BY id")
        while try rows.step() {
            guard take(rows) else { throw .damaged(path: connection.name, reason: "a run cannot be read") }
        }
    }

    /// Adds the run of a row; false if it cannot be read.
    private mutating func take(_ row: Statement) -> Bool {
        let id = row.number(0)
        let record = row.bytes(1)
        guard let isFailure = record.first.map({ $0 != 0 }) else { return false }
        let (fields, unknown) = (record.span.extracting(1...), Instant(milliseconds: 0))
        do throws(RecordError) {
            if isFailure {
                let unread = FailedRun(at: unknown, asOf: unknown, reason: "")
                let run = try RecordReader.read(fields, unread) { (run, fields) throws(RecordError) in
                    try run.code(&fields)
                }
                failures.append((id, run))
            } else {
                let unread = LedgerRun(asOf: unknown, inputs: [], claims: 0, valid: 0)
                var run = try RecordReader.read(fields, unread) { (run, fields) throws(RecordError) in
                    try run.code(&fields)
                }
                run.id = id
                runs.append(run)
            }
        } catch {
            return false
        }
        return true
    }

    /// Adds a run, or replaces its row.
    static func write(_ run: LedgerRun, to connection: Connection) throws(LedgerError) {
        var (run, record) = (run, RecordWriter())
        record.bytes = [0]
        run.code(&record)
        try write(record, id: run.id, to: connection)
    }

    /// Adds a failed run, under the number that it would have had, and deletes excess ones.
    func add(_ failure: FailedRun, to connection: Connection) throws(LedgerError) {
        var (failure, record) = (failure, RecordWriter())
        record.bytes = [1]
        failure.code(&record)
        try Self.write(record, id: lastID + 1, to: connection)
        try connection.run("DELETE FROM run WHERE id=?1", for: failures.dropLast(Self.keptFailures - 1)) {
            $1.bind($0.id, at: 1)
        }
    }

    private static func write(_ record: RecordWriter, id: Int64, to connection: Connection) throws(LedgerError) {
        let statement = try Statement(connection, "INSERT OR REPLACE INTO run(id, record) VALUES(?1, ?2)")
        statement.bind(id, at: 1)
        statement.bind(record.bytes.span, at: 2)
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
