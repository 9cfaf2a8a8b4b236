/// Records in memory, one after the other, that can be brought into order.
struct RecordBuffer: Sendable {
    private var bytes: [UInt8] = []
    private var entries: [Entry] = []

    /// Where a record is, with its first eight bytes: they settle nearly every comparison.
    private struct Entry {
        var prefix: UInt64
        var start: UInt32
        var count: UInt32
    }

    /// What the records cost, about.
    var byteCount: Int { bytes.count + entries.count * MemoryLayout<Entry>.stride }
    var count: Int { entries.count }
    /// Positions are 32 bits wide.
    func hasRoom(for count: Int) -> Bool { bytes.count + count <= Int(UInt32.max) }

    mutating func append(_ record: Span<UInt8>) {
        let start = bytes.count
        for index in record.indices { bytes.append(record[index]) }
        entries.append(
            Entry(
                prefix: Self.prefix(of: record), start: UInt32(truncatingIfNeeded: start),
                count: UInt32(truncatingIfNeeded: record.count)))
    }

    /// Brings the records into byte order.
    mutating func sort() {
        let bytes = bytes
        entries.sort { first, second in
            if first.prefix != second.prefix { return first.prefix < second.prefix }
            return precedes(Self.record(first, in: bytes.span), Self.record(second, in: bytes.span))
        }
    }

    func withRecord<Result>(_ index: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        body(Self.record(entries[index], in: bytes.span))
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }

    @_lifetime(copy bytes)
    private static func record(_ entry: Entry, in bytes: Span<UInt8>) -> Span<UInt8> {
        bytes.extracting(Int(entry.start)..<Int(entry.start) + Int(entry.count))
    }

    private static func prefix(of record: Span<UInt8>) -> UInt64 {
        var prefix: UInt64 = 0
        for index in 0..<8 { prefix = prefix << 8 | (index < record.count ? UInt64(record[index]) : 0) }
        return prefix
    }
}

/// Byte order; a record comes before every longer one that it begins.
func precedes(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Bool {
    for index in 0..<min(first.count, second.count) where first[index] != second[index] {
        return first[index] < second[index]
    }
    return first.count < second.count
}
