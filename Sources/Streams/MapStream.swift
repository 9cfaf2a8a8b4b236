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
    private let withPurchases: Bool

    /// How many inputs there can be.
    package static let maxInputs = ClaimPlace.maxInputs
    /// How many lines an input can have.
    package static let maxLines = ClaimPlace.maxLines

    /// - Parameters:
    ///   - workers: how many threads check claims.
    ///   - withPurchases: whether rows of the table `purchases` are written.
    package init(_ settings: StreamSettings, workers: Int, withPurchases: Bool = false) {
        self.withPurchases = withPurchases
        self.settings = settings
        pipeline = OrderedPipeline(workers: workers)
    }

    /// Maps all claims of a source.
    ///
    /// - Parameters:
    ///   - input: the number of the input that they come from, from 0.
    ///   - write: takes lines, whole ones, in order.
    package func run(
        _ source: StreamInput, input: Int, isStopped: @escaping @Sendable () -> Bool,
        write: (Span<UInt8>) throws -> Void
    ) throws {
        let emitters = Mutex(Emitters())
        try MapStage(pipeline).run(
            source, isStopped: isStopped,
            makeWorker: {
                let emitter = try emitters.withLock {
                    $0.add(try LineEmitter(settings, input: input, withPurchases: withPurchases))
                }
                let worker = try MapWorker(
                    checker: try Checker(trust: settings.trust, expectations: settings.expectations),
                    rules: settings.rules, emitter: emitter)
                return { try worker.map($0) }
            },
            write: { (lines: [UInt8]) in try write(lines.span) })
        var part = SummaryPart(settings: settings.fingerprint)
        for emitter in emitters.withLock({ $0.list }) {
            part.tally += emitter.tally
            part.breakdown += emitter.breakdown
        }
        part.unknownKeys = source.unknownKeyNames
        let columns = source.omissions.unknownColumns
        if !columns.isEmpty { part.unknownColumns[input] = columns }
        var line = LineWriter()
        try part.write(to: &line)
        try write(line.bytes.span)
    }
}

/// The emitters of all workers. Each is one worker's until all have ended.
private struct Emitters: @unchecked Sendable {
    private(set) var list: [LineEmitter] = []

    mutating func add(_ emitter: LineEmitter) -> LineEmitter {
        list.append(emitter)
        return emitter
    }
}
