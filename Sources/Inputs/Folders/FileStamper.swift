internal import Files

/// Looks at the files of blocks without reading them, for one thread.
///
/// Files come folder by folder. The last folder is kept open, so that a file costs one call of the system. What is no
/// plain file in it is looked at with more care.
public final class FileStamper {
    private var fence: ConfinedDirectory?
    private var path: [UInt8] = []
    private var folder: FileDescriptor?

    public init() {}

    /// Notes of each file of a block what tells it from others, or why there is none.
    public func stamp(_ block: ClaimBlock) {
        guard block.shape != .lines else { return }
        block.stamps = Array(repeating: nil, count: block.items.count)
        for index in block.items.indices {
            guard case .inFile = block.items[index].receipt else { continue }
            let path = block.items[index].path
            do throws(InputFault) {
                if let status = plainStatus(path, of: block) {
                    block.stamps[index] = status
                } else {
                    block.stamps[index] = try Self.anyStatus(path, of: block)
                }
            } catch {
                block.items[index].receipt = .fault(error)
            }
        }
    }

    /// The status of a regular file that is no link and no giant; `nil` if it may be anything else.
    private func plainStatus(_ path: Range<Int>, of block: ClaimBlock) -> FileStatus? {
        let text = block.text
        guard let fence = block.origin.folder, path.upperBound < text.count else { return nil }
        let name = path.lowerBound + (text.span(path).lastIndex(of: 0x2f).map { $0 + 1 } ?? 0)
        guard enter(text.span(path.lowerBound..<name), of: fence) else { return nil }
        guard let status = try? folder?.status(of: text.span(name..<path.upperBound + 1)), status.isRegular,
            status.size <= ReceiptLimit.bytes
        else { return nil }
        return status
    }

    /// Opens the folder with this path, without links on the way, unless it is open.
    private func enter(_ path: Span<UInt8>, of fence: ConfinedDirectory) -> Bool {
        if folder != nil, fence === self.fence, path.isSame(as: self.path) { return true }
        self.path.removeAll(keepingCapacity: true)
        for index in path.indices { self.path.append(path[index]) }
        self.fence = fence
        folder = try? fence.open((self.path + [0x2e, 0]).span, .folder)
        return folder != nil
    }

    private static func anyStatus(_ path: Range<Int>, of block: ClaimBlock) throws(InputFault) -> FileStatus {
        try block.origin.open(path, in: block.text, .status).receiptStatus()
    }
}

extension Span<UInt8> {
    fileprivate func lastIndex(of byte: UInt8) -> Int? {
        var index = count - 1
        while index >= 0 {
            if self[index] == byte { return index }
            index -= 1
        }
        return nil
    }
}
