import Files
public import Rules
import Sorting
public import Subscriptions
import Synchronization

/// What a run has found: counts, and tables that are written row by row.
public final class AuditResult {
    public let tally: Tally
    public let breakdown: Breakdown
    public let figures: SubscriptionFigures
    public private(set) var findingTally: FindingTally

    /// The policy of the run.
    public var policy: Policy { rules.policy }

    private let mapped: MappedClaims
    private let found: FoundFindings
    private let encoders: [RowEncoder]
    private let isStopped: @Sendable () -> Bool
    private let pipeline: OrderedPipeline
    private var rings: Rings
    private var ringFindings: [SortedRun] = []
    private let storage: Storage
    private let rules: RuleSet

    init(
        _ mapped: MappedClaims, _ found: FoundFindings, encoders: [RowEncoder], rules: RuleSet, storage: Storage,
        pipeline: OrderedPipeline, isStopped: @escaping @Sendable () -> Bool
    ) throws {
        tally = mapped.tally
        findingTally = found.tally
        breakdown = found.breakdown
        figures = found.figures
        self.mapped = mapped
        self.found = found
        self.encoders = encoders
        self.isStopped = isStopped
        self.pipeline = pipeline
        self.storage = storage
        self.rules = rules
        rings = Rings(found.joining, rules)
        try addRings()
    }

    /// Counts the claims of each ring, which only now are known, and makes findings of them.
    private func addRings() throws {
        guard !rings.findings.isEmpty else { return }
        var marks = try ClaimMarks(found.marks, rings.membership)
        while let claim = try marks.next() {
            if isStopped() { throw Interrupted() }
            rings.count(claim)
        }
        let store = WorkerStore(
            rules, asOf: figures.asOf, number: 0, storage: storage.divided(by: 4))
        for finding in rings.findings { _ = try store.add(finding, under: nil) }
        ringFindings = try store.finishFindings()
        findingTally += store.tally
    }

    /// Writes the table `receipts` in all formats, in claim order.
    ///
    /// - Parameter write: takes the next rows, with the number of the format's encoder, on the calling thread; the rows after
    ///   them are read meanwhile.
    public func writeReceipts(_ write: (Int, Span<UInt8>) throws -> Void) throws {
        let source = Mutex(try MarkedRows(mapped.spool, ClaimMarks(found.marks, rings.membership)))
        let encoders = encoders
        try pipeline.run(
            isStopped: isStopped,
            next: { try source.withLock { try $0.next() } },
            makeLoader: { { (_: inout MarkedBlock) in false } },
            makeWorker: { { (block: inout MarkedBlock) in block.joined(with: encoders) } },
            write: { formats in
                for (format, rows) in formats.enumerated() { try write(format, rows.span) }
            })
    }

    /// Goes through the table `fraud`: worst first, then by rule, then by subject.
    public func forEachFinding(_ body: (FindingRow) throws -> Void) throws {
        var merge = try RunMerge(found.findings + ringFindings)
        while !merge.isAtEnd {
            if isStopped() { throw Interrupted() }
            try body(merge.withRecord { try FindingRecord.row(of: $0) })
            try merge.advance()
        }
    }
}

extension AuditResult {
    /// Goes through the table `subscriptions`, by original transaction id.
    public func forEachSubscription(_ body: (SubscriptionRow) throws -> Void) throws {
        var merge = try RunMerge(found.subscriptions)
        while !merge.isAtEnd {
            if isStopped() { throw Interrupted() }
            try body(merge.withRecord { try SubscriptionRecord.row(of: $0) })
            try merge.advance()
        }
    }
}
