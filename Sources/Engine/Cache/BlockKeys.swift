import Encodings
import Inputs
import Ledgers
import Proofs

/// A hash of a block and of everything that its result depends on.
struct BlockKey: Sendable {
    /// Stands for any block that has no key.
    static let none = BlockKey([UInt8](repeating: 0, count: 32))

    let octets: [UInt8]

    init(_ octets: [UInt8]) { self.octets = octets }

    init(_ digest: Digest) { octets = digest.bytes }
}

/// Makes the keys under which blocks are stored in the ledger, for one thread.
final class BlockKeys {
    private let hasher: ContentHasher
    private let settings: [UInt8]
    private let settledBefore: Int64
    private var identity: [UInt8] = []

    init(_ cache: RunCache) throws(OpenSSLError) {
        hasher = try ContentHasher()
        settings = cache.settings
        settledBefore = cache.settledBefore
    }

    /// Why a key could not be made; those since then are not to be used.
    var failure: OpenSSLError? { hasher.failure }

    /// By the bytes of all that the block holds; `nil` if they have not all been read.
    func key(_ block: ClaimBlock) -> BlockKey? {
        identity.removeAll(keepingCapacity: true)
        identity += settings
        let hasKey = block.appendIdentity(to: &identity) { $1.append(copying: hasher.digest(of: $0).octets) }
        let identity = identity
        return hasKey ? BlockKey(hasher.digest(of: identity.span)) : nil
    }

    /// By what the system says of the block's files; `nil` if there are none, or if it says too little.
    func statusKey(_ block: ClaimBlock) -> [UInt8]? {
        identity.removeAll(keepingCapacity: true)
        identity += settings
        guard block.appendIdentityByStatus(to: &identity, settledBefore: settledBefore) else { return nil }
        let identity = identity
        return hasher.digest(of: identity.span).bytes
    }
}

/// Finds blocks by the status of their files, before these are read, for one reader's thread.
final class BlockFinder {
    private let stamper = FileStamper()
    private let keys: BlockKeys
    private let reader: LedgerReader
    private let asOf: Instant

    /// - Returns: `nil` if there is nothing to be found that way.
    init?(_ cache: RunCache) throws {
        guard cache.trustsStatus, cache.hasBlocks else { return nil }
        asOf = cache.asOf
        keys = try BlockKeys(cache)
        reader = try cache.reader()
    }

    /// Returns the stored result of the block.
    func find(_ block: ClaimBlock, statusKey: inout [UInt8]?) throws -> LedgerBlock? {
        stamper.stamp(block)
        statusKey = keys.statusKey(block)
        if let failure = keys.failure { throw failure }
        guard let statusKey, let found = try reader.block(statusKey: statusKey.span) else { return nil }
        let output = found.output
        return BlockReplay.isTrue(output.span, asOf: asOf) ? found : nil
    }
}

/// How a run with a ledger got the result of a block.
enum BlockOutcome: Sendable {
    /// It was not checked again: its result is in the ledger.
    case used(Int64, BlockKey, statusKey: [UInt8]?)
    /// It was checked; `nil` if its result cannot be stored.
    case checked(BlockRecord?)
}

/// The result of a block, to be stored.
struct BlockRecord: Sendable {
    var key: BlockKey
    var statusKey: [UInt8]?
    var output: [UInt8]
}
