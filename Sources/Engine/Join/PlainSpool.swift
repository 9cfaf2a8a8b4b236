import Files

/// Rows in a temporary file that need no change, in the order of claims.
struct PlainSpool {
    private let file: TemporaryFile
    private var size = 0

    init(in folder: String) throws(FileError) { file = try TemporaryFile(in: folder) }

    mutating func append(_ rows: EncodedRows) throws(FileError) {
        for var spilled in rows.spilled {
            while let piece = try spilled.next() { try append(piece.span) }
        }
        let bytes = rows.bytes
        try append(bytes.span)
    }

    private mutating func append(_ bytes: Span<UInt8>) throws(FileError) {
        try file.write(bytes, at: size)
        size += bytes.count
    }

    /// All bytes, for one reading.
    var bytes: SpilledBytes { SpilledBytes(file: file, range: 0..<size) }

    /// Calls a body once with all bytes, and frees their disk space.
    func forEachPiece(_ body: (Span<UInt8>) throws -> Void) throws {
        var bytes = bytes
        while let piece = try bytes.next() { try body(piece.span) }
    }
}

/// Bytes in a temporary file, which are read once.
struct SpilledBytes: Sendable {
    private let file: TemporaryFile
    private var range: Range<Int>

    init(file: TemporaryFile, range: Range<Int>) {
        self.file = file
        self.range = range
    }

    /// Returns the next bytes, and frees their disk space; `nil` at the end.
    mutating func next() throws(FileError) -> [UInt8]? {
        guard !range.isEmpty else { return nil }
        let end = min(range.lowerBound + RowSpill.pieceSize, range.upperBound)
        var piece = [UInt8](repeating: 0, count: end - range.lowerBound)
        try file.read(range.lowerBound..<end, into: &piece)
        file.release(range.lowerBound..<end)
        range = end..<range.upperBound
        return piece
    }
}

/// Moves rows out of memory, for one worker.
struct RowSpill {
    /// The number of bytes that may stay in memory, and that are read at once.
    static let pieceSize = 1 << 20

    private let folder: String
    private var file: TemporaryFile?
    private var size = 0

    init(in folder: String) { self.folder = folder }

    /// Moves all bytes of some rows to a file.
    mutating func take(_ rows: inout EncodedRows) throws(FileError) {
        let file: TemporaryFile
        if let open = self.file { file = open } else { file = try TemporaryFile(in: folder) }
        self.file = file
        let bytes = rows.bytes.take()
        try file.write(bytes.span, at: size)
        rows.spilled.append(SpilledBytes(file: file, range: size..<size + bytes.count))
        size += bytes.count
    }
}
