package import Checks
package import Encodings
package import Inputs
import Proofs
import Receipts
package import Rules
import Synchronization

/// Receives the results of evidence on one worker's thread. `audit run` collects them for the local shuffle, `audit
/// map` writes them as lines.
package protocol EvidenceEmitter: AnyObject, SendableMetatype {
    /// The output of a block of evidence for the writing thread.
    associatedtype Output: Sendable

    /// Receives the row of a token, or of a text without one.
    func emit(_ row: EvidenceRow)
    /// Receives the content of a valid token, under the keys of its subject.
    func emit(_ told: ClaimObservations)
    /// Ends the block.
    ///
    /// - Throws: the first error of storing something.
    func end() throws -> Output
}

/// A block of evidence with its place in the order of blocks.
private struct NumberedEvidence: Sendable {
    let number: UInt64
    let block: EvidenceBlock
}

/// Verifies evidence on all cores, each token by itself, including tokens inside others.
package struct EvidenceStage: Sendable {
    private let pipeline: OrderedPipeline
    private let asOf: Instant

    /// - Parameter asOf: the reference time. Statements signed later do not count.
    package init(_ pipeline: OrderedPipeline, asOf: Instant) { (self.pipeline, self.asOf) = (pipeline, asOf) }

    /// - Parameters:
    ///   - index: receives the statements about purchases.
    ///   - storage: the storage of each worker.
    ///   - makeWorker: called once on each worker's thread; returns its verifier and its receiver.
    ///   - write: receives the outputs of blocks, in order, on the calling thread.
    package func run<Emitter: EvidenceEmitter>(
        _ source: EvidenceSource, into index: EvidenceIndexBuilder, _ storage: Storage,
        isStopped: @escaping @Sendable () -> Bool,
        makeWorker: @escaping @Sendable () throws -> (Checker, Pseudonyms?, Emitter),
        write: (Emitter.Output) throws -> Void
    ) throws -> EvidenceTally {
        let blocks = Mutex(EvidenceBlocks(source))
        let asOf = asOf
        var tally = EvidenceTally()
        var pages = AnswerPages()
        try pipeline.run(
            isStopped: isStopped,
            next: { try blocks.withLock { try $0.next() } },
            makeLoader: { { (_: inout NumberedEvidence) in false } },
            makeWorker: {
                let (checker, pseudonyms, emitter) = try makeWorker()
                let worker = EvidenceWorker(checker, pseudonyms, emitter, index.collector(storage), asOf: asOf)
                return { (block: inout NumberedEvidence) in try worker.work(on: block) }
            },
            write: { (output: (EvidenceTally, [AnswerPage], Emitter.Output)) throws in
                tally += output.0
                for page in output.1 { pages.add(page) }
                try write(output.2)
            })
        tally.outcome.missingPages = pages.missing
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
        self.checker = checker
        self.pseudonyms = pseudonyms
        self.emitter = emitter
        self.collector = collector
        self.asOf = asOf
    }

    func work(on numbered: NumberedEvidence) throws -> (EvidenceTally, [AnswerPage], Emitter.Output) {
        tally = EvidenceTally()
        var pages: [AnswerPage] = []
        number = .firstEvidence(ofBlock: numbered.number)
        for item in numbered.block.items {
            let text = EvidenceText(item)
            var found: [Facts] = []
            for token in text.found { found.append(try add(token, of: item)) }
            pages += text.pages.map { AnswerPage($0, item.source, found[$0.tokens]) }
            let claim = Claim(source: item.source)
            tally.outcome[item.input].count(text, of: item)
            if let other = text.other { refuse(facts(of: other, claim), of: item, lost: 0) }
            if let damage = item.damage {
                let fault = InputFault(.receiptUnreadable, damage)
                refuse(checker.facts(of: claim, fault: fault), of: item, lost: max(1, text.lost))
            } else if let fault = text.fault {
                let fault = InputFault(.rowMalformed, fault.reason)
                refuse(checker.facts(of: claim, fault: fault), of: item, lost: text.lost)
            }
            if text.isEmpty, item.damage == nil { tally.outcome[item.input].countEmpty() }
        }
        if let failure = checker.failure ?? pseudonyms?.failure { throw failure }
        return (tally, pages, try emitter.end())
    }

    /// Adds a text without a token.
    ///
    /// - Parameter lost: the number of tokens that may be in it.
    private func refuse(_ facts: Facts, of item: EvidenceBlock.Item, lost: Int) {
        tally.outcome[item.input].count(textOf: facts, lost: lost)
        addRow(of: withPseudonyms(facts))
    }

    /// Verifies a token, and those inside it.
    ///
    /// - Returns: its facts.
    private func add(_ token: EvidenceText.Found, of item: EvidenceBlock.Item) throws -> Facts {
        let found = facts(of: token.octets, Claim(source: item.source(of: token)))
        tally.outcome[item.input].count(found, isCut: token.isCut)
        tally.outcome.count(appOf: found)
        let inside = checker.tokens(inside: found).map(withPseudonyms)
        let facts = withPseudonyms(found)
        for found in [facts] + inside { addRow(of: found) }
        for told in ClaimObservations.evidence(of: facts, inside: inside, number: takeNumber) {
            emitter.emit(told)
            for statement in EvidenceStatement.statements(of: told) where statement.signedAt <= asOf {
                try collector.add(statement)
            }
        }
        return found
    }

    private func facts(of token: [UInt8], _ claim: Claim) -> Facts {
        var facts = checker.facts(of: claim, receipt: token.span)
        // Evidence is what Apple signs for servers; a receipt belongs to a device.
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

/// A source of evidence, used only under a lock.
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
