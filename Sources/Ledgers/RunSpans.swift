import Engine
import SQLite

/// The runs that met a claim or made a finding.
struct RunSpans: StoredRecord {
    /// Consecutive runs.
    typealias Span = (since: Int64, last: Int64)

    /// The runs that count, oldest first. Their number grows with the changes, not with the number of runs.
    private(set) var spans: [Span] = []
    /// The doubtful runs, which count for nothing until they are accepted.
    private(set) var asides: [Int64] = []

    /// The first run that counts, or else the first doubtful one with its sign changed; 0 if there is none.
    var first: Int64 { spans.first?.since ?? -(asides.first ?? 0) }
    /// The last run that counts; 0 if there is none.
    var last: Int64 { spans.last?.last ?? 0 }
    /// Whether any run counts.
    var counts: Bool { !spans.isEmpty }
    var isEmpty: Bool { spans.isEmpty && asides.isEmpty }

    func contains(where condition: (Span) -> Bool) -> Bool { spans.last(where: condition) != nil }
    func contains(_ run: Int64) -> Bool { contains { $0.since <= run && run <= $0.last } }
    /// Whether any run up to one had it, doubtful or not.
    func began(by run: Int64) -> Bool { (spans.first?.since ?? .max) <= run || (asides.first ?? .max) <= run }

    /// Adds a run, the latest, once.
    ///
    /// - Parameter previous: the run before it.
    mutating func add(_ run: Int64, after previous: Int64, isDoubtful: Bool) {
        if isDoubtful {
            if asides.last != run { asides.append(run) }
        } else if last == previous, !spans.isEmpty {
            spans[spans.count - 1].last = run
        } else if last != run {
            spans.append((run, run))
        }
    }

    /// Removes a run.
    ///
    /// - Parameter others: all other runs, in order.
    mutating func remove(_ run: Int64, of others: [Int64]) {
        asides.removeAll { $0 == run }
        spans = spans.flatMap { span -> [Span] in
            guard span.since <= run, run <= span.last else { return [span] }
            // Failed runs between two others had nothing.
            return [span.since...max(span.since, run - 1), min(run + 1, span.last)...span.last].compactMap { part in
                let found = others.filter { part.contains($0) }
                return found.first.flatMap { first in found.last.map { (first, $0) } }
            }
        }
    }

    /// Lets a doubtful run count.
    ///
    /// - Returns: whether it had it.
    mutating func accept(_ run: Int64) -> Bool {
        guard let place = asides.firstIndex(of: run) else { return false }
        asides.remove(at: place)
        spans.insert((run, run), at: spans.firstIndex { run < $0.since } ?? spans.count)
        return true
    }

    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.list(&spans, of: (0, 0)) { (span, coder) throws(Coder.Failure) in
            try coder.signed(&span.since)
            try coder.signed(&span.last)
        }
        try coder.list(&asides, of: 0) { (run, coder) throws(Coder.Failure) in try coder.signed(&run) }
        if isEmpty { try coder.reject() }
    }
}

/// The table `meeting`: the runs that met each claim.
struct MeetingTable {
    private let connection: Connection
    private let known: Statement
    private let write: Statement

    init(_ connection: Connection) throws(LedgerError) {
        self.connection = connection
        known = try Statement(connection, "SELECT runs FROM meeting WHERE claim=?1")
        write = try Statement(connection, "INSERT OR REPLACE INTO meeting(claim, runs) VALUES(?1, ?2)")
    }

    /// Returns the runs that met a claim; none for a new one.
    func runs(of claim: Int64) throws(LedgerError) -> RunSpans {
        known.bind(claim, at: 1)
        defer { known.reset() }
        guard try known.step() else { return RunSpans() }
        return try Self.runs(known.bytes(0), connection)
    }

    func put(_ runs: RunSpans, of claim: Int64) throws(LedgerError) {
        write.bind(claim, at: 1)
        write.bind(runs.record.span, at: 2)
        try write.run()
    }

    static func runs(_ record: [UInt8], _ connection: Connection) throws(LedgerError) -> RunSpans {
        var runs = RunSpans()
        try runs.take(record, "the runs of a claim", connection)
        return runs
    }

    /// Changes the runs of all claims that a run met, and of the claims the first run that counts.
    ///
    /// - Parameter change: returns whether anything changed.
    /// - Returns: the claims that no run met any more.
    func change(_ change: (inout RunSpans) -> Bool) throws(LedgerError) -> [Int64] {
        let first = try Statement(connection, "UPDATE claim SET run=?2 WHERE id=?1")
        var gone: [Int64] = []
        try connection.forEachRow(of: "SELECT claim, runs FROM meeting") { (row: Statement) throws(LedgerError) in
            let claim = row.number(0)
            var runs = try Self.runs(row.bytes(1), connection)
            let before = runs.first
            guard change(&runs) else { return }
            if runs.isEmpty { return gone.append(claim) }
            try put(runs, of: claim)
            guard runs.first != before else { return }
            first.bind(numbers: claim, runs.first)
            try first.run()
        }
        return gone
    }
}
