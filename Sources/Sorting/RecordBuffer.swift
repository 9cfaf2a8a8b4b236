import Files

/// Records in memory, one after the other, that can be brought into order.
struct RecordBuffer: Sendable {
    /// Room for so many bytes is set aside at once, because making room later copies what is there. What is not
    /// used costs addresses and no memory.
    private static let firstRoom = 64 << 20

    private var bytes: [UInt8] = []
    private var entries: [RecordEntry] = []

    /// Positions are 32 bits wide.
    static let maxBytes = Int(UInt32.max)

    var count: Int { entries.count }
    /// What the records cost, about.
    var byteCount: Int { bytes.count + entries.count * MemoryLayout<RecordEntry>.stride }

    /// - Parameter budget: how many bytes are going to be held at most.
    private mutating func makeRoom(for budget: Int) {
        bytes.reserveCapacity(min(budget, Self.firstRoom))
        entries.reserveCapacity(min(budget, Self.firstRoom) / 2 / MemoryLayout<RecordEntry>.stride)
    }

    /// - Returns: false if the record is not taken, because it would cost more than the budget.
    mutating func append(_ prefix: UInt64, _ record: Span<UInt8>, budget: Int) -> Bool {
        if entries.isEmpty {
            makeRoom(for: budget)
        } else if byteCount + record.count > budget {
            return false
        }
        entries.append(RecordEntry(prefix: prefix, start: bytes.count, count: record.count))
        bytes.append(copying: record)
        return true
    }

    /// Brings the records into order: by prefix, then by bytes.
    mutating func sort() {
        let bytes = bytes
        entries.sortByPrefix { first, second in
            Self.record(first, in: bytes.span).precedes(Self.record(second, in: bytes.span))
        }
    }

    /// Writes all records in the order in which they are.
    func write(to writer: inout FileRunWriter) throws(FileError) {
        let bytes = bytes
        for entry in entries {
            try writer.append(entry.prefix, Self.record(entry, in: bytes.span))
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
    private static func record(_ entry: RecordEntry, in bytes: Span<UInt8>) -> Span<UInt8> {
        bytes.extracting(entry.start..<entry.start + entry.count)
    }
}
