import Checks
package import Engine
import Files
package import Inputs
import Proofs
import Rules
import Synchronization

/// The first half of a run as a filter: claims in, lines out, in the order of claims. It stores only counts, which are
/// the last line.
package struct MapStream: Sendable {
    private let settings: StreamSettings
    private let pipeline: OrderedPipeline
    private let withPurchases: Bool
    private let reading: [(option: String, value: String)]
    private let part: MapPart?

    /// The maximum number of inputs.
    package static let maxInputs = ClaimPlace.maxInputs
    /// The maximum number of lines in an input.
    package static let maxLines = ClaimPlace.maxLines

    /// - Parameters:
    ///   - workers: the number of threads that check claims.
    ///   - withPurchases: whether to write rows of the table `purchases`.
    ///   - reading: the options for reading inputs, for the summary.
    ///   - part: the part of the claims, so that the summary can report missing parts.
    package init(
        _ settings: StreamSettings, workers: Int, withPurchases: Bool = false,
        reading: [(option: String, value: String)] = [], part: MapPart? = nil
    ) {
        self.part = part
        self.withPurchases = withPurchases
        self.reading = reading
        self.settings = settings
        pipeline = OrderedPipeline(workers: workers)
    }

    /// Maps all claims of a source.
    ///
    /// - Parameters:
    ///   - input: the number of the claims' input, from 0.
    ///   - evidence: what Apple sent to the company's server.
    ///   - onIndex: receives an index that was made from evidence, and its content.
    ///   - write: receives whole lines, in order.
    /// - Returns: what is missing from the lines.
    package func run(
        _ source: StreamInput, input: Int, evidence: StreamEvidence? = nil, isStopped: @escaping @Sendable () -> Bool,
        onIndex: (EvidenceIndex, EvidenceTally) throws -> Void = { _, _ in }, write: (Span<UInt8>) throws -> Void
    ) throws -> Omissions {
        let emitters = Mutex(Emitters<LineEmitter>())
        let index = try evidence.map { try self.index(of: $0, isStopped: isStopped, onIndex: onIndex, write: write) }
        try MapStage(pipeline).run(
            source, isStopped: isStopped,
            makeWorker: {
                let emitter = try emitters.withLock {
                    $0.add(
                        try LineEmitter(
                            settings, input: input, withPurchases: withPurchases, hasEvidence: index != nil))
                }
                let worker = try MapWorker(
                    checker: try Checker(trust: settings.trust, expectations: settings.expectations),
                    rules: settings.rules, emitter: emitter,
                    pseudonyms: try settings.pseudonymKey.map { try Pseudonyms(key: $0) }, evidence: index?.index)
                return { try worker.map($0) }
            },
            write: { (lines: [UInt8]) in try write(lines.span) })
        return try end(source, emitters.withLock { $0.list }, input: input, evidence, index, write)
    }

    /// Writes the counts of all claims.
    ///
    /// - Returns: what is missing from the lines.
    private func end(
        _ source: StreamInput, _ emitters: [LineEmitter], input: Int, _ evidence: StreamEvidence?,
        _ index: EvidenceLines?, _ write: (Span<UInt8>) throws -> Void
    ) throws -> Omissions {
        var part = SummaryPart(settings: settings.fingerprint)
        part.isMapped = true
        part.reading = reading.map { [$0.option, $0.value] }
        part.evidence = index.map { EvidenceUse(digest: $0.index.digest, isWritten: $0.told != nil) }
        if let told = index?.told {
            part.evidenceOutcome = told.outcome
            part.unknown = told.unknown
        }
        if let index { part.lines.written += index.counts }
        for emitter in emitters {
            part.tally += emitter.tally
            part.breakdown += emitter.breakdown
            part.spellings += emitter.spellings
            part.lines.written += emitter.counts
        }
        part.inputs = [input: InputTally(part.tally)]
        part.unknownKeys = source.unknownKeyNames
        var omissions = source.omissions
        // A step that reads evidence for the others gets no claims.
        var isEvidenceOnly = false
        if case .source = evidence, part.tally.claims == 0, self.part == nil {
            omissions = Omissions()
            isEvidenceOnly = true
        }
        part.lines.part = self.part
        part.lines.isUnnumbered = self.part == nil && !isEvidenceOnly
        part.doubts = omissions.doubts
        part.columnSearch = omissions.columnSearch
        let columns = omissions.unknownColumns
        if !columns.isEmpty { part.unknownColumns[input] = columns }
        if case .source(let told, _) = evidence { omissions = omissions + told.omissions }
        part.damages = Array(omissions.damages.prefix(10))
        part.damageCount = omissions.damageCount
        var line = LineWriter()
        if !part.tally.waves.isEmpty { try JoiningLine.write(part.tally.waves, to: &line) }
        try line.write(.accounts) { try $0.json(part.tally.accounts) }
        part.lines.written += line.counts
        try part.write(to: &line)
        try write(line.bytes.span)
        return omissions
    }
}

extension MapStream {
    /// Returns the index of evidence, which is made and written if it is not given.
    private func index(
        of evidence: StreamEvidence, isStopped: @escaping @Sendable () -> Bool,
        onIndex: (EvidenceIndex, EvidenceTally) throws -> Void, write: (Span<UInt8>) throws -> Void
    ) throws -> EvidenceLines {
        switch evidence {
        case .index(let index): return EvidenceLines(index: index)
        case .source(let source, let storage):
            let builder = EvidenceIndexBuilder(storage)
            let emitters = Mutex(Emitters<EvidenceLineEmitter>())
            let tally = try EvidenceStage(pipeline, asOf: settings.expectations.asOf).run(
                source, into: builder, storage.divided(by: pipeline.workers), isStopped: isStopped,
                makeWorker: {
                    let emitter = try emitters.withLock { $0.add(try EvidenceLineEmitter(settings)) }
                    return (
                        try Checker(trust: settings.trust, expectations: settings.expectations),
                        try settings.pseudonymKey.map { try Pseudonyms(key: $0) }, emitter
                    )
                },
                write: { (lines: [UInt8]) in try write(lines.span) })
            let index = try builder.finish(settings: settings.fingerprint)
            try onIndex(index, tally)
            var counts = LineCounts()
            for emitter in emitters.withLock({ $0.list }) { counts += emitter.counts }
            return EvidenceLines(index: index, told: tally, counts: counts)
        }
    }
}

/// An index for looking up purchases, and if it was made here, the counts of its evidence and of the lines about it.
private struct EvidenceLines {
    let index: EvidenceIndex
    var told: EvidenceTally?
    var counts = LineCounts()
}

/// The emitters of all workers. Each belongs to one worker until all have ended.
private struct Emitters<Emitter>: @unchecked Sendable {
    private(set) var list: [Emitter] = []

    mutating func add(_ emitter: Emitter) -> Emitter {
        list.append(emitter)
        return emitter
    }
}
