public import Files

/// Sorts any number of records in bounded memory, on one thread.
///
/// A record is a prefix, by which it is sorted first, and bytes. Up to a budget records are held in memory; beyond it
/// they go to temporary files as sorted runs. ``RunMerge`` merges the runs of any number of sorters.
public final class RecordSorter {
    /// The maximum number of runs. More are merged into one, because each costs an open file.
    private static let maxRuns = 64

    private let budget: Int
    private let folder: String
    private var buffer = RecordBuffer()
    private var runs: [SortedRun] = []

    /// - Parameters:
    ///   - budget: the approximate number of bytes that may be held in memory.
    ///   - folder: the folder for temporary files, if any are needed.
    public init(budget: Int, folder: String) {
        self.budget = max(64 << 10, min(budget, RecordBuffer.maxBytes / 4))
        self.folder = folder
    }

    /// Adds a record.
    public func add(_ prefix: UInt64, _ record: Span<UInt8>) throws(FileError) {
        if buffer.append(prefix, record, budget: budget) { return }
        try spill()
        _ = buffer.append(prefix, record, budget: budget)
    }

    /// Returns the added records, in order, and starts over.
    public func finish() throws(FileError) -> [SortedRun] {
        var result: [SortedRun] = []
        swap(&result, &runs)
        guard buffer.count > 0 else { return result }
        var last = RecordBuffer()
        swap(&last, &buffer)
        result.append(.memory(MemoryRun(sorting: last)))
        return result
    }

    private func spill() throws(FileError) {
        buffer.sort()
        var writer = try FileRunWriter(in: folder)
        try buffer.write(to: &writer)
        runs.append(.file(try writer.finish()))
        buffer.removeAll()
        if runs.count == Self.maxRuns { try mergeRuns() }
    }

    private func mergeRuns() throws(FileError) {
        var merge = try RunMerge(runs)
        var writer = try FileRunWriter(in: folder)
        while !merge.isAtEnd {
            let prefix = merge.prefix
            let outcome = merge.withRecord { record -> Result<Void, FileError> in
                Result { () throws(FileError) in try writer.append(prefix, record) }
            }
            try outcome.get()
            try merge.advance()
        }
        runs = [.file(try writer.finish())]
    }
}

/// Consecutive records in memory that can be sorted.
struct RecordBuffer: Sendable {
    /// The number of bytes to reserve at once, because growing later copies. Unused ones cost addresses but no memory.
    private static let firstCapacity = 64 << 20

    private var bytes: [UInt8] = []
    private var entries: [RecordEntry] = []

    /// Positions are 32 bits wide.
    static let maxBytes = Int(UInt32.max)

    var count: Int { entries.count }
    /// The approximate size of the records, in bytes.
    var byteCount: Int { bytes.count + entries.count * MemoryLayout<RecordEntry>.stride }

    /// Appends a record.
    ///
    /// - Parameter budget: the maximum size of all records, in bytes.
    /// - Returns: `false` if the record was not appended, because it would exceed the budget.
    mutating func append(_ prefix: UInt64, _ record: Span<UInt8>, budget: Int) -> Bool {
        if entries.isEmpty {
            bytes.reserveCapacity(min(budget, Self.firstCapacity))
            entries.reserveCapacity(min(budget, Self.firstCapacity) / 2 / MemoryLayout<RecordEntry>.stride)
        } else if byteCount + record.count > budget {
            return false
        }
        entries.append(RecordEntry(prefix: prefix, start: bytes.count, count: record.count))
        bytes.append(copying: record)
        return true
    }

    /// Sorts the records by prefix, then by bytes.
    mutating func sort() {
        let bytes = bytes
        entries.sortByPrefix { first, second in
            Self.record(first, in: bytes.span).precedes(Self.record(second, in: bytes.span))
        }
    }

    /// Writes all records in their present order.
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

    /// Returns the index of the first record whose prefix is not smaller. The records must be sorted.
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
