import Files

/// A file with one table in it, written row by row.
final class TableOutput {
    let path: String
    let file: OutputFile
    private let format: ReportFormat
    private var pending: [UInt8] = []
    private static let pieceSize = 256 << 10

    init(_ path: String, _ format: ReportFormat, _ setting: ReportSetting) throws(FileError) {
        self.path = path
        self.format = format
        file = try OutputFile(replacing: path)
        if format == .csv, setting.withByteOrderMark { pending = [0xef, 0xbb, 0xbf] }
    }

    func begin(_ columns: [String]) { pending += format.beginning(columns) }

    func write(_ rows: Span<UInt8>) throws(FileError) {
        pending.append(copying: rows)
        if pending.count >= Self.pieceSize { try flush(keeping: 8) }
    }

    /// Writes what stands behind the last row, and flushes everything to disk.
    func finish() throws(FileError) {
        if format == .json {
            // The comma behind the last row.
            if pending.suffix(2) == Array(",\n".utf8)[...] { pending.removeLast(2) }
            pending += Array("\n]\n".utf8)
        }
        try flush(keeping: 0)
        try file.finish()
    }

    private func flush(keeping count: Int) throws(FileError) {
        // Out of the class while it is written, so that the same memory is used for the next piece.
        var piece = pending.take()
        try file.write(piece.span.extracting(droppingLast: min(count, piece.count)))
        piece.removeFirst(max(0, piece.count - count))
        swap(&piece, &pending)
    }
}
