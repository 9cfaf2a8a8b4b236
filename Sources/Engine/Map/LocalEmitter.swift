public import Checks
public import Encodings
import Files
import Inputs
import Ledgers
public import Rules

/// What came of a block of claims.
struct MappedBlock: Sendable {
    var number: UInt64
    var fraction: Double?
    var tally = Tally()
    /// The claims' rows, in each of the formats.
    var rows: [EncodedRows]
    /// What became of it in a run with a ledger.
    var outcome = BlockOutcome.checked(nil)
    /// In a run with a ledger, a hash of where its claims stand.
    var places: [UInt8] = []

    init(_ block: NumberedBlock, rows: [EncodedRows]) {
        self.init(number: block.number, fraction: block.fraction, rows: rows)
    }

    init(number: UInt64, fraction: Double? = nil, rows: [EncodedRows] = []) {
        self.number = number
        self.fraction = fraction
        self.rows = rows
    }
}

/// Collects what one worker finds out for the stages that follow in the same process.
final class LocalEmitter: ClaimEmitter {
    private let store: WorkerStore
    private let encoders: [RowEncoder]
    private let policy: Policy?
    private var mapped = MappedBlock(number: 0)
    private var claimsBefore = 0
    private var firstClaim: UInt64 = 0
    private var failure: FileError?
    /// Records all that comes of the block, if it is to go to the ledger.
    var recorder: BlockRecorder?

    init(_ store: WorkerStore, _ rules: RuleSet, encoders: [RowEncoder]) {
        self.store = store
        self.encoders = encoders
        policy = store.withFigures ? rules.policy : nil
    }

    func begin(_ block: NumberedBlock) {
        mapped = MappedBlock(block, rows: [EncodedRows](repeating: EncodedRows(), count: encoders.count))
        claimsBefore = block.claimsBefore
        firstClaim = block.claim(at: 0)
    }

    func number(of facts: Facts, at index: Int) -> UInt64 { firstClaim | UInt64(index) }

    func emit(_ finding: Finding, onClaim number: UInt64) {
        attempt { () throws(FileError) in
            let (found, isMarking) = try store.add(finding)
            recorder?.record(found, ofClaim: Int(number & 0xffff))
            guard isMarking else { return }
            try store.add(Mark(finding: found.id, rule: finding.rule, severity: finding.severity), on: number)
        }
    }

    func emit(_ facts: Facts, claim number: UInt64) {
        mapped.tally.count(facts)
        for (index, encoder) in encoders.enumerated() where encoder.wantsRows(after: claimsBefore) {
            mapped.rows[index].append(facts, with: encoder)
        }
        store.count(facts)
        recorder?.record(facts, figuresBy: policy)
    }

    func emit(_ observations: ClaimObservations) {
        attempt { () throws(FileError) in
            guard let noted = try store.add(observations) else { return }
            recorder?.record(noted, ofClaim: Int(observations.presented.claim & 0xffff))
        }
    }

    private func attempt(_ body: () throws(FileError) -> Void) {
        guard failure == nil else { return }
        do throws(FileError) { try body() } catch { failure = error }
    }

    func end() throws -> MappedBlock {
        if let failure { throw failure }
        if let failure = store.cache?.failure ?? store.failure { throw failure }
        return mapped
    }
}

/// Writes rows of the table `receipts` in one format, before it is known what the rules find.
///
/// A row is written at once, as if nothing were found. If something is, the cells `risk` and `rules` in it are
/// replaced in the end.
public struct RowEncoder: Sendable {
    /// Tells the format from others: rows in the ledger are found by it.
    public let name: String
    /// How many of the first rows are wanted; `nil` for all.
    public let maxRows: Int?
    /// Writes a claim's row at the end of some bytes, and says where in them the two cells begin.
    public let encode: @Sendable (Facts, inout [UInt8]) -> Int
    /// Writes what a row of a claim with this source begins with, up to the end of the cell `source`, at the end of
    /// some bytes. A row in the ledger does not have it.
    public let encodeSource: @Sendable (ExactText, inout [UInt8]) -> Void
    /// How many bytes the two cells have while they are empty.
    public let emptyLength: Int
    /// Writes the two cells at the end of some bytes: the highest severity, and the rules' ids joined by `;`.
    public let fill: @Sendable (Severity, String, inout [UInt8]) -> Void

    public init(
        name: String, maxRows: Int? = nil, emptyLength: Int,
        encode: @escaping @Sendable (Facts, inout [UInt8]) -> Int,
        encodeSource: @escaping @Sendable (ExactText, inout [UInt8]) -> Void,
        fill: @escaping @Sendable (Severity, String, inout [UInt8]) -> Void
    ) {
        self.name = name
        self.maxRows = maxRows
        self.emptyLength = emptyLength
        self.encode = encode
        self.encodeSource = encodeSource
        self.fill = fill
    }

    /// Whether any row is wanted of a block that has this many claims before it.
    func wantsRows(after claims: Int) -> Bool { maxRows.map { claims < $0 } ?? true }
}
