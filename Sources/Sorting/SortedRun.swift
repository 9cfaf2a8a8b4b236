import Files

/// Sorted records in a temporary file: each its length in four octets, then its bytes.
final class SortedRun {
    private let file: TemporaryFile
    private var pending: [UInt8] = []
    private static let pieceSize = 256 << 10

    init(in folder: String) throws(FileError) { file = try TemporaryFile(in: folder) }

    /// Adds the next record.
    func append(_ record: Span<UInt8>) throws(FileError) {
        let count = UInt32(truncatingIfNeeded: record.count)
        for shift: UInt32 in [0, 8, 16, 24] { pending.append(UInt8(truncatingIfNeeded: count >> shift)) }
        for index in record.indices { pending.append(record[index]) }
        if pending.count >= Self.pieceSize { try flush() }
    }

    func flush() throws(FileError) {
        var piece: [UInt8] = []
        swap(&piece, &pending)
        try file.append(piece.span)
        piece.removeAll(keepingCapacity: true)
        pending = piece
    }

    /// Reads the records from the front.
    struct Reader {
        private let file: TemporaryFile
        private var buffer: [UInt8]
        private var position = 0
        private var available: Range<Int> = 0..<0
        /// The record that has been read last.
        private(set) var record: [UInt8] = []

        init(_ run: SortedRun, bufferSize: Int) {
            file = run.file
            buffer = [UInt8](repeating: 0, count: bufferSize)
        }

        /// Reads the next record; false at the end.
        mutating func next() throws(FileError) -> Bool {
            record.removeAll(keepingCapacity: true)
            guard try take(4) else { return false }
            var count = 0
            for index in 0..<4 { count |= Int(record[index]) << (8 * index) }
            record.removeAll(keepingCapacity: true)
            return try take(count)
        }

        private mutating func take(_ wanted: Int) throws(FileError) -> Bool {
            while record.count < wanted {
                if available.isEmpty {
                    let count = try file.read(at: position, into: &buffer)
                    guard count > 0 else { return false }
                    position += count
                    available = 0..<count
                }
                let piece = available.prefix(wanted - record.count)
                record.append(contentsOf: buffer[piece])
                available = piece.upperBound..<available.upperBound
            }
            return true
        }
    }
}
