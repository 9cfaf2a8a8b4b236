import Checks
import Engine
import Files
package import Inputs
import Proofs
import Rules
import Synchronization

/// The first half of a run as a filter: claims in, lines out, in the order of claims. It keeps nothing but counts, which
/// are the last line.
package struct MapStream: Sendable {
    private let settings: StreamSettings
    private let pipeline: OrderedPipeline

    /// How many inputs there can be.
    package static let maxInputs = ClaimPlace.maxInputs
    /// How many lines an input can have.
    package static let maxLines = ClaimPlace.maxLines

    /// - Parameter workers: how many threads judge claims.
    package init(_ settings: StreamSettings, workers: Int) {
        self.settings = settings
        pipeline = OrderedPipeline(workers: workers)
    }

    /// Judges all claims of a source.
    ///
    /// - Parameters:
    ///   - input: the number of the input that they come from, from 0.
    ///   - write: takes lines, whole ones, in order.
    package func run(
        _ source: StreamInput, input: Int, isStopped: @escaping @Sendable () -> Bool,
        write: (Span<UInt8>) throws -> Void
    ) throws {
        let blocks = Mutex(LockedInput(source: source))
        let writers = Mutex(LineWriters())
        let pool = BufferPool()
        try pipeline.run(
            isStopped: isStopped,
            next: { try blocks.withLock { try $0.source.next() } },
            makeLoader: {
                let loader = ClaimLoader(pool: pool)
                return { (block: inout ClaimBlock) in loader.load(&block) }
            },
            makeWorker: { () throws -> (inout ClaimBlock) throws -> [UInt8] in
                let judge = try Checker(trust: settings.trust, expectations: settings.expectations)
                let decoder = ClaimDecoder()
                let lines = writers.withLock { $0.add(ClaimLines(settings, input: input)) }
                return { (block: inout ClaimBlock) in
                    defer { pool.reclaim(&block) }
                    try decoder.forEachClaim(
                        in: block,
                        onReceipt: { claim, bytes in lines.write(judge.facts(of: claim, receipt: bytes)) },
                        onFault: { claim, fault in lines.write(judge.facts(of: claim, fault: fault)) })
                    if let failure = judge.failure { throw failure }
                    return lines.take()
                }
            },
            write: { (lines: [UInt8]) in try write(lines.span) })
        var part = SummaryPart(settings: settings.fingerprint)
        for lines in writers.withLock({ $0.list }) {
            part.tally += lines.tally
            part.breakdown += lines.breakdown
            part.findings += lines.findings
        }
        part.unknownKeys = source.unknownKeyNames
        let columns = source.omissions.unknownColumns
        if !columns.isEmpty { part.unknownColumns[input] = columns }
        var line = LineWriter()
        try part.write(to: &line)
        try write(line.bytes.span)
    }
}

/// A source, which only the holder of a lock touches.
private struct LockedInput: @unchecked Sendable {
    let source: StreamInput
}

/// The writers of all workers. Each is one worker's until all have ended.
private struct LineWriters: @unchecked Sendable {
    private(set) var list: [ClaimLines] = []

    mutating func add(_ lines: ClaimLines) -> ClaimLines {
        list.append(lines)
        return lines
    }
}
