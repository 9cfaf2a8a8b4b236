import Files

/// Records in order, in memory or in a temporary file, which any number of threads may read.
public struct SortedRun: Sendable {
    enum Medium: Sendable {
        case memory(MemoryRun)
        case file(FileRun)
    }

    let medium: Medium

    static func memory(_ run: MemoryRun) -> SortedRun { SortedRun(medium: .memory(run)) }
    static func file(_ run: FileRun) -> SortedRun { SortedRun(medium: .file(run)) }
}

/// A part of all prefixes, by their first byte, so that several threads can share the merging of runs.
public struct PrefixSlice: Sendable {
    /// The number of slices.
    public static let count = 256
    let number: Int

    /// - Parameter number: from 0 to ``count`` - 1.
    public init(_ number: Int) { self.number = number }

    /// Returns the index of its first record in a sorted buffer, and its end index.
    func indices(in buffer: RecordBuffer) -> (first: Int, end: Int) {
        let isLast = number == Self.count - 1
        return (
            buffer.firstIndex(from: UInt64(number) << 56),
            isLast ? buffer.count : buffer.firstIndex(from: UInt64(number + 1) << 56)
        )
    }
}

/// Records in memory, in order.
final class MemoryRun: Sendable {
    let buffer: RecordBuffer

    init(sorting buffer: consuming RecordBuffer) {
        buffer.sort()
        self.buffer = buffer
    }
}

/// Records in a temporary file, in order: each its prefix, its length, then its bytes.
final class FileRun: Sendable {
    static let headerSize = 12

    let file: TemporaryFile
    /// The start offset of each slice's records, and the end of the last.
    let starts: [Int]

    init(file: TemporaryFile, starts: [Int]) {
        self.file = file
        self.starts = starts
    }
}

/// Writes records, which must be in order, to a temporary file.
struct FileRunWriter {
    private static let pieceSize = 256 << 10

    private let file: TemporaryFile
    private var position = 0
    private var pending: [UInt8] = []
    private var starts: [Int] = []

    init(in folder: String) throws(FileError) {
        file = try TemporaryFile(in: folder)
        pending.reserveCapacity(Self.pieceSize + (64 << 10))
        starts.reserveCapacity(PrefixSlice.count + 1)
    }

    mutating func append(_ prefix: UInt64, _ record: Span<UInt8>) throws(FileError) {
        while starts.count <= Int(prefix >> 56) { starts.append(position + pending.count) }
        var header = InlineArray<12, UInt8>(repeating: 0)
        for index in 0..<8 { header[index] = UInt8(truncatingIfNeeded: prefix >> UInt64(56 - 8 * index)) }
        for index in 0..<4 { header[8 + index] = UInt8(truncatingIfNeeded: record.count >> (24 - 8 * index)) }
        pending.append(copying: header.span)
        pending.append(copying: record)
        if pending.count >= Self.pieceSize { try flush() }
    }

    mutating func finish() throws(FileError) -> FileRun {
        try flush()
        while starts.count <= PrefixSlice.count { starts.append(position) }
        return FileRun(file: file, starts: starts)
    }

    private mutating func flush() throws(FileError) {
        try file.write(pending.span, at: position)
        position += pending.count
        pending.removeAll(keepingCapacity: true)
    }
}
