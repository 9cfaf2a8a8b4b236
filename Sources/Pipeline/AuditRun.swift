public import Checks
public import Inputs
public import Signatures
import Synchronization

/// The first stage of a run: every claim judged by itself, on all cores, in the order of the claims.
public struct AuditRun: Sendable {
    private let trust: TrustAnchors
    private let expectations: Expectations
    private let pipeline: OrderedPipeline

    /// - Parameter workers: how many threads judge claims; as many cores as there are is best.
    public init(trust: TrustAnchors, expectations: Expectations, workers: Int) {
        self.trust = trust
        self.expectations = expectations
        pipeline = OrderedPipeline(workers: workers)
    }

    /// What came of some claims.
    public struct Part: Sendable {
        /// How much of the input had been read when these claims were taken, from 0 to 1, if that is known.
        public var fraction: Double?
        public var tally = Tally()
        /// The rows, in the format of whoever encoded them, for each of the encoders.
        public var rows: [[UInt8]]
    }

    /// Judges all claims of a source.
    ///
    /// - Parameters:
    ///   - encoders: write a claim's row at the end of some bytes; called by several threads at once.
    ///   - write: takes what came of the next claims, in their order.
    public func run(
        _ source: any ClaimSource, isStopped: @escaping @Sendable () -> Bool,
        encoders: [@Sendable (Facts, inout [UInt8]) -> Void],
        write: (Part) throws -> Void
    ) throws {
        let source = Mutex(UncheckedBox(source))
        let pool = BufferPool()
        try pipeline.run(
            isStopped: isStopped,
            next: {
                try source.withLock { source in
                    try source.value.next().map { TakenBlock(block: $0, fraction: source.value.fraction) }
                }
            },
            makeLoader: {
                let loader = ClaimLoader(pool: pool)
                return { (taken: inout TakenBlock) in loader.load(&taken.block) }
            },
            makeWorker: { () throws -> (inout TakenBlock) -> Part in
                let judge = try Judge(trust: trust, expectations: expectations)
                let decoder = ClaimDecoder()
                return { (taken: inout TakenBlock) in
                    var part = Part(fraction: taken.fraction, rows: [[UInt8]](repeating: [], count: encoders.count))
                    let note = { (facts: Facts) in
                        part.tally.count(facts)
                        for (index, encode) in encoders.enumerated() { encode(facts, &part.rows[index]) }
                    }
                    decoder.forEachClaim(
                        in: taken.block,
                        onReceipt: { claim, bytes in note(judge.facts(of: claim, receipt: bytes)) },
                        onFault: { claim, fault in note(judge.facts(of: claim, fault: fault)) })
                    pool.reclaim(&taken.block)
                    return part
                }
            },
            write: write)
    }
}

/// A block, and what its source said when it gave it away: a source may be asked by one thread at a time.
private struct TakenBlock: Sendable {
    var block: ClaimBlock
    var fraction: Double?
}

/// A source, which only the holder of a lock touches.
private struct UncheckedBox: @unchecked Sendable {
    let value: any ClaimSource

    init(_ value: any ClaimSource) { self.value = value }
}
