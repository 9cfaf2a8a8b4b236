import Checks
import Files
import Inputs
import Rules

/// The output of a block of claims.
struct MappedBlock: Sendable {
    var number: UInt64
    /// The number of the INPUT that its claims come from.
    var input = 0
    var fraction: Double?
    var tally = Tally()
    /// The claims' rows, in each of the formats.
    var rows: [EncodedRows]
    /// The outcome of the block in a run with a ledger.
    var outcome = BlockOutcome.checked(nil)

    init(_ block: NumberedBlock, rows: [EncodedRows]) {
        self.init(number: block.number, fraction: block.fraction, rows: rows)
        input = block.block.input
    }

    init(number: UInt64, fraction: Double? = nil, rows: [EncodedRows] = []) {
        self.number = number
        self.fraction = fraction
        self.rows = rows
    }
}

/// Collects one worker's results for the following stages in the same process.
final class LocalEmitter: ClaimEmitter {
    private let store: WorkerStore
    private let encoders: [RowEncoder]
    private let policy: Policy?
    private var spill: RowSpill
    private var mapped = MappedBlock(number: 0)
    private var claimsBefore = 0
    private var block: UInt64 = 0
    private var failure: FileError?
    /// Records the results of the block, if the ledger stores them.
    var recorder: BlockRecorder?

    /// - Parameter folder: the folder for rows that do not fit in memory.
    init(_ store: WorkerStore, _ rules: RuleSet, encoders: [RowEncoder], folder: String) {
        self.store = store
        spill = RowSpill(in: folder)
        self.encoders = encoders
        policy = store.withFigures ? rules.policy : nil
    }

    func begin(_ block: NumberedBlock) {
        mapped = MappedBlock(block, rows: [EncodedRows](repeating: EncodedRows(), count: encoders.count))
        claimsBefore = block.claimsBefore
        self.block = block.number
    }

    func number(of facts: Facts, at index: Int) -> ClaimNumber { ClaimNumber(block: block, index: index) }

    func emit(_ finding: Finding, onClaim number: ClaimNumber, _ basis: FindingBasis) {
        attempt { () throws(FileError) in
            let found = store.named(finding)
            if basis != .byEvidence { recorder?.record(found, ofClaim: number.index) }
            if basis != .overruled { try store.add(found, on: number) }
        }
    }

    func emit(_ facts: Facts, claim number: ClaimNumber) {
        mapped.tally.count(facts)
        for (index, encoder) in encoders.enumerated() where encoder.wantsRows(after: claimsBefore) {
            mapped.rows[index].append(facts, at: number.index, with: encoder)
            if !encoder.isJoined { spillIfLarge(index) }
        }
        store.count(facts)
        recorder?.record(facts, figuresBy: policy)
    }

    func count(inside facts: Facts) { mapped.tally.count(inside: facts) }

    func emit(_ observations: ClaimObservations) {
        attempt { () throws(FileError) in
            guard let noted = try store.add(observations) else { return }
            recorder?.record(claim: noted, ofClaim: observations.presented.claim.index)
        }
    }

    /// Moves rows out of memory if there are many: a hostile receipt may have any number of purchases. The ledger does
    /// not store such a block.
    private func spillIfLarge(_ index: Int) {
        guard mapped.rows[index].bytes.count > RowSpill.pieceSize else { return }
        recorder = nil
        attempt { () throws(FileError) in try spill.take(&mapped.rows[index]) }
    }

    private func attempt(_ body: () throws(FileError) -> Void) {
        guard failure == nil else { return }
        do throws(FileError) { try body() } catch { failure = error }
    }

    func end() throws -> MappedBlock {
        if let failure { throw failure }
        if let failure = store.failure { throw failure }
        return mapped
    }
}
