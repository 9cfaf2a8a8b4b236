import Proofs

/// What became of a block in a run that remembers.
enum BlockOutcome: Sendable {
    /// It was not judged again: what came of it is in the ledger.
    case used(Int64, BlockKey, statusKey: [UInt8]?)
    /// It was judged; `nil` if what came of it cannot be kept.
    case judged(BlockRecord?)
}

/// What came of a block, to be kept.
struct BlockRecord: Sendable {
    var key: BlockKey
    var statusKey: [UInt8]?
    var output: [UInt8]
}

/// A block that was met in an earlier run, and whose claims' keys have not been noted.
struct PostponedBlock {
    /// Its number in the ledger.
    var id: Int64
    /// The number of its first claim in this run.
    var firstClaim: UInt64
    /// How many formats its rows were written in.
    var formats: Int
}

/// A hash of a block and of all that decides what comes of it.
struct BlockKey: Sendable {
    /// Stands for any block that has no key.
    static let none = BlockKey([UInt8](repeating: 0, count: 32))

    let octets: [UInt8]

    init(_ octets: [UInt8]) { self.octets = octets }

    init(_ digest: Digest) { octets = digest.bytes }
}

/// How much a run did not have to do again.
public struct CacheUse: Sendable {
    /// How many claims were in blocks that were not judged again.
    public internal(set) var remembered = 0
    /// How many signatures were verified.
    public internal(set) var verified = 0
}
