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
    private let folder: String
    private var mapped = MappedBlock(number: 0)
    private var block: UInt64 = 0
    private var failure: FileError?

    /// - Parameter folder: the folder for rows that do not fit in memory.
    init(_ store: WorkerStore, encoders: [RowEncoder], folder: String) {
        self.store = store
        self.folder = folder
        self.encoders = encoders
    }

    func begin(_ block: NumberedBlock) {
        mapped = MappedBlock(block, rows: [EncodedRows](repeating: EncodedRows(), count: encoders.count))
        self.block = block.number
    }

    func number(of facts: Facts, at index: Int) -> ClaimNumber { ClaimNumber(block: block, index: index) }

    func emit(_ finding: Finding, onClaim number: ClaimNumber) {
        attempt { () throws(FileError) in try store.add(store.named(finding), on: number) }
    }

    func emit(_ facts: Facts, claim number: ClaimNumber) {
        mapped.tally.count(facts)
        for (index, encoder) in encoders.enumerated() {
            mapped.rows[index].append(facts, at: number.index, with: encoder)
            if encoder.complete != nil {
                attempt { () throws(FileError) in try mapped.rows[index].spillIfLarge(to: folder) }
            }
        }
        store.count(facts)
    }

    func count(inside facts: Facts) { mapped.tally.count(inside: facts) }

    func emit(_ observations: ClaimObservations) {
        attempt { () throws(FileError) in try store.add(observations, ofInput: mapped.input) }
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
