/// The position of a record, with its prefix, which decides nearly every comparison.
struct RecordEntry: Sendable {
    let prefix: UInt64
    private let position: UInt32
    private let length: UInt32

    init(prefix: UInt64, start: Int, count: Int) {
        self.prefix = prefix
        position = UInt32(truncatingIfNeeded: start)
        length = UInt32(truncatingIfNeeded: count)
    }

    var start: Int { Int(position) }
    var count: Int { Int(length) }
}

extension [RecordEntry] {
    /// Sorts by prefix, and records with equal prefixes by a comparison.
    ///
    /// Prefixes are mostly hashes, so their first 33 bits differ in nearly all records: three passes of a radix sort
    /// order those. The rest is compared.
    mutating func sortByPrefix(_ precedes: (RecordEntry, RecordEntry) -> Bool) {
        guard count > 1 else { return }
        var other = self
        let settled = 64 - 3 * RadixPass.digitBits
        for pass in 0..<3 {
            var pass = RadixPass(shift: settled + RadixPass.digitBits * pass)
            for entry in self { pass.count(entry.prefix) }
            pass.beginPlacing()
            for entry in self { other[pass.place(entry.prefix)] = entry }
            swap(&self, &other)
        }
        var start = 0
        while start < count {
            var end = start + 1
            while end < count, self[end].prefix >> settled == self[start].prefix >> settled { end += 1 }
            if end - start > 1 {
                self[start..<end].sort { $0.prefix == $1.prefix ? precedes($0, $1) : $0.prefix < $1.prefix }
            }
            start = end
        }
    }
}

/// One pass of a radix sort, by eleven bits of each key: first all keys are counted, then each is placed. Equal digits
/// keep their order, so passes start with the least significant digit.
public struct RadixPass {
    /// The number of bits of a digit.
    public static let digitBits = 11

    @usableFromInline let shift: UInt64
    /// The number of entries per digit, then the position of the next one.
    @usableFromInline var positions = [Int](repeating: 0, count: 1 << digitBits)

    /// - Parameter shift: the position of the digit's least significant bit in a key.
    public init(shift: Int) { self.shift = UInt64(shift) }

    @inlinable
    func digit(of key: UInt64) -> Int { Int(truncatingIfNeeded: key >> shift) & (1 << Self.digitBits - 1) }

    /// Counts an entry.
    @inlinable
    public mutating func count(_ key: UInt64) { positions[digit(of: key)] &+= 1 }

    /// Ends the counting.
    public mutating func beginPlacing() {
        var position = 0
        for digit in positions.indices {
            let count = positions[digit]
            positions[digit] = position
            position += count
        }
    }

    /// Returns the position of the next entry with this key: the number of entries before it.
    @inlinable
    public mutating func place(_ key: UInt64) -> Int {
        let digit = digit(of: key)
        defer { positions[digit] &+= 1 }
        return positions[digit]
    }
}
