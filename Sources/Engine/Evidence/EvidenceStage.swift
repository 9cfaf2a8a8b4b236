public import Checks
import Encodings
import Inputs
import Proofs
import Receipts
import Rules
import Synchronization

/// What a run finds in evidence.
public struct EvidenceTally: Sendable {
    /// The tokens and texts, by verdict.
    public private(set) var verdicts: [Verdict: Int] = [:]

    public var count: Int { verdicts.values.reduce(0, +) }

    /// The number of tokens in a form that may be newer than this program.
    public private(set) var newerForms = 0

    mutating func count(_ facts: Facts) {
        verdicts[facts.verdict, default: 0] += 1
        if facts.isOfNewerForm { newerForms += 1 }
    }

    static func += (a: inout EvidenceTally, b: EvidenceTally) {
        a.verdicts.merge(b.verdicts, uniquingKeysWith: +)
        a.newerForms += b.newerForms
    }
}

/// A block of evidence with its place in the order of blocks.
private struct NumberedEvidence: Sendable {
    let number: UInt64
    let block: EvidenceBlock
}

/// What comes of a block of evidence.
private struct EvidenceOutput: Sendable {
    var rows = EncodedRows()
    var tally = EvidenceTally()
}

/// Verifies evidence, each token by itself, also those inside others.
private final class EvidenceWorker {
    private let checker: Checker
    private let store: WorkerStore
    private let pseudonyms: Pseudonyms?
    private var output = EvidenceOutput()
    private var record = RecordWriter()
    private var number: UInt64 = 0

    init(_ checker: Checker, _ store: WorkerStore, _ pseudonyms: Pseudonyms?) {
        (self.checker, self.store, self.pseudonyms) = (checker, store, pseudonyms)
    }

    func work(on numbered: NumberedEvidence) throws -> EvidenceOutput {
        output = EvidenceOutput()
        // Behind the numbers of this run's claims, and before those of earlier ones.
        number = 1 << 62 | numbered.number << 20
        for item in numbered.block.items {
            let claim = Claim(source: item.source)
            if let damage = item.damage {
                try addRow(of: checker.facts(of: claim, fault: InputFault(.receiptUnreadable, damage)))
                continue
            }
            switch Result(catching: { () throws(EvidenceFault) in try EvidenceText.tokens(in: item.text) }) {
            case .success(let tokens): for token in tokens { try add(token, claim) }
            case .failure(let fault):
                try addRow(of: checker.facts(of: claim, fault: InputFault(.rowMalformed, fault.reason)))
            }
        }
        if let failure = checker.failure { throw failure }
        if let failure = pseudonyms?.failure ?? store.failure { throw failure }
        return output
    }

    /// Verifies a token, and those inside it.
    private func add(_ token: [UInt8], _ claim: Claim) throws {
        let found = facts(of: token, claim)
        let inside = checker.tokens(inside: found).map(withPseudonyms)
        let facts = withPseudonyms(found)
        for found in [facts] + inside { try addRow(of: found) }
        let evidence =
            facts.token?.kind == .notification
            ? ClaimObservations.evidence(of: facts, inside: inside, number: takeNumber)
            : facts.verdict == .valid ? [ClaimObservations(evidence: facts, number: takeNumber())] : []
        for told in evidence { try store.add(evidence: told) }
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

    private func addRow(of facts: Facts) throws {
        output.tally.count(facts)
        var row = EvidenceRow(facts)
        record.removeAll()
        row.code(&record)
        output.rows.bytes.append(leb128: UInt64(record.bytes.count))
        output.rows.bytes.append(contentsOf: record.bytes)
    }

    private func takeNumber() -> UInt64 {
        defer { number += 1 }
        return number
    }
}

extension InputFault {
    fileprivate static let noToken = InputFault(.rowMalformed, "a receipt where a token belongs")
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

extension AuditRun {
    /// Verifies all evidence on all cores. Its rows are spooled in its order; what it says of subscriptions goes to stores.
    func verify(
        _ evidence: EvidenceSource, into stores: StoreList, isStopped: @escaping @Sendable () -> Bool
    ) throws -> (rows: EvidenceSpool, tally: EvidenceTally) {
        var (spool, tally) = (try EvidenceSpool(in: storage.folder), EvidenceTally())
        let blocks = Mutex(EvidenceBlocks(evidence))
        try pipeline.run(
            isStopped: isStopped,
            next: { try blocks.withLock { try $0.next() } },
            makeLoader: { { (_: inout NumberedEvidence) in false } },
            makeWorker: {
                let store = try stores.add()
                let worker = EvidenceWorker(
                    try Checker(trust: trust, expectations: expectations, cache: store.cache), store,
                    try pseudonymKey.map { try Pseudonyms(key: $0) })
                return { (block: inout NumberedEvidence) in try worker.work(on: block) }
            },
            write: { (output: EvidenceOutput) throws in
                tally += output.tally
                try spool.append(output.rows)
            })
        return (spool, tally)
    }
}
