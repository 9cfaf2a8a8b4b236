import Files

/// Holds rows until their page or sheet is written: the first ones in memory, many in a file.
final class PageRows {
    private(set) var count = 0
    private var bytes: [UInt8] = []
    private let folder: String
    /// The file; `nil` while all rows are in memory.
    private var temporary: TemporaryFile?
    private var size = 0
    private static let pieceSize = 256 << 10

    init(in folder: String) { self.folder = folder }

    /// Appends whole rows. Rows of a page end with their only LF.
    func append(_ rows: Span<UInt8>) throws(FileError) {
        for index in rows.indices where rows[index] == 0x0a { count += 1 }
        bytes.append(copying: rows)
        if bytes.count >= Self.pieceSize { try spill() }
    }

    /// Writes the rows once.
    func write(to output: OutputFile) throws(FileError) {
        try forEachPiece { piece throws(FileError) in try output.write(piece) }
    }

    /// Calls a body once with the rows, in pieces that may end anywhere.
    func forEachPiece(_ body: (Span<UInt8>) throws(FileError) -> Void) throws(FileError) {
        if let temporary {
            for start in stride(from: 0, to: size, by: Self.pieceSize) {
                let end = min(start + Self.pieceSize, size)
                var piece = [UInt8](repeating: 0, count: end - start)
                try temporary.read(start..<end, into: &piece)
                try body(piece.span)
                temporary.release(start..<end)
            }
        }
        let rest = bytes.take()
        try body(rest.span)
    }

    private func spill() throws(FileError) {
        let file: TemporaryFile
        if let temporary { file = temporary } else { file = try TemporaryFile(in: folder) }
        temporary = file
        let piece = bytes.take()
        try file.write(piece.span, at: size)
        size += piece.count
    }
}
