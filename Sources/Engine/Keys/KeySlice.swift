import Files

/// The entries of one slice, sorted in memory.
struct KeySlice: SortedKeys {
    private let width: Int
    private let words: [UInt64]
    private var index = 0

    /// - Parameter words: entries of so many words, all with the same first octet.
    init(sorting words: consuming [UInt64], width: Int) {
        self.width = width
        var sorting = Sorting(words: words, width: width)
        sorting.sort()
        self.words = sorting.words
    }

    var isAtEnd: Bool { index == words.count }
    var hash: UInt64 { words[index] }
    var key: KeyRecord { KeyRecord(word: words[index + 1], identity: width == 3 ? words[index + 2] : 0) }
    var isAlone: Bool { index + width == words.count || words[index + width] != words[index] }

    mutating func advance() { index += width }
}

/// Two passes of a radix sort settle the 22 bits behind the first octet, which tell nearly all hashes apart. What is left
/// is compared.
private struct Sorting {
    private static let digitBits: UInt64 = 11
    private static let settledBits: UInt64 = 8 + 2 * digitBits

    private(set) var words: [UInt64]
    private let width: Int

    init(words: consuming [UInt64], width: Int) {
        self.words = words
        self.width = width
    }

    mutating func sort() {
        guard words.count > width else { return }
        var other = [UInt64](repeating: 0, count: words.count)
        distribute(words, into: &other, shift: 64 - Self.settledBits)
        distribute(other, into: &words, shift: 64 - Self.settledBits + Self.digitBits)
        var start = 0
        while start < words.count {
            var end = start + width
            var isOrdered = true
            while end < words.count, (words[end] ^ words[start]) >> (64 - Self.settledBits) == 0 {
                isOrdered = isOrdered && width == 2 && words[end] == words[start]
                end += width
            }
            if !isOrdered { compare(start..<end) }
            start = end
        }
    }

    /// Puts entries in the order of one digit; those with the same digit stay as they were.
    private func distribute(_ words: [UInt64], into output: inout [UInt64], shift: UInt64) {
        let mask: UInt64 = 1 << Self.digitBits - 1
        var positions = [Int](repeating: 0, count: 1 << Int(Self.digitBits))
        for index in stride(from: 0, to: words.count, by: width) {
            positions[Int(truncatingIfNeeded: words[index] >> shift & mask)] += width
        }
        var position = 0
        for digit in positions.indices {
            let count = positions[digit]
            positions[digit] = position
            position += count
        }
        for index in stride(from: 0, to: words.count, by: width) {
            let digit = Int(truncatingIfNeeded: words[index] >> shift & mask)
            let position = positions[digit]
            for word in 0..<width { output[position + word] = words[index + word] }
            positions[digit] += width
        }
    }

    /// Sorts some entries by hash and, if there are identities, by these.
    private mutating func compare(_ range: Range<Int>) {
        let entries = stride(from: range.lowerBound, to: range.upperBound, by: width).map { index in
            (hash: words[index], word: words[index + 1], identity: width == 3 ? words[index + 2] : 0)
        }
        var index = range.lowerBound
        for entry in entries.sorted(by: { ($0.hash, $0.identity, $0.word) < ($1.hash, $1.identity, $1.word) }) {
            words[index] = entry.hash
            words[index + 1] = entry.word
            if width == 3 { words[index + 2] = entry.identity }
            index += width
        }
    }
}
