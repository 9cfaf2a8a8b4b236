import Synchronization

/// Byte buffers that have been used and can be used again.
///
/// A block of claims is some hundred kilobytes. Given back to the system after each block, its pages would have
/// to be cleared by the kernel for the next one, which costs as much as half a signature for each receipt.
public final class BufferPool: Sendable {
    /// Buffers that grew beyond this are let go.
    private static let largest = 4 << 20
    private static let most = 64
    private let buffers = Mutex<[[UInt8]]>([])

    public init() {}

    /// An empty buffer.
    func take() -> [UInt8] {
        var buffer = buffers.withLock { $0.popLast() } ?? []
        // Emptied here and not when it was given back: then its last user may still have been looking at it,
        // and it would have been copied.
        buffer.removeAll(keepingCapacity: true)
        buffer.reserveCapacity(2 * ClaimBlock.fullBytes)
        return buffer
    }

    /// Takes back what a block no longer needs.
    public func reclaim(_ block: inout ClaimBlock) {
        guard (1...Self.largest).contains(block.bytes.capacity) else { return }
        buffers.withLock { buffers in
            guard buffers.count < Self.most else { return }
            buffers.append([])
            swap(&buffers[buffers.count - 1], &block.bytes)
        }
    }
}
