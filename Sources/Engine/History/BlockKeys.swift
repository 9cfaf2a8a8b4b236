import Encodings
import Inputs
import Proofs

/// Makes the keys of stored results: hashes of a block and of everything else that its result depends on. For one
/// thread.
final class BlockKeys {
    private let hasher: ContentHasher
    private let settings: [UInt8]
    private let settledBefore: Int64
    private var identity: [UInt8] = []

    init(_ history: RunHistory) throws(OpenSSLError) {
        hasher = try ContentHasher()
        settings = history.settings
        settledBefore = history.settledBefore
    }

    /// The reason why a key could not be made. Keys made after it are invalid.
    var failure: OpenSSLError? { hasher.failure }

    /// Returns a key from all bytes of the block; `nil` if not all of them were read.
    func key(_ block: ClaimBlock) -> [UInt8]? {
        identity.removeAll(keepingCapacity: true)
        identity += settings
        let hasKey = block.appendIdentity(to: &identity) { $1.append(copying: hasher.digest(of: $0).octets) }
        let identity = identity
        return hasKey ? hasher.digest(of: identity.span).bytes : nil
    }

    /// Returns a key from the status of the block's files; `nil` if there are none, or their status does not suffice.
    func statusKey(_ block: ClaimBlock) -> [UInt8]? {
        identity.removeAll(keepingCapacity: true)
        identity += settings
        guard block.appendIdentityByStatus(to: &identity, settledBefore: settledBefore) else { return nil }
        let identity = identity
        return hasher.digest(of: identity.span).bytes
    }
}

/// Finds blocks by the status of their files before reading them, for one reader's thread.
final class BlockFinder {
    private let stamper = FileStamper()
    private let keys: BlockKeys
    private let reader: any HistoryReader
    private let asOf: Instant

    /// - Returns: `nil` if nothing can be found that way.
    init?(_ history: RunHistory) throws {
        guard history.trustsStatus, let reader = try history.reader() else { return nil }
        self.reader = reader
        asOf = history.asOf
        keys = try BlockKeys(history)
    }

    /// Returns the stored result of the block.
    func find(_ block: ClaimBlock, statusKey: inout [UInt8]?) throws -> StoredBlock? {
        stamper.stamp(block)
        statusKey = keys.statusKey(block)
        if let failure = keys.failure { throw failure }
        guard let statusKey, let found = try reader.block(statusKey: statusKey.span) else { return nil }
        let output = found.output
        return BlockReplay.isTrue(output.span, asOf: asOf) ? found : nil
    }
}

/// How a run got the result of a block.
enum BlockOutcome: Sendable {
    /// The stored result of an earlier run was used. The new key, if any, is added as another key of the result.
    case used(Int64, newStatusKey: [UInt8]?)
    /// The block was checked; `nil` if its result is not stored.
    case checked(NewBlock?)
}
