import Files

/// Rows of the table `receipts` that wait for the page on which they will stand: a few in memory, or all in a file.
final class PageRows {
    /// How many are kept; `nil` for all.
    let most: Int?
    private(set) var count = 0
    private var bytes: [UInt8] = []
    private let temporary: TemporaryFile?
    private var size = 0
    private static let pieceSize = 256 << 10

    /// Keeps the first rows, in memory.
    init(most: Int) {
        self.most = most
        temporary = nil
    }

    /// Keeps all, in a file without a name.
    init(in folder: String) throws(FileError) {
        most = nil
        temporary = try TemporaryFile(in: folder)
    }

    /// Takes whole rows, each of which ends with its only LF.
    func append(_ rows: Span<UInt8>) throws(FileError) {
        var end = 0
        while end < rows.count, most.map({ count < $0 }) ?? true {
            while end < rows.count, rows[end] != 0x0a { end += 1 }
            end = min(end + 1, rows.count)
            count += 1
        }
        bytes.append(copying: rows.extracting(first: end))
        if temporary != nil, bytes.count >= Self.pieceSize { try spill() }
    }

    /// Writes the rows, once.
    func write(to output: OutputFile) throws(FileError) {
        if let temporary {
            try spill()
            for start in stride(from: 0, to: size, by: Self.pieceSize) {
                let end = min(start + Self.pieceSize, size)
                var piece = [UInt8](repeating: 0, count: end - start)
                try temporary.read(start..<end, into: &piece)
                try output.write(piece.span)
                temporary.release(start..<end)
            }
        } else {
            let rows = bytes
            try output.write(rows.span)
        }
    }

    private func spill() throws(FileError) {
        let piece = bytes.take()
        try temporary?.write(piece.span, at: size)
        size += piece.count
    }
}
