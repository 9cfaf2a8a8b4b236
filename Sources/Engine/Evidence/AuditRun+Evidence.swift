public import Checks
import Encodings
import Files
import Inputs
import Proofs
import Rules
import Sorting

/// The counts of a run's evidence.
public struct EvidenceTally: Sendable {
    /// The tokens and texts, by verdict.
    public private(set) var verdicts: [Verdict: Int] = [:]

    public init() {}

    public var count: Int { verdicts.values.reduce(0, +) }

    /// The number of tokens in a form that may be newer than this program.
    public private(set) var newerForms = 0
    /// The members and values of tokens that this version does not know.
    public private(set) var unknown = UnknownTally()
    /// How much of it counts.
    public internal(set) var outcome = EvidenceOutcome()

    mutating func count(_ facts: Facts) {
        verdicts[facts.verdict, default: 0] += 1
        if facts.isOfNewerForm { newerForms += 1 }
        unknown.count(facts)
    }

    static func += (a: inout EvidenceTally, b: EvidenceTally) {
        a.verdicts.merge(b.verdicts, uniquingKeysWith: +)
        a.newerForms += b.newerForms
        a.unknown += b.unknown
        a.outcome += b.outcome
    }
}

/// Collects the results of one worker's evidence for the following stages in the same process.
private final class LocalEvidenceEmitter: EvidenceEmitter {
    private let store: WorkerStore
    /// A record for each row.
    private var rows: [[UInt8]] = []
    private var failure: FileError?

    init(_ store: WorkerStore) { self.store = store }

    func emit(_ row: EvidenceRow) {
        var (row, record) = (row, RecordWriter())
        row.code(&record)
        rows.append(record.bytes)
    }

    func emit(_ told: ClaimObservations) {
        guard failure == nil else { return }
        do throws(FileError) { try store.add(evidence: told) } catch { failure = error }
    }

    func end() throws -> [[UInt8]] {
        if let failure { throw failure }
        if let failure = store.failure { throw failure }
        defer { rows = [] }
        return rows
    }
}

/// A run's evidence after verification.
struct VerifiedEvidence {
    /// The rows of the table `evidence`; `nil` if there is only evidence of earlier runs.
    var rows: RecordLog?
    var tally = EvidenceTally()
    var index: EvidenceIndex
}

extension AuditRun {
    /// Verifies all evidence on all cores, before any claim is checked. Rows are spooled in order. Statements about
    /// subscriptions go to stores, and statements about purchases to an index, together with those of earlier runs.
    ///
    /// - Returns: `nil` if neither this run nor earlier ones have evidence.
    func verify(
        _ evidence: EvidenceSource?, into stores: StoreList, isStopped: @escaping @Sendable () -> Bool
    ) throws -> VerifiedEvidence? {
        let builder = EvidenceIndexBuilder(storage)
        var share = storage.divided(by: pipeline.workers)
        share.memory /= 8
        let kept = try history.addStatements(to: builder.collector(share), isStopped: isStopped)
        guard evidence != nil || kept > 0 else { return nil }
        let told = try evidence.map { try verify($0, into: stores, builder, share, isStopped: isStopped) }
        let new = ValueSorter<EvidenceStatement>(share)
        let index = try builder.finish(settings: "") { if history.isKept { try new.add($0) } }
        history.add(statements: try new.finish())
        return VerifiedEvidence(rows: told?.rows, tally: told?.tally ?? EvidenceTally(), index: index)
    }

    private func verify(
        _ evidence: EvidenceSource, into stores: StoreList, _ builder: EvidenceIndexBuilder, _ share: Storage,
        isStopped: @escaping @Sendable () -> Bool
    ) throws -> (rows: RecordLog, tally: EvidenceTally) {
        var spool = RecordLog(budget: 0, folder: storage.folder)
        let tally = try EvidenceStage(pipeline, asOf: expectations.asOf).run(
            evidence, into: builder, share, isStopped: isStopped,
            makeWorker: {
                let store = try stores.add()
                return (
                    try Checker(trust: trust, expectations: expectations),
                    try pseudonymKey.map { try Pseudonyms(key: $0) }, LocalEvidenceEmitter(store)
                )
            },
            write: { for row in $0 { try spool.append(row.span) } })
        return (spool, tally)
    }
}
