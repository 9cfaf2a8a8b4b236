import Files

/// Reads a slice of a run from the front, a record at a time.
struct RunCursor {
    private enum Source {
        case memory(CacheRun, end: Int)
        case file(FileCursor)
    }

    private var source: Source
    /// In memory, the index of the record.
    private var index = 0
    /// The prefix of the record that it stands at.
    private(set) var prefix: UInt64 = 0

    /// - Parameter slice: the records to read; all, if there is none.
    /// - Returns: `nil` if there are none.
    init?(_ run: SortedRun, _ slice: PrefixSlice?, bufferSize: Int) throws(FileError) {
        switch run.place {
        case .memory(let memory):
            index = slice.map { memory.buffer.firstIndex(from: $0.first) } ?? 0
            let isLast = slice.map { $0.number == PrefixSlice.count - 1 } ?? true
            let end =
                isLast
                ? memory.buffer.count : memory.buffer.firstIndex(from: PrefixSlice((slice?.number ?? 0) + 1).first)
            guard index < end else { return nil }
            source = .memory(memory, end: end)
            prefix = memory.buffer.prefix(at: index)
        case .file(let run):
            let range = slice.map { run.starts[$0.number]..<run.starts[$0.number + 1] }
            let all = 0..<(run.starts.last ?? 0)
            guard let cursor = try FileCursor(run.file, range ?? all, bufferSize: bufferSize) else { return nil }
            source = .file(cursor)
            prefix = cursor.prefix
        }
    }

    func withRecord<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        switch source {
        case .memory(let run, _): try run.buffer.withRecord(at: index, body)
        case .file(let cursor): try cursor.withRecord(body)
        }
    }

    /// Goes to the next record; false if there is none.
    mutating func advance() throws(FileError) -> Bool {
        switch source {
        case .memory(let run, let end):
            index += 1
            guard index < end else { return false }
            prefix = run.buffer.prefix(at: index)
            return true
        case .file(let cursor):
            guard try cursor.advance() else { return false }
            prefix = cursor.prefix
            return true
        }
    }

    /// Less than 0 if this cursor's record comes before another's, more if it comes after it, 0 if they are the same.
    func order(to other: RunCursor) -> Int {
        if prefix != other.prefix { return prefix < other.prefix ? -1 : 1 }
        return withRecord { first in other.withRecord { second in first.order(to: second) } }
    }
}

/// Reads records of a file through a buffer, in which the record it stands at is whole.
final class FileCursor {
    private let file: TemporaryFile
    private var position: Int
    private let end: Int
    private var buffer: [UInt8]
    /// What of the buffer is filled and not yet passed.
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

    /// Sees to it that so many bytes are in the buffer; false if there are not so many.
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
