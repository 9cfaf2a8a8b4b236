public import Files

/// Merges sorted runs: a heap of cursors, with the first record on top.
///
/// The heap holds their indices: several threads merge slices of the same runs, and moving cursors would make them
/// contend for reference counts.
public struct RunMerge {
    private var cursors: [RunCursor] = []
    private var heap: [Int] = []

    /// - Parameters:
    ///   - slice: the records to merge; `nil` for all.
    ///   - budget: the approximate total size of buffers for runs in files, in bytes.
    public init(_ runs: [SortedRun], slice: PrefixSlice? = nil, budget: Int = 16 << 20) throws(FileError) {
        let bufferSize = max(16 << 10, min(64 << 10, budget / max(1, runs.count)))
        for run in runs {
            if let cursor = try RunCursor(run, slice, bufferSize: bufferSize) { cursors.append(cursor) }
        }
        heap = Array(cursors.indices)
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
    }

    public var isAtEnd: Bool { heap.isEmpty }

    /// The prefix of the next record. There must be one.
    public var prefix: UInt64 { cursors[heap[0]].prefix }

    /// Returns the next record. There must be one.
    public func withRecord<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        try cursors[heap[0]].withRecord(body)
    }

    /// Calls a body with the next record. There must be one.
    ///
    /// Not a generic function: one from another module is not specialized, and copies the cursor to call the body.
    public func withRecord(_ body: (Span<UInt8>) throws -> Void) rethrows { try cursors[heap[0]].withRecord(body) }

    /// Returns a negative number if the next record here sorts before another merge's, a positive one if after it, and
    /// 0 if they are equal. Both must have one.
    public func order(to other: RunMerge) -> Int { cursors[heap[0]].order(to: other.cursors[other.heap[0]]) }

    /// Moves to the next record.
    public mutating func advance() throws(FileError) {
        if try !cursors[heap[0]].advance() {
            heap.swapAt(0, heap.count - 1)
            heap.removeLast()
        }
        sink(0)
    }

    /// Calls a body with the prefix and the bytes of each record of some runs, in order.
    public static func forEachRecord(of runs: [SortedRun], _ body: (UInt64, Span<UInt8>) throws -> Void) throws {
        var merge = try RunMerge(runs)
        while !merge.isAtEnd {
            let prefix = merge.prefix
            try merge.withRecord { try body(prefix, $0) }
            try merge.advance()
        }
    }

    /// Whether one cursor's record sorts before another's. Nearly always their prefixes differ.
    private func precedes(_ first: Int, _ second: Int) -> Bool {
        let (prefix, other) = (cursors[heap[first]].prefix, cursors[heap[second]].prefix)
        return prefix == other ? cursors[heap[first]].order(to: cursors[heap[second]]) < 0 : prefix < other
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while case let left = 2 * index + 1, left < heap.count {
            let right = left + 1
            let smaller = right < heap.count && precedes(right, left) ? right : left
            guard precedes(smaller, index) else { return }
            heap.swapAt(index, smaller)
            index = smaller
        }
    }
}

/// Reads a slice of a run from the front, record by record.
struct RunCursor {
    /// The run's records, if they are in memory.
    private let buffer: RecordBuffer
    /// The run's records in a file; `nil` if they are in memory.
    private let file: FileCursor?
    /// The index of the record in memory, and the end index of the slice.
    private var index = 0
    private var end = 0
    /// The prefix of the current record.
    private(set) var prefix: UInt64 = 0

    /// - Parameter slice: the records to read; `nil` for all.
    /// - Returns: `nil` if there are none.
    init?(_ run: SortedRun, _ slice: PrefixSlice?, bufferSize: Int) throws(FileError) {
        switch run.medium {
        case .memory(let memory):
            buffer = memory.buffer
            file = nil
            (index, end) = slice.map { $0.indices(in: memory.buffer) } ?? (0, memory.buffer.count)
            guard index < end else { return nil }
            prefix = buffer.prefix(at: index)
        case .file(let run):
            let range = slice.map { run.starts[$0.number]..<run.starts[$0.number + 1] }
            let all = 0..<(run.starts.last ?? 0)
            guard let cursor = try FileCursor(run.file, range ?? all, bufferSize: bufferSize) else { return nil }
            buffer = RecordBuffer()
            file = cursor
            prefix = cursor.prefix
        }
    }

    func withRecord<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        if let file { return try file.withRecord(body) }
        return try buffer.withRecord(at: index, body)
    }

    /// Moves to the next record; false if there is none.
    mutating func advance() throws(FileError) -> Bool {
        if let file {
            guard try file.advance() else { return false }
            prefix = file.prefix
            return true
        }
        index += 1
        guard index < end else { return false }
        prefix = buffer.prefix(at: index)
        return true
    }

    /// Returns a negative number if this cursor's record sorts before another's, a positive one if after it, and 0 if
    /// they are equal.
    func order(to other: RunCursor) -> Int {
        if prefix != other.prefix { return prefix < other.prefix ? -1 : 1 }
        return withRecord { first in other.withRecord { second in first.order(to: second) } }
    }
}

/// Reads records of a file through a buffer, which holds all of the current record.
final class FileCursor {
    private let file: TemporaryFile
    private var position: Int
    private let end: Int
    private var buffer: [UInt8]
    /// The filled and unread part of the buffer.
    private var filled = 0..<0
    private var record = 0..<0
    private(set) var prefix: UInt64 = 0

    init?(_ file: TemporaryFile, _ range: Range<Int>, bufferSize: Int) throws(FileError) {
        self.file = file
        position = range.lowerBound
        end = range.upperBound
        buffer = [UInt8](repeating: 0, count: max(FileRun.headerSize, min(bufferSize, range.count)))
        guard try advance() else { return nil }
    }

    func withRecord<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        let buffer = buffer
        return try body(buffer.span.extracting(record))
    }

    func advance() throws(FileError) -> Bool {
        guard try fill(FileRun.headerSize) else { return false }
        prefix = 0
        for index in 0..<8 { prefix = prefix << 8 | UInt64(buffer[filled.lowerBound + index]) }
        var count = 0
        for index in 8..<12 { count = count << 8 | Int(buffer[filled.lowerBound + index]) }
        guard try fill(FileRun.headerSize + count) else { return false }
        let start = filled.lowerBound + FileRun.headerSize
        record = start..<start + count
        filled = start + count..<filled.upperBound
        return true
    }

    /// Fills the buffer with at least a number of bytes; false if there are fewer.
    private func fill(_ wanted: Int) throws(FileError) -> Bool {
        guard filled.count < wanted else { return true }
        guard filled.count + (end - position) >= wanted else { return false }
        for index in 0..<filled.count { buffer[index] = buffer[filled.lowerBound + index] }
        filled = 0..<filled.count
        while buffer.count < wanted { buffer.append(0) }
        let count = min(buffer.count - filled.count, end - position)
        try file.read(position..<position + count, into: &buffer, from: filled.count)
        position += count
        filled = 0..<filled.count + count
        return true
    }
}
