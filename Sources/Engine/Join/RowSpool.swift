import Files

/// Rows of the table `receipts`, in claim order, waiting in a temporary file for what the rules find.
struct RowSpool {
    private let formats: Int
    private let file: TemporaryFile
    private var size = 0

    init(formats: Int, in folder: String) throws(FileError) {
        self.formats = formats
        file = try TemporaryFile(in: folder)
    }

    mutating func append(_ judged: MappedBlock) throws(FileError) {
        for rows in judged.rows {
            var header = RecordWriter()
            rows.writePlaces(to: &header)
            var piece = RecordWriter()
            piece.sortable(judged.number)
            piece.sortable(UInt64(header.bytes.count))
            piece.sortable(UInt64(rows.bytes.count))
            try append(piece.bytes)
            try append(header.bytes)
            try append(rows.bytes)
        }
    }

    private mutating func append(_ bytes: [UInt8]) throws(FileError) {
        try file.write(bytes.span, at: size)
        size += bytes.count
    }

    /// Reads the blocks from the front, each in all formats, and gives back the room of those that it has read.
    struct Reader {
        /// The disk has room for the report that the rows go to all the sooner.
        private static let releasedAtOnce = 1 << 20

        private let spool: RowSpool
        private var position = 0
        private var released = 0
        private var buffer: [UInt8] = []

        init(_ spool: RowSpool) { self.spool = spool }

        /// The next block's number and rows; `nil` at the end.
        mutating func next() throws(FileError) -> (number: UInt64, rows: [EncodedRows])? {
            guard position < spool.size, spool.formats > 0 else { return nil }
            var number: UInt64 = 0
            var rows: [EncodedRows] = []
            for _ in 0..<spool.formats {
                try read(24)
                var piece = RecordReader(buffer.span)
                number = piece.sortable()
                let headerSize = Int(truncatingIfNeeded: piece.sortable())
                let size = Int(truncatingIfNeeded: piece.sortable())
                try read(headerSize)
                rows.append(decodeHeader())
                try read(size)
                swap(&rows[rows.count - 1].bytes, &buffer)
            }
            return (number, rows)
        }

        private func decodeHeader() -> EncodedRows {
            let buffer = buffer
            var fields = RecordReader(buffer.span)
            return EncodedRows(places: &fields)
        }

        private mutating func read(_ count: Int) throws(FileError) {
            buffer = [UInt8](repeating: 0, count: count)
            try spool.file.read(position..<position + count, into: &buffer)
            position += count
            guard position - released >= Self.releasedAtOnce else { return }
            spool.file.release(released..<position)
            released = position
        }
    }
}
