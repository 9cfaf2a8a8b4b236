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
            next: { try source.withLock { try $0.value.next() } },
            makeLoader: {
                let loader = ClaimLoader(pool: pool)
                return { (block: inout ClaimBlock) in loader.load(&block) }
            },
            makeWorker: { () throws -> (inout ClaimBlock) -> Part in
                let judge = try Judge(trust: trust, expectations: expectations)
                let decoder = ClaimDecoder()
                return { (block: inout ClaimBlock) in
                    var part = Part(rows: [[UInt8]](repeating: [], count: encoders.count))
                    let note = { (facts: Facts) in
                        part.tally.count(facts)
                        for (index, encode) in encoders.enumerated() { encode(facts, &part.rows[index]) }
                    }
                    decoder.forEachClaim(
                        in: block,
                        onReceipt: { claim, bytes in note(judge.facts(of: claim, receipt: bytes)) },
                        onFault: { claim, fault in note(judge.facts(of: claim, fault: fault)) })
                    pool.reclaim(&block)
                    return part
                }
            },
            write: write)
    }
}

/// A source, which only the holder of a lock touches.
private struct UncheckedBox: @unchecked Sendable {
    let value: any ClaimSource

    init(_ value: any ClaimSource) { self.value = value }
}
