import Encodings

/// Decides where a block of claims ends: at a row with a matching hash, like the content-defined chunks of rsync and
/// restic.
///
/// Blocks must not depend on the numbers of rows. If rows are inserted, removed or moved, only the blocks around the
/// change are new, and a ledger knows all others.
struct BlockBoundary: Sendable {
    /// The minimum number of rows of a block, unless it has ``minBytes``.
    static let minCount = 32
    /// The maximum number of rows of a block.
    static let maxCount = 256
    /// The mean number of further rows after ``minCount``, so that blocks have 120 rows on average.
    private static let meanCount: UInt64 = 96
    /// The same limits in bytes of text, because rows with receipts are long.
    static let minBytes = 64 << 10
    static let maxBytes = 768 << 10
    private static let meanBytes: UInt64 = 160 << 10

    private var count = 0
    private var bytes = 0
    /// Whether the block ends after the last row.
    private(set) var isReached = false

    /// Adds a row: all its text that belongs to the block's identity, or a range that contains it.
    mutating func add(_ row: Span<UInt8>) {
        count += 1
        bytes += row.count
        guard count >= Self.minCount || bytes >= Self.minBytes else { return }
        // A long row ends a block more often than a short one.
        let share = min(UInt64(row.count), Self.meanBytes)
        let limit = max(UInt64.max / Self.meanCount, UInt64.max / Self.meanBytes * share)
        isReached = RowHash(row).value < limit || count >= Self.maxCount || bytes >= Self.maxBytes
    }
}

/// A hash of a row from at most some of its words, because receipts of several kilobytes differ everywhere.
///
/// Rows with the same hash only make blocks longer or shorter, within their limits.
private struct RowHash {
    /// The number of bytes of a longer row that are hashed at its beginning and at its end, where the cells are that
    /// differ among claims of one receipt.
    private static let head = 64
    private static let tail = 128
    /// The number of words that are hashed in between.
    private static let samples = 12

    private var sum: UInt64
    private var factor: UInt64 = 0xbf58_476d_1ce4_e5b9

    init(_ row: Span<UInt8>) {
        sum = UInt64(row.count) &* 0x9e37_79b9_7f4a_7c15 ^ 0xcbf2_9ce4_8422_2325
        guard row.count > Self.head + Self.tail + 8 * Self.samples else {
            add(row)
            return
        }
        add(row.extracting(first: Self.head))
        let step = (row.count - Self.head - Self.tail) / Self.samples
        for sample in 0..<Self.samples {
            let start = Self.head + sample * step
            add(row.extracting(start..<start + 8))
        }
        add(row.extracting(last: Self.tail))
    }

    var value: UInt64 { stableMix(sum) }

    private mutating func add(_ bytes: Span<UInt8>) {
        var index = 0
        while index &+ 8 <= bytes.count {
            add(bytes.littleEndian(at: index))
            index &+= 8
        }
        guard index < bytes.count else { return }
        var rest: UInt64 = 0
        while index < bytes.count {
            rest = rest << 8 | UInt64(bytes[index])
            index &+= 1
        }
        add(rest)
    }

    /// Adds a word with a product that does not depend on the previous one.
    private mutating func add(_ word: UInt64) {
        sum &+= (word ^ factor) &* factor
        factor &+= 0x9e37_79b9_7f4a_7c16
    }
}
