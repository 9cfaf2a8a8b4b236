internal import Glibc

/// Bytes of many small things, end to end, in memory that is used again.
///
/// Ranges into it stay good until it is emptied. Emptying keeps the memory, and memory is
/// cleared once only, when it is new: bytes beyond ``count`` have no meaning.
package struct ByteArena: Sendable {
    private var storage: [UInt8] = []
    package private(set) var count = 0

    package init() {}

    /// Beyond this an arena is let go, and grows by no more than this at a time.
    private static let keptAtMost = 4 << 20

    /// The bytes of one thing. A range that does not lie in the arena is empty.
    @_lifetime(borrow self)
    package func span(_ range: Range<Int>) -> Span<UInt8> {
        storage.span.extracting(range.clamped(to: 0..<count))
    }

    /// The same with the NUL behind it, as the system wants a path.
    @_lifetime(borrow self)
    func terminated(_ path: Range<Int>) -> Span<UInt8> { span(path.lowerBound..<(path.upperBound + 1)) }

    subscript(position: Int) -> UInt8 {
        get { storage[position] }
        set { storage[position] = newValue }
    }

    /// Whether it has never held anything.
    var isNew: Bool { storage.isEmpty }

    /// Whether there is memory in it, and not more than a pool should hold on to.
    var isWorthKeeping: Bool { (1...Self.keptAtMost).contains(storage.count) }

    package mutating func empty() { count = 0 }

    /// Forgets everything from `position` on.
    mutating func cut(at position: Int) { count = min(count, position) }

    /// Sees to it that so many bytes can be appended.
    mutating func reserve(_ free: Int) {
        let missing = count + free - storage.count
        guard missing > 0 else { return }
        storage.append(contentsOf: repeatElement(0, count: max(missing, min(storage.count, Self.keptAtMost))))
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

    /// Appends what `body` writes into the free bytes; it returns how many it wrote.
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

    /// Appends bytes of another arena.
    mutating func append(_ range: Range<Int>, of other: ByteArena) { append(other.span(range)) }

    /// Where a byte stands first, from a position on: memchr(3), because line ends are looked for in all of the input.
    func firstIndex(of byte: UInt8, from start: Int) -> Int? { firstIndex(of: byte, in: min(start, count)..<count) }

    /// Where a byte occurs first within a range.
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        let (start, rest) = (range.lowerBound, span(range))
        return unsafe rest.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let found = unsafe memchr(base, CInt(byte), bytes.count) else {
                return nil
            }
            return unsafe start + (UnsafeRawPointer(found) - base)
        }
    }

    /// How many bytes at the front are UTF-8's byte order mark: three or none.
    var byteOrderMark: Int { span(0..<count).byteOrderMark }
}
