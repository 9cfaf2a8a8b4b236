import Checks
import Files
import Inputs
import Rules

/// What came of a block of claims.
struct JudgedBlock: Sendable {
    var number: UInt64
    var fraction: Double?
    var tally = Tally()
    /// The claims' rows, in each of the formats.
    var rows: [EncodedRows]
}

/// Judges claims one by one, on one thread.
final class MapWorker {
    private let judge: Judge
    private let decoder = ClaimDecoder()
    private let rules: RuleSet
    private let store: WorkerStore
    private let encoders: [RowEncoder]
    private let pseudonyms: Pseudonyms?
    /// Why what was found could not be kept.
    private var failure: FileError?

    init(judge: Judge, rules: RuleSet, store: WorkerStore, encoders: [RowEncoder], pseudonyms: Pseudonyms? = nil) {
        self.pseudonyms = pseudonyms
        self.judge = judge
        self.rules = rules
        self.store = store
        self.encoders = encoders
    }

    func judge(_ taken: NumberedBlock) throws -> JudgedBlock {
        var judged = JudgedBlock(
            number: taken.number, fraction: taken.fraction,
            rows: [EncodedRows](repeating: EncodedRows(), count: encoders.count))
        var count = 0
        let note = { (facts: Facts) in
            var facts = facts
            // Nothing behind this line knows a true id.
            self.pseudonyms?.replaceIdentities(in: &facts)
            judged.tally.count(facts)
            for (index, encoder) in self.encoders.enumerated() { judged.rows[index].append(facts, with: encoder) }
            self.store.count(facts)
            self.note(facts, claim: taken.claim(at: count))
            count += 1
        }
        decoder.forEachClaim(
            in: taken.block,
            onReceipt: { claim, bytes in
                var facts = Facts(claim: claim)
                self.judge.judge(bytes, into: &facts)
                note(facts)
            },
            onFault: { claim, fault in note(self.judge.facts(of: claim, fault: fault)) })
        if let failure { throw failure }
        if let failure = pseudonyms?.failure { throw failure }
        return judged
    }

    /// Keeps what rules find in a claim, and what it has to say under its keys.
    private func note(_ facts: Facts, claim: UInt64) {
        guard failure == nil else { return }
        let keep = { (body: () throws(FileError) -> Void) in
            do throws(FileError) { try body() } catch { self.failure = self.failure ?? error }
        }
        rules.judge(facts) { finding in
            keep { () throws(FileError) in
                if let mark = try store.note(finding) { try store.note(mark, on: claim) }
            }
        }
        keep { () throws(FileError) in try store.note(ClaimSightings(facts, claim: claim)) }
    }
}
