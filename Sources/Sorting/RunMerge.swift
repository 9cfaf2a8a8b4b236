public import Files

/// Merges sorted runs: a heap of cursors, the one at the least record on top.
///
/// Cursors stay where they are and their numbers are moved: several threads merge slices of the same runs, and would wait
/// for each other to count who holds them.
public struct RunMerge {
    private var cursors: [RunCursor] = []
    private var heap: [Int] = []

    /// - Parameters:
    ///   - slice: which records to merge; all, if there is none.
    ///   - budget: how many bytes of buffers the runs in files may use together, about.
    public init(_ runs: [SortedRun], slice: PrefixSlice? = nil, budget: Int = 16 << 20) throws(FileError) {
        let bufferSize = max(16 << 10, min(64 << 10, budget / max(1, runs.count)))
        for run in runs {
            if let cursor = try RunCursor(run, slice, bufferSize: bufferSize) { cursors.append(cursor) }
        }
        heap = Array(cursors.indices)
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
    }

    public var isAtEnd: Bool { heap.isEmpty }

    /// The prefix of the record that comes next. There must be one.
    public var prefix: UInt64 { cursors[heap[0]].prefix }

    /// The record that comes next. There must be one.
    public func withRecord<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        try cursors[heap[0]].withRecord(body)
    }

    /// Less than 0 if the record that comes next here comes before another merge's, more if it comes after it, 0 if they
    /// are the same. Both must have one.
    public func order(to other: RunMerge) -> Int { cursors[heap[0]].order(to: other.cursors[other.heap[0]]) }

    /// Passes the record.
    public mutating func advance() throws(FileError) {
        if try !cursors[heap[0]].advance() {
            heap.swapAt(0, heap.count - 1)
            heap.removeLast()
        }
        sink(0)
    }

    /// Whether one cursor's record comes before another's: nearly always prefixes tell.
    private func precedes(_ first: Int, _ second: Int) -> Bool {
        let (prefix, other) = (cursors[heap[first]].prefix, cursors[heap[second]].prefix)
        return prefix == other ? cursors[heap[first]].order(to: cursors[heap[second]]) < 0 : prefix < other
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while case let left = 2 * index + 1, left < heap.count {
            let right = left + 1
            let least = right < heap.count && precedes(right, left) ? right : left
            guard precedes(least, index) else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
