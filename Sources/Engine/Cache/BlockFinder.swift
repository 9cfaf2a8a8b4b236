import Encodings
import Inputs
import Ledgers
import Proofs

/// Finds blocks by the status of their files, before these are read, for one reader's thread.
final class BlockFinder {
    private let stamper = FileStamper()
    private let keys: BlockKeys
    private let reader: LedgerReader
    private let asOf: Instant

    /// - Returns: `nil` if there is nothing to be found that way.
    init?(_ memory: RunCache) throws {
        guard memory.trustsStatus, memory.hasBlocks else { return nil }
        asOf = memory.asOf
        keys = try BlockKeys(memory)
        reader = try memory.reader()
    }

    /// What came of the block when it was judged.
    func find(_ block: ClaimBlock, statusKey: inout [UInt8]?) throws -> LedgerBlock? {
        stamper.stamp(block)
        statusKey = keys.statusKey(block)
        if let failure = keys.failure { throw failure }
        guard let statusKey, let found = try reader.block(statusKey: statusKey.span) else { return nil }
        let output = found.output
        return BlockReplay.isTrue(output.span, asOf: asOf) ? found : nil
    }
}
