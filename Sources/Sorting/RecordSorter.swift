public import Files

/// Sorts any number of records in bounded memory, on one thread.
///
/// A record is a prefix, by which it is sorted first, and bytes. Up to a budget records are held in memory;
/// beyond it they go to temporary files as sorted runs. ``RunMerge`` brings together the runs of any number of sorters.
public final class RecordSorter {
    /// More runs than this are merged into one: each costs an open file.
    private static let maxRuns = 64

    private let budget: Int
    private let folder: String
    private var buffer = RecordBuffer()
    private var runs: [SortedRun] = []

    /// - Parameters:
    ///   - budget: how many bytes may be held in memory, about.
    ///   - folder: where temporary files go, if any are needed.
    public init(budget: Int, folder: String) {
        self.budget = max(64 << 10, min(budget, RecordBuffer.maxBytes / 4))
        self.folder = folder
    }

    public func add(_ prefix: UInt64, _ record: Span<UInt8>) throws(FileError) {
        if buffer.append(prefix, record, budget: budget) { return }
        try spill()
        _ = buffer.append(prefix, record, budget: budget)
    }

    /// Hands over what was added, in order, and starts again with nothing.
    public func finish() throws(FileError) -> [SortedRun] {
        var result: [SortedRun] = []
        swap(&result, &runs)
        guard buffer.count > 0 else { return result }
        var last = RecordBuffer()
        swap(&last, &buffer)
        result.append(SortedRun(place: .memory(CacheRun(sorting: last))))
        return result
    }

    private func spill() throws(FileError) {
        buffer.sort()
        var writer = try FileRunWriter(in: folder)
        try buffer.write(to: &writer)
        runs.append(SortedRun(place: .file(try writer.finish())))
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
        runs = [SortedRun(place: .file(try writer.finish()))]
    }
}
