public import Files

/// Any number of records in bounded memory, in insertion order, on one thread.
///
/// The first records are held in memory, up to a budget, and the others in a temporary file. They are written once, and
/// read at most once, from the front.
public struct RecordLog: Sendable {
    private static let largestPiece = 1 << 20
    private static let smallestPiece = 64 << 10

    private let budget: Int
    private let folder: String
    private let pieceSize: Int
    private var last: [UInt8] = []
    /// The full pieces in memory, and their size.
    private var full: [[UInt8]] = []
    private var fullBytes = 0
    private var file: TemporaryFile?
    /// The end offset of each piece in the file.
    private var ends: [Int] = []
    private var piecesRead = 0

    /// - Parameters:
    ///   - budget: the approximate number of bytes that may be held in memory.
    ///   - folder: the folder for a temporary file, if one is needed.
    public init(budget: Int, folder: String) {
        self.budget = budget
        self.folder = folder
        pieceSize = max(Self.smallestPiece, min(budget / 8, Self.largestPiece))
    }

    /// Appends a record.
    public mutating func append(_ record: Span<UInt8>) throws(FileError) {
        if last.count + record.count + 10 > pieceSize { try endPiece() }
        last.append(leb128: UInt64(record.count))
        last.append(copying: record)
    }

    private mutating func endPiece() throws(FileError) {
        guard !last.isEmpty else { return }
        guard file != nil || fullBytes + max(last.count, pieceSize) > budget else {
            fullBytes += max(last.count, pieceSize)
            full.append(last.take())
            return last.reserveCapacity(pieceSize)
        }
        if file == nil { file = try TemporaryFile(in: folder) }
        let start = ends.last ?? 0
        try file?.write(last.span, at: start)
        ends.append(start + last.count)
        last.removeAll(keepingCapacity: true)
    }

    /// Removes and returns the first remaining records; `nil` if there are none. Nothing may be appended after this
    /// call.
    public mutating func nextPiece() throws(FileError) -> RecordPiece? {
        if !full.isEmpty { return RecordPiece(bytes: full.removeFirst()) }
        if piecesRead < ends.count {
            let range = (piecesRead == 0 ? 0 : ends[piecesRead - 1])..<ends[piecesRead]
            piecesRead += 1
            var bytes = [UInt8](repeating: 0, count: range.count)
            try file?.read(range, into: &bytes)
            file?.release(range)
            return RecordPiece(bytes: bytes)
        }
        file = nil
        return last.isEmpty ? nil : RecordPiece(bytes: last.take())
    }
}

/// Some records of a ``RecordLog``.
public struct RecordPiece {
    fileprivate let bytes: [UInt8]

    /// Calls a body with each record, in order.
    public func forEach(_ body: (Span<UInt8>) throws -> Void) rethrows {
        let bytes = bytes
        let piece = bytes.span
        var position = 0
        while position < piece.count {
            guard let count = piece.leb128(at: &position).map(Int.init) else { return }
            try body(piece.extracting(position..<position + count))
            position += count
        }
    }
}
