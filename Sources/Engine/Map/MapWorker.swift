import Checks
import Files
import Inputs
import Rules

/// What came of a block of claims.
struct MappedBlock: Sendable {
    var number: UInt64
    var fraction: Double?
    var tally = Tally()
    /// The claims' rows, in each of the formats.
    var rows: [EncodedRows]
    /// What became of it in a run that remembers.
    var outcome = BlockOutcome.judged(nil)

    init(_ taken: NumberedBlock, rows: [EncodedRows]) {
        number = taken.number
        fraction = taken.fraction
        self.rows = rows
    }
}

/// Judges claims one by one, on one thread.
final class MapWorker {
    private let judge: Checker
    private let decoder: ClaimDecoder
    private let rules: RuleSet
    private let store: WorkerStore
    private let encoders: [RowEncoder]
    private let pseudonyms: Pseudonyms?
    /// Why what was found could not be kept.
    private var failure: FileError?

    init(judge: Checker, rules: RuleSet, store: WorkerStore, encoders: [RowEncoder], pseudonyms: Pseudonyms? = nil) {
        self.pseudonyms = pseudonyms
        self.judge = judge
        self.rules = rules
        self.store = store
        self.encoders = encoders
        decoder = ClaimDecoder(notesKeysOfBlocks: store.memory != nil)
    }

    /// Judges the claims of a block.
    ///
    /// - Parameter recorder: takes down all that comes of it, where it is to be remembered.
    func judge(_ taken: NumberedBlock, _ recorder: inout BlockRecorder?) throws -> MappedBlock {
        var judged = MappedBlock(
            taken, rows: [EncodedRows](repeating: EncodedRows(), count: encoders.count))
        var count = 0
        func note(_ facts: consuming Facts) {
            // Nothing behind this line knows a true id.
            self.pseudonyms?.replaceIdentities(in: &facts)
            judged.tally.count(facts)
            for (index, encoder) in self.encoders.enumerated() where encoder.wantsRows(after: taken.claimsBefore) {
                judged.rows[index].append(facts, with: encoder)
            }
            self.store.count(facts)
            recorder?.note(facts, figuresBy: self.store.withFigures ? self.rules.policy : nil)
            self.note(facts, at: count, of: taken, &recorder)
            count += 1
        }
        try decoder.forEachClaim(
            in: taken.block,
            onReceipt: { claim, bytes in
                var facts = Facts(claim: claim)
                self.judge.judge(bytes, into: &facts)
                note(consume facts)
            },
            onFault: { claim, fault in note(self.judge.facts(of: claim, fault: fault)) })
        if let failure { throw failure }
        if let failure = judge.failure { throw failure }
        if let failure = pseudonyms?.failure { throw failure }
        if let failure = store.memory?.failure { throw failure }
        return judged
    }

    /// Keeps what rules find in a claim, and what it has to say under its keys.
    private func note(_ facts: Facts, at index: Int, of taken: NumberedBlock, _ recorder: inout BlockRecorder?) {
        guard failure == nil else { return }
        let claim = taken.claim(at: index)
        let keep = { (body: () throws(FileError) -> Void) in
            do throws(FileError) { try body() } catch { self.failure = self.failure ?? error }
        }
        rules.judge(facts) { finding in
            recorder?.note(finding, ofClaim: index)
            keep { () throws(FileError) in
                if let mark = try store.note(finding) { try store.note(mark, on: claim) }
            }
        }
        keep { () throws(FileError) in
            guard let noted = try store.note(ClaimObservations(facts, claim: claim)) else { return }
            recorder?.note(noted, ofClaim: index)
        }
    }
}
