/// Where a record is, with its prefix, which settles nearly every comparison.
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
    private static let digitBits: UInt64 = 11
    private static let digits = 3

    /// Sorts by prefix, and what has the same prefix by a comparison.
    ///
    /// Prefixes are mostly hashes, so their first 33 bits tell nearly all records apart: three passes of a radix sort
    /// settle those. What is left is compared.
    mutating func sortByPrefix(_ precedes: (RecordEntry, RecordEntry) -> Bool) {
        guard count > 1 else { return }
        var other = self
        for digit in 0..<Self.digits {
            let shift = 64 - Self.digitBits * UInt64(Self.digits - digit)
            Self.distribute(self, into: &other, shift: shift)
            swap(&self, &other)
        }
        let settled = 64 - Self.digitBits * UInt64(Self.digits)
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

    /// Puts entries in the order of one digit; those with the same digit stay as they were.
    private static func distribute(_ entries: [RecordEntry], into output: inout [RecordEntry], shift: UInt64) {
        let mask: UInt64 = 1 << digitBits - 1
        var positions = [Int](repeating: 0, count: 1 << Int(digitBits))
        for entry in entries { positions[Int(truncatingIfNeeded: entry.prefix >> shift & mask)] += 1 }
        var position = 0
        for digit in positions.indices {
            let count = positions[digit]
            positions[digit] = position
            position += count
        }
        for entry in entries {
            let digit = Int(truncatingIfNeeded: entry.prefix >> shift & mask)
            output[positions[digit]] = entry
            positions[digit] += 1
        }
    }
}
