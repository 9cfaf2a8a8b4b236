import Synchronization

/// Byte buffers that have been used and can be used again.
///
/// A block of claims is some hundred kilobytes. Given back to the system after each block, its pages would have
/// to be cleared by the kernel for the next one, which costs as much as half a signature for each receipt.
public final class BufferPool: Sendable {
    private static let most = 64
    private let buffers = Mutex<[ByteArena]>([])

    public init() {}

    /// An empty buffer.
    func take() -> ByteArena {
        var buffer = buffers.withLock { $0.popLast() } ?? ByteArena()
        // Emptied here and not when it was given back: then its last user may still have been looking at it,
        // and it would have been copied.
        buffer.empty()
        return buffer
    }

    /// Takes back what a block no longer needs: the files that were loaded into it. Its text goes back to its source.
    public func reclaim(_ block: inout ClaimBlock) {
        give(&block.files)
        block.pool?.give(&block.text)
    }

    private func give(_ buffer: inout ByteArena) {
        guard buffer.isWorthKeeping else { return }
        buffers.withLock { buffers in
            guard buffers.count < Self.most else { return }
            buffers.append(ByteArena())
            swap(&buffers[buffers.count - 1], &buffer)
        }
    }
}
