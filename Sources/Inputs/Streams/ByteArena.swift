import Encodings
import Files
internal import Glibc
import Synchronization

/// A growing buffer of bytes for consecutive texts and files, in reusable memory.
///
/// Ranges are valid until it is emptied. Emptying keeps the memory, which is cleared only once, when it is new: bytes
/// beyond ``count`` have no meaning.
package struct ByteArena: Sendable {
    private var storage: [UInt8] = []
    package private(set) var count = 0

    package init() {}

    /// The maximum size of a reusable arena, and the maximum growth at a time, in bytes.
    private static let maxReusable = 4 << 20

    /// Returns the bytes of a range, clamped to the arena.
    @_lifetime(borrow self)
    package func span(_ range: Range<Int>) -> Span<UInt8> {
        storage.span.extracting(range.clamped(to: 0..<count))
    }

    /// Returns a path with its trailing NUL.
    @_lifetime(borrow self)
    func terminated(_ path: Range<Int>) -> Span<UInt8> { span(path.lowerBound..<(path.upperBound + 1)) }

    subscript(position: Int) -> UInt8 {
        get { storage[position] }
        set { storage[position] = newValue }
    }

    /// Whether it has no memory yet.
    var isNew: Bool { storage.isEmpty }

    /// Whether it has memory, and not more than a pool should keep.
    var isReusable: Bool { (1...Self.maxReusable).contains(storage.count) }

    package mutating func empty() { count = 0 }

    /// Removes everything from `position` on.
    mutating func cut(at position: Int) { count = min(count, position) }

    /// Removes a number of bytes from the front.
    mutating func removeFirst(_ length: Int) {
        let end = count
        guard (1...max(1, end)).contains(length) else { return }
        unsafe storage.withUnsafeMutableBytes { bytes in
            unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[length..<end]))
        }
        count = end - length
    }

    /// Makes sure that a number of bytes can be appended.
    mutating func reserve(_ free: Int) {
        let missing = count + free - storage.count
        guard missing > 0 else { return }
        storage.append(zeros: max(missing, min(storage.count, Self.maxReusable)))
    }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        storage[count] = byte
        count += 1
    }

    @discardableResult
    mutating func append(_ bytes: Span<UInt8>) -> Range<Int> {
        unsafe bytes.withUnsafeBytes { unsafe append(copying: $0) }
    }

    @discardableResult
    mutating func append(copying bytes: UnsafeRawBufferPointer) -> Range<Int> {
        let start = count
        unsafe append(atMost: bytes.count) { free in
            unsafe free.copyMemory(from: bytes)
            return bytes.count
        }
        return start..<count
    }

    /// Appends the bytes that `body` writes into the free space. It returns their number.
    @discardableResult
    mutating func append(atMost free: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
        reserve(free)
        let start = count
        let written = unsafe storage.withUnsafeMutableBytes { bytes in
            unsafe body(UnsafeMutableRawBufferPointer(rebasing: bytes[start..<(start + free)]))
        }
        count += min(max(written, 0), free)
        return count - start
    }

    /// Appends the next bytes of a file and returns their number, which is 0 at the end.
    mutating func read(_ file: borrowing FileDescriptor, atMost free: Int) throws(SystemError) -> Int {
        var failure: SystemError?
        let count = unsafe append(atMost: free) { bytes in
            do throws(SystemError) {
                return unsafe try file.read(into: bytes)
            } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
        return count
    }

    /// Appends bytes of another arena.
    mutating func append(_ range: Range<Int>, of other: ByteArena) { append(other.span(range)) }

    /// Returns the first index of a byte, from a position on, using memchr(3), because all of the input is searched for
    /// line ends.
    func firstIndex(of byte: UInt8, from start: Int) -> Int? { firstIndex(of: byte, in: min(start, count)..<count) }

    /// Returns the first index of a byte within a range.
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        let (start, rest) = (range.lowerBound, span(range))
        return unsafe rest.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let found = unsafe memchr(base, CInt(byte), bytes.count) else {
                return nil
            }
            return unsafe start + (UnsafeRawPointer(found) - base)
        }
    }

    /// The length of UTF-8's byte order marks at the front.
    var byteOrderMark: Int { span(0..<count).byteOrderMarks }

    /// Returns a range without the blanks at its ends.
    func withoutBlanks(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, self[start].isBlank { start += 1 }
        while start < end, self[end - 1].isBlank { end -= 1 }
        return start..<end
    }
}

extension ByteArena {
    /// Appends a copy of a range of itself.
    mutating func appendCopy(of range: Range<Int>) -> Range<Int> {
        let start = count
        for position in range { append(self[position]) }
        return start..<count
    }

    /// Returns a range without a line break, CR LF, LF or CR, at its end.
    func withoutLineEnd(_ range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        if end > range.lowerBound, self[end - 1] == 0x0a { end -= 1 }
        if end > range.lowerBound, self[end - 1] == 0x0d { end -= 1 }
        return range.lowerBound..<end
    }
}

/// A pool of used buffers.
///
/// A block of claims has some hundred kilobytes. If it were freed after each block, the kernel would have to clear its
/// pages for the next one, which costs as much as half a signature per receipt.
public final class BufferPool: Sendable {
    private static let max = 64
    private let buffers = Mutex<[ByteArena]>([])

    public init() {}

    /// Returns an empty buffer.
    func take() -> ByteArena {
        var buffer = buffers.withLock { $0.popLast() } ?? ByteArena()
        // Emptied here and not when it was returned: its last user might still have been reading it, and it would have
        // been copied.
        buffer.empty()
        return buffer
    }

    /// Takes back the buffers of a block that is no longer needed: the loaded files into this pool, the text into the
    /// pool of its source.
    public func reclaim(_ block: inout ClaimBlock) {
        give(&block.files)
        block.pool?.give(&block.text)
    }

    private func give(_ buffer: inout ByteArena) {
        guard buffer.isReusable else { return }
        buffers.withLock { buffers in
            guard buffers.count < Self.max else { return }
            buffers.append(ByteArena())
            swap(&buffers[buffers.count - 1], &buffer)
        }
    }
}
