/// Reads the files that a block's claims name, for one reader.
public struct ClaimLoader {
    public init() {}

    /// Completes a block: what was a path is then bytes, or the reason why not.
    public func load(_ block: inout ClaimBlock) {
        guard let folder = block.folder else { return }
        for index in block.entries.indices {
            guard case .file(let path) = block.entries[index].receipt else { continue }
            let start = block.bytes.count
            do throws(InputFault) {
                try folder.read(path, appendingTo: &block.bytes)
                block.entries[index].receipt = .bytes(start..<block.bytes.count)
            } catch {
                block.bytes.removeLast(block.bytes.count - start)
                block.entries[index].receipt = .fault(error)
            }
        }
    }
}
