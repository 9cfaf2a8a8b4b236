/// Reads the files that a block's claims name, for one reader.
///
/// A block that skips this stage, and a file that is too large for it, is read by the decoder.
public final class ClaimLoader {
    /// What is beyond this is left to the decoder, which holds one file at a time.
    private static let largestFile = 256 << 10
    private static let largestBlock = 4 << 20

    private let pool: BufferPool
    /// Whether blocks are to know what tells their files from others.
    private let stampsFiles: Bool

    /// - Parameter stampsFiles: whether ``ClaimBlock/appendIdentityByStatus(to:settledBefore:)`` is to be asked for.
    public init(pool: BufferPool, stampsFiles: Bool = false) {
        self.pool = pool
        self.stampsFiles = stampsFiles
    }

    /// Completes a block: what was a path is then bytes, or the reason why not.
    ///
    /// - Returns: whether it had to wait for the disk.
    public func load(_ block: inout ClaimBlock) -> Bool {
        guard block.shape != .lines else { return false }
        let waits = ThreadWaits.count
        if stampsFiles { block.stamps = Array(repeating: nil, count: block.items.count) }
        for index in block.items.indices {
            guard case .inFile = block.items[index].receipt else { continue }
            if block.files.isNew { block.files = pool.take() }
            do throws(InputFault) {
                guard let range = try load(index, of: block) else { continue }
                block.items[index].receipt = .loaded(range)
            } catch {
                block.items[index].receipt = .fault(error)
            }
        }
        return (ThreadWaits.count - waits) * 4 > block.items.count
    }

    /// Where the bytes of the file are now, or `nil` if it is left to the decoder.
    private func load(_ index: Int, of block: ClaimBlock) throws(InputFault) -> Range<Int>? {
        let file = try block.origin.open(block.items[index].path, in: block.text)
        let status = try file.receiptStatus()
        if stampsFiles { block.stamps[index] = status }
        guard status.size <= Self.largestFile, block.files.count + status.size <= Self.largestBlock else { return nil }
        return try block.files.append(file: file, status: status)
    }
}
