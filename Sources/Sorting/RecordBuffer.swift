import Files

/// Records in memory, one after the other, that can be brought into order.
struct RecordBuffer: Sendable {
    private var bytes: [UInt8] = []
    private var entries: [Entry] = []

    /// Where a record is, with its prefix, which settles nearly every comparison.
    private struct Entry {
        var prefix: UInt64
        var start: UInt32
        var count: UInt32
    }

    /// Positions are 32 bits wide.
    static let mostBytes = Int(UInt32.max)

    var count: Int { entries.count }
    /// What the records cost, about.
    var byteCount: Int { bytes.count + entries.count * MemoryLayout<Entry>.stride }

    func hasRoom(for count: Int) -> Bool { bytes.count + count <= Self.mostBytes }

    mutating func append(_ prefix: UInt64, _ record: Span<UInt8>) {
        let start = UInt32(truncatingIfNeeded: bytes.count)
        bytes.append(copying: record)
        entries.append(Entry(prefix: prefix, start: start, count: UInt32(truncatingIfNeeded: record.count)))
    }

    /// Brings the records into order: by prefix, then by bytes.
    mutating func sort() {
        let bytes = bytes
        entries.sort { first, second in
            if first.prefix != second.prefix { return first.prefix < second.prefix }
            return precedes(Self.record(first, in: bytes.span), Self.record(second, in: bytes.span))
        }
    }

    func prefix(at index: Int) -> UInt64 { entries[index].prefix }

    func withRecord<Result>(at index: Int, _ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        try body(Self.record(entries[index], in: bytes.span))
    }

    /// The index of the first record whose prefix is not less. The records must be in order.
    func firstIndex(from prefix: UInt64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].prefix < prefix { low = middle + 1 } else { high = middle }
        }
        return low
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }

    @_lifetime(copy bytes)
    private static func record(_ entry: Entry, in bytes: Span<UInt8>) -> Span<UInt8> {
        bytes.extracting(Int(entry.start)..<Int(entry.start) + Int(entry.count))
    }
}

/// Byte order; a record comes before every longer one that it begins.
func precedes(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Bool {
    for index in 0..<min(first.count, second.count) where first[index] != second[index] {
        return first[index] < second[index]
    }
    return first.count < second.count
}
