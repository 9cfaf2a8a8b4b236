import Encodings

/// The runs that made the same findings as the run before each of them.
///
/// Such a run writes none of its findings: a row that the run before wrote, or stands for, is its own, too. So a night in
/// which nothing changed costs no write for each finding.
struct RepeatedRuns {
    /// How many runs in a row may write no findings: whoever reads a row goes through each of them.
    static let limit = 30

    private let runs: [Int64: LedgerRun]
    /// By the number of a run: those that repeated it, one after the other.
    private var repetitions: [Int64: [Repetition]] = [:]

    /// A run that repeated the one before.
    private struct Repetition {
        var run: Int64
        var asOf: Instant
        /// The day of the run before, if that was published.
        var publishedDay: Int64?
    }

    /// - Parameter runs: in ascending order.
    init(_ runs: [LedgerRun]) {
        self.runs = Dictionary(runs.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for run in runs.reversed() where run.repeatsLast {
            guard let last = self.runs[run.id - 1] else { continue }
            let first = Repetition(run: run.id, asOf: run.asOf, publishedDay: last.isPublished ? last.asOf.day : nil)
            repetitions[last.id] = [first] + (repetitions[run.id] ?? [])
        }
    }

    /// Whether there are any.
    var areAny: Bool { !repetitions.isEmpty }

    /// Returns the number of the run that wrote the findings of a run.
    func writer(of run: Int64) -> Int64 {
        var writer = run
        while runs[writer]?.repeatsLast == true { writer -= 1 }
        return writer
    }

    /// Returns the numbers of the runs whose findings were repeated, where any run that made them is for a day (UTC, of
    /// its reference time).
    func repeatedWriters(on day: Int64) -> Set<Int64> {
        let repeating = runs.values.filter { run in
            run.repeatsLast && (run.asOf.day == day || runs[run.id - 1]?.asOf.day == day)
        }
        return Set(repeating.map { writer(of: $0.id) })
    }

    /// Brings a row up to date with the runs that repeated the last one that wrote it.
    func advance(_ finding: inout StoredFinding) {
        for repetition in repetitions[finding.lastRun] ?? [] {
            let events = finding.events.last
            finding.begin(repetition.run, asOf: repetition.asOf, publishedDay: repetition.publishedDay)
            finding.events.last = events
        }
    }
}

extension Connection {
    /// Writes what runs did not write because they repeated others, so that any run may be deleted.
    func writeRepeatedFindings(of runs: [LedgerRun]) throws(LedgerError) {
        let repeated = RepeatedRuns(runs)
        guard repeated.areAny else { return }
        try rewriteFindings { repeated.advance(&$0) }
        for var run in runs where run.repeatsLast {
            run.repeatsLast = false
            try run.write(to: self)
        }
    }

    /// Writes all findings again, each as a body changes it.
    func rewriteFindings(_ body: (inout StoredFinding) -> Void) throws(LedgerError) {
        let columns = FindingTable.latest.columns
        let first = "SELECT \(columns) FROM finding WHERE (rule, subject)>(?1, ?2) ORDER BY rule, subject LIMIT 1000"
        let rows = try Statement(self, first)
        let insertion = try FindingTable.latest.insertion(self)
        rows.bind("", at: 1)
        rows.bind("", at: 2)
        var found: [StoredFinding] = []
        repeat {
            found = []
            while try rows.step() { found.append(try StoredFinding(rows, from: .latest, of: self)) }
            for var finding in found {
                body(&finding)
                finding.bind(to: insertion, in: .latest)
                try insertion.run()
            }
            found.last?.bindName(to: rows)
        } while !found.isEmpty
    }
}
