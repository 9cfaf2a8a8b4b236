/// Reads the files that a block's claims name, for one reader.
public final class ClaimLoader {
    private let pool: BufferPool
    private var scratch = [UInt8](repeating: 0, count: 64 << 10)

    public init(pool: BufferPool) { self.pool = pool }

    /// Completes a block: what was a path is then bytes, or the reason why not.
    ///
    /// - Returns: whether it had to wait for the disk.
    public func load(_ block: inout ClaimBlock) -> Bool {
        guard let folder = block.folder else { return false }
        let waits = ThreadWaits.count
        if block.bytes.isEmpty { block.bytes = pool.take() }
        for index in block.entries.indices {
            guard case .file(let path) = block.entries[index].receipt else { continue }
            let start = block.bytes.count
            do throws(InputFault) {
                try folder.read(path, appendingTo: &block.bytes, by: &scratch)
                block.entries[index].receipt = .bytes(start..<block.bytes.count)
            } catch {
                block.bytes.removeLast(block.bytes.count - start)
                block.entries[index].receipt = .fault(error)
            }
        }
        return (ThreadWaits.count - waits) * 4 > block.entries.count
    }
}
