package import Checks
package import Encodings
package import Inputs
import Proofs
import Receipts
package import Rules
import Synchronization

/// Receives what evidence says, on one worker's thread. `audit run` collects it for the local shuffle, `audit map` writes it
/// as lines.
package protocol EvidenceEmitter: AnyObject, SendableMetatype {
    /// What a block of evidence leaves to the thread that writes.
    associatedtype Output: Sendable

    /// Receives the row of a token, or of a text that holds none.
    func emit(_ row: EvidenceRow)
    /// Receives what a valid token says, under the keys of what it is about.
    func emit(_ told: ClaimObservations)
    /// Ends the block.
    ///
    /// - Throws: the first reason why something could not be stored.
    func end() throws -> Output
}

/// A block of evidence with its place in the order of blocks.
private struct NumberedEvidence: Sendable {
    let number: UInt64
    let block: EvidenceBlock
}

/// Verifies evidence, each token by itself, also those inside others, on all cores.
package struct EvidenceStage: Sendable {
    private let pipeline: OrderedPipeline
    private let asOf: Instant

    /// - Parameter asOf: what was signed later says nothing of purchases.
    package init(_ pipeline: OrderedPipeline, asOf: Instant) { (self.pipeline, self.asOf) = (pipeline, asOf) }

    /// - Parameters:
    ///   - index: receives what is said of purchases.
    ///   - storage: of each worker.
    ///   - makeWorker: called once on each worker's thread: what verifies its tokens, and what receives them.
    ///   - write: receives what came of the blocks, in order, on the calling thread.
    package func run<Emitter: EvidenceEmitter>(
        _ source: EvidenceSource, into index: EvidenceIndexBuilder, _ storage: Storage,
        isStopped: @escaping @Sendable () -> Bool,
        makeWorker: @escaping @Sendable () throws -> (Checker, Pseudonyms?, Emitter),
        write: (Emitter.Output) throws -> Void
    ) throws -> EvidenceTally {
        let blocks = Mutex(EvidenceBlocks(source))
        let asOf = asOf
        var tally = EvidenceTally()
        try pipeline.run(
            isStopped: isStopped,
            next: { try blocks.withLock { try $0.next() } },
            makeLoader: { { (_: inout NumberedEvidence) in false } },
            makeWorker: {
                let (checker, pseudonyms, emitter) = try makeWorker()
                let worker = EvidenceWorker(checker, pseudonyms, emitter, index.collector(storage), asOf: asOf)
                return { (block: inout NumberedEvidence) in try worker.work(on: block) }
            },
            write: { (output: (EvidenceTally, Emitter.Output)) throws in
                tally += output.0
                try write(output.1)
            })
        return tally
    }
}

/// Verifies the tokens of blocks, on one thread.
private final class EvidenceWorker<Emitter: EvidenceEmitter> {
    private let checker: Checker
    private let pseudonyms: Pseudonyms?
    private let emitter: Emitter
    private let collector: StatementCollector
    private let asOf: Instant
    private var tally = EvidenceTally()
    private var number: ClaimNumber = 0

    init(
        _ checker: Checker, _ pseudonyms: Pseudonyms?, _ emitter: Emitter, _ collector: StatementCollector,
        asOf: Instant
    ) {
        (self.checker, self.pseudonyms, self.emitter) = (checker, pseudonyms, emitter)
        (self.collector, self.asOf) = (collector, asOf)
    }

    func work(on numbered: NumberedEvidence) throws -> (EvidenceTally, Emitter.Output) {
        tally = EvidenceTally()
        number = .firstEvidence(ofBlock: numbered.number)
        for item in numbered.block.items {
            let claim = Claim(source: item.source)
            if let damage = item.damage {
                refuse(claim, InputFault(.receiptUnreadable, damage))
                continue
            }
            let text = EvidenceText(item)
            for token in text.tokens { try add(token, claim) }
            if let fault = text.fault { refuse(claim, InputFault(.rowMalformed, fault.reason)) }
            if text.isEmpty { tally.outcome.countEmpty() }
        }
        if let failure = checker.failure ?? pseudonyms?.failure { throw failure }
        return (tally, try emitter.end())
    }

    /// Adds a text that cannot be read.
    private func refuse(_ claim: Claim, _ fault: InputFault) {
        let facts = checker.facts(of: claim, fault: fault)
        tally.outcome.count(facts)
        addRow(of: facts)
    }

    /// Verifies a token, and those inside it.
    private func add(_ token: [UInt8], _ claim: Claim) throws {
        let found = facts(of: token, claim)
        tally.outcome.count(found)
        let inside = checker.tokens(inside: found).map(withPseudonyms)
        let facts = withPseudonyms(found)
        for found in [facts] + inside { addRow(of: found) }
        for told in ClaimObservations.evidence(of: facts, inside: inside, number: takeNumber) {
            emitter.emit(told)
            for statement in EvidenceStatement.statements(of: told) where statement.signedAt <= asOf {
                try collector.add(statement)
            }
        }
    }

    private func facts(of token: [UInt8], _ claim: Claim) -> Facts {
        var facts = checker.facts(of: claim, receipt: token.span)
        // Evidence is what Apple signs for servers: a receipt is a device's.
        if facts.format == .container { facts = checker.facts(of: claim, fault: .noToken) }
        return facts
    }

    private func withPseudonyms(_ facts: Facts) -> Facts {
        var facts = facts
        pseudonyms?.replaceIdentities(in: &facts)
        return facts
    }

    private func addRow(of facts: Facts) {
        tally.count(facts)
        emitter.emit(EvidenceRow(facts))
    }

    private func takeNumber() -> ClaimNumber {
        defer { number = number.next }
        return number
    }
}

extension InputFault {
    fileprivate static let noToken = InputFault(.rowMalformed, "a receipt instead of a token")
}

/// A source of evidence, which only the holder of a lock uses.
private struct EvidenceBlocks: @unchecked Sendable {
    private let source: EvidenceSource
    private var number: UInt64 = 0

    init(_ source: EvidenceSource) { self.source = source }

    mutating func next() throws -> NumberedEvidence? {
        guard let block = try source.nextBlock() else { return nil }
        defer { number += 1 }
        return NumberedEvidence(number: number, block: block)
    }
}
