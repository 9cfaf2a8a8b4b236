public import Checks
public import Rules

/// Writes rows of the table `receipts` in one format, before it is known what the rules find.
///
/// A row is written at once, as if nothing were found. If something is, the cells `risk` and `rules` in it are
/// replaced in the end.
public struct RowEncoder: Sendable {
    /// Tells the format from others: rows are remembered under it.
    public let name: String
    /// How many of the first rows are wanted; `nil` for all.
    public let maxRows: Int?
    /// Writes a claim's row at the end of some bytes, and says where in them the two cells begin.
    public let encode: @Sendable (Facts, inout [UInt8]) -> Int
    /// How many bytes the two cells have while they are empty.
    public let emptyLength: Int
    /// Writes the two cells at the end of some bytes: the highest severity, and the rules' ids joined by `;`.
    public let fill: @Sendable (Severity, String, inout [UInt8]) -> Void

    public init(
        name: String, maxRows: Int? = nil, emptyLength: Int,
        encode: @escaping @Sendable (Facts, inout [UInt8]) -> Int,
        fill: @escaping @Sendable (Severity, String, inout [UInt8]) -> Void
    ) {
        self.name = name
        self.maxRows = maxRows
        self.emptyLength = emptyLength
        self.encode = encode
        self.fill = fill
    }

    /// Whether any row of a block is wanted before which there are so many claims.
    func wantsRows(after claims: Int) -> Bool { maxRows.map { claims < $0 } ?? true }
}

/// Some rows in one format, one after the other: of all claims of a block, or if none of them is wanted, of none.
struct EncodedRows: Sendable {
    var bytes: [UInt8] = []
    /// Where each row ends.
    var ends: [Int] = []
    /// Where each row's cells `risk` and `rules` begin.
    var cells: [Int] = []

    mutating func append(_ facts: Facts, with encoder: RowEncoder) {
        cells.append(encoder.encode(facts, &bytes))
        ends.append(bytes.count)
    }
}

extension EncodedRows {
    /// Reads where rows and their cells lie, as ``writePlaces(to:)`` wrote it, without the rows.
    init(places fields: inout RecordReader) {
        let count = fields.count()
        ends.reserveCapacity(count)
        cells.reserveCapacity(count)
        for _ in 0..<count {
            let end = fields.int()
            ends.append(end)
            cells.append(max(0, end - fields.int()))
        }
    }

    /// Whether rows and their cells lie where there are bytes, one after the other.
    var hangsTogether: Bool {
        var start = 0
        for (end, cells) in zip(ends, cells) {
            guard start <= cells, cells <= end, end <= bytes.count else { return false }
            start = end
        }
        return true
    }

    func writePlaces(to record: inout RecordWriter) {
        record.number(UInt64(ends.count))
        for (end, cells) in zip(ends, cells) {
            record.number(UInt64(end))
            record.number(UInt64(end - cells))
        }
    }
}
