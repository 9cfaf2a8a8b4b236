/// Reads the receipt files that a block names into the block.
///
/// It has no state. It is a stage by itself because reading waits for a disk: with cold files, more
/// readers than cores pay. A block that skips this stage is read by its worker instead.
public struct ClaimLoader: Sendable {
    /// A file or a block beyond this is left to the worker, which holds one file at a time.
    private static let largestFile = 256 << 10
    private static let largestBlock = 4 << 20

    public init() {}

    public func load(_ block: inout ClaimBlock) {
        guard block.shape != .lines else { return }
        for index in block.items.indices {
            guard case .inFile = block.items[index].receipt else { continue }
            do throws(InputFault) {
                guard let range = try load(block.items[index].path, of: &block) else { continue }
                block.items[index].receipt = .loaded(range)
            } catch {
                block.items[index].receipt = .fault(error)
            }
        }
    }

    /// Where the bytes of the file are now, or `nil` if it is left to the worker.
    private func load(_ path: Range<Int>, of block: inout ClaimBlock) throws(InputFault) -> Range<Int>? {
        let file = try block.origin.open(block.arena.terminated(path))
        let status = try file.receiptStatus()
        guard status.size <= Self.largestFile, block.arena.count + status.size <= Self.largestBlock else { return nil }
        return try block.arena.append(file: file, status: status)
    }
}
