public import Files

/// Sorts any number of byte records in bounded memory.
///
/// Up to a budget they are sorted where they are; beyond it they go to temporary files as sorted runs, which
/// are merged in the end. Records come out in byte order, equal ones as often as they went in.
public final class RecordSorter {
    /// More runs than this are merged into one: each costs an open file.
    private static let mostRuns = 64

    private let budget: Int
    private let folder: String
    private var buffer = RecordBuffer()
    private var runs: [SortedRun] = []
    /// How many records have been added.
    public private(set) var count = 0

    /// - Parameters:
    ///   - budget: how many bytes may be held in memory, about.
    ///   - folder: where temporary files go, if any are needed.
    public init(budget: Int, folder: String) {
        self.budget = max(64 << 10, min(budget, Int(UInt32.max) / 2))
        self.folder = folder
    }

    public func add(_ record: Span<UInt8>) throws(FileError) {
        if buffer.count > 0, buffer.byteCount + record.count > budget { try spill() }
        buffer.append(record)
        count += 1
    }

    /// All records in byte order. Nothing may be added after it.
    public func sorted() throws(FileError) -> SortedRecords {
        guard !runs.isEmpty else {
            buffer.sort()
            return SortedRecords(buffer)
        }
        if buffer.count > 0 { try spill() }
        return try SortedRecords(runs, budget: budget)
    }

    private func spill() throws(FileError) {
        buffer.sort()
        let run = try SortedRun(in: folder)
        for index in 0..<buffer.count { try append(index, to: run) }
        try run.flush()
        runs.append(run)
        buffer.removeAll()
        if runs.count == Self.mostRuns { try mergeRuns() }
    }

    private func append(_ index: Int, to run: SortedRun) throws(FileError) {
        let outcome = buffer.withRecord(index) { record -> Result<Void, FileError> in
            Result { () throws(FileError) in try run.append(record) }
        }
        try outcome.get()
    }

    private func mergeRuns() throws(FileError) {
        let records = try SortedRecords(runs, budget: budget)
        let merged = try SortedRun(in: folder)
        while let record = try records.next() { try merged.append(record.span) }
        try merged.flush()
        runs = [merged]
    }
}

/// Records in byte order.
public final class SortedRecords {
    private enum Source {
        case memory(RecordBuffer, next: Int)
        case runs(RunMerge)
    }

    private var source: Source

    init(_ buffer: RecordBuffer) { source = .memory(buffer, next: 0) }

    init(_ runs: [SortedRun], budget: Int) throws(FileError) { source = .runs(try RunMerge(runs, budget: budget)) }

    /// The next record, or `nil` at the end.
    public func next() throws(FileError) -> [UInt8]? {
        switch source {
        case .memory(let buffer, let index):
            guard index < buffer.count else { return nil }
            source = .memory(buffer, next: index + 1)
            return buffer.withRecord(index) { record in
                Array(capacity: record.count) { output in
                    for index in record.indices { output.append(record[index]) }
                }
            }
        case .runs(let merge): return try merge.next()
        }
    }
}
