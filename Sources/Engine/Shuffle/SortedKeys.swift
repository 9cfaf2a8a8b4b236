import Files
import Rules
import Sorting

/// Entries of ``KeyLog``s sorted by hash and then by identity, read from the front.
protocol SortedKeys {
    var isAtEnd: Bool { get }
    /// The hash of the next entry. There must be one, here and below.
    var hash: UInt64 { get }
    var key: KeyRecord { get }
    /// Whether it is known that no other entry has its hash. Valid for the first entry with a hash.
    var isAlone: Bool { get }
    mutating func advance() throws(FileError)
}

extension [KeyPieces] {
    /// Passes the entries of a slice to a picker.
    ///
    /// - Parameter storage: the storage for sorting them. If very many claims have one key, its slice is large.
    func pick(slice: Int, _ storage: Storage, with picker: RepeatedKeys, isStopped: () -> Bool) throws {
        let width = first?.width ?? 4
        let count = reduce(0) { $0 + $1.count(inSlice: slice) }
        // Sorting needs the same amount again.
        guard count * 16 > storage.memory else {
            var words: [UInt64] = []
            words.reserveCapacity(count)
            for pieces in self { try pieces.append(slice: slice, to: &words) }
            return try picker.pick(from: KeySlice(sorting: words, width: width), isStopped: isStopped)
        }
        var sorter = KeySorter(width: width, storage)
        var words: [UInt64] = []
        for pieces in self { try pieces.append(slice: slice, to: &words) { words in try sorter.take(&words) } }
        try picker.pick(from: sorter.finish(), isStopped: isStopped)
    }
}

/// The entries of one slice, sorted in memory.
struct KeySlice: SortedKeys {
    private let width: Int
    private let words: [UInt64]
    private var index = 0

    /// - Parameter words: entries of `width` words, all with the same first byte.
    init(sorting words: consuming [UInt64], width: Int) {
        self.width = width
        var sorting = Sorting(words: words, width: width)
        sorting.sort()
        self.words = sorting.words
    }

    var isAtEnd: Bool { index == words.count }
    var hash: UInt64 { words[index] }
    var key: KeyRecord {
        KeyRecord(
            word: words[index + 1], trait: ClaimTrait(who: words[index + 2], what: words[index + 3]),
            identity: width == 5 ? words[index + 4] : 0)
    }
    var isAlone: Bool { index + width == words.count || words[index + width] != words[index] }

    mutating func advance() { index += width }
}

/// Two passes of a radix sort settle the 22 bits after the first byte, which distinguish nearly all hashes. The rest is
/// compared, and so is everything if there are few entries.
private struct Sorting {
    /// Below this number of entries, comparing all is faster than two tables of 2,048 digits.
    private static let entriesForTables = 192
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
        guard words.count >= Self.entriesForTables * width else { return compare(0..<words.count) }
        var other = [UInt64](repeating: 0, count: words.count)
        distribute(words, into: &other, shift: 64 - Self.settledBits)
        distribute(other, into: &words, shift: 64 - Self.settledBits + Self.digitBits)
        var start = 0
        while start < words.count {
            var end = start + width
            var isOrdered = true
            while end < words.count, (words[end] ^ words[start]) >> (64 - Self.settledBits) == 0 {
                isOrdered = isOrdered && width == 4 && words[end] == words[start]
                end += width
            }
            if !isOrdered { compare(start..<end) }
            start = end
        }
    }

    /// Sorts entries by one digit, stably.
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
            let identity: UInt64 = width == 5 ? words[index + 4] : 0
            return (hash: words[index], identity: identity, word: words[index + 1], place: index)
        }
        let unsorted = Array(words[range])
        var index = range.lowerBound
        for entry in entries.sorted(by: { ($0.hash, $0.identity, $0.word) < ($1.hash, $1.identity, $1.word) }) {
            let place = entry.place - range.lowerBound
            for word in 0..<width { words[index + word] = unsorted[place + word] }
            index += width
        }
    }
}

/// Sorts the entries of a slice that is too large for memory.
struct KeySorter {
    private let width: Int
    private let sorter: RecordSorter
    private let budget: Int
    private var record: [UInt8] = []

    init(width: Int, _ storage: Storage) {
        self.width = width
        budget = storage.memory / 2
        sorter = RecordSorter(budget: budget, folder: storage.folder)
    }

    /// Takes entries, and leaves the array empty.
    mutating func take(_ words: inout [UInt64]) throws(FileError) {
        for index in stride(from: 0, to: words.count, by: width) {
            record.removeAll(keepingCapacity: true)
            if width == 5 { record.append(bigEndian: words[index + 4]) }
            for word in 1...3 { record.append(bigEndian: words[index + word]) }
            try sorter.add(words[index], record.span)
        }
        words.removeAll(keepingCapacity: true)
    }

    func finish() throws(FileError) -> MergedKeys {
        MergedKeys(merge: try RunMerge(sorter.finish(), budget: budget), width: width)
    }
}

/// Entries that were sorted in files.
struct MergedKeys: SortedKeys {
    fileprivate var merge: RunMerge
    fileprivate let width: Int

    var isAtEnd: Bool { merge.isAtEnd }
    var hash: UInt64 { merge.prefix }
    var isAlone: Bool { false }

    var key: KeyRecord {
        merge.withRecord { record in
            let start = width == 5 ? 8 : 0
            return KeyRecord(
                word: record.bigEndian(at: start),
                trait: ClaimTrait(who: record.bigEndian(at: start + 8), what: record.bigEndian(at: start + 16)),
                identity: width == 5 ? record.bigEndian(at: 0) : 0)
        }
    }

    mutating func advance() throws(FileError) { try merge.advance() }
}

extension Span<UInt8> {
    /// Returns the eight bytes from here on as a number, the most significant first.
    func bigEndian(at start: Int) -> UInt64 { (start..<start + 8).reduce(0) { $0 << 8 | UInt64(self[$1]) } }
}
