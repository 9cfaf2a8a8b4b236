import Checks
import Files
import Rules
import Sorting

/// Consecutive rows in one format: one for each claim of a block, or none at all if they are not wanted; or any number
/// for each claim (``CompleteRowEncoder``).
struct EncodedRows: Sendable {
    var bytes: [UInt8] = []
    /// The end of each row.
    var ends: [Int] = []
    /// The start of each row's cells `risk` and `rules`; for plain rows, the index of the claim in the block.
    var cells: [Int] = []
    /// The bytes before those in memory, if there are very many. The ends of their rows are not known.
    var spilled: RecordLog?
    /// The number of bytes that may stay in memory.
    private static let maxHeld = 1 << 20

    /// - Parameter index: the index of the claim in its block.
    mutating func append(_ facts: Facts, at index: Int, with encoder: RowEncoder) {
        switch encoder {
        case .joined(let encoder):
            cells.append(encoder.encode(facts, &bytes))
            ends.append(bytes.count)
        case .complete(let encoder):
            encoder.encode(facts, &bytes, &ends)
            while cells.count < ends.count { cells.append(index) }
        }
    }

    /// Moves rows that need no joining out of memory if there are many: a hostile receipt may have any number of
    /// purchases.
    mutating func spillIfLarge(to folder: String) throws(FileError) {
        guard bytes.count > Self.maxHeld else { return }
        if spilled == nil { spilled = RecordLog(budget: 0, folder: folder) }
        let piece = bytes.take()
        try spilled?.append(piece.span)
    }

    /// Codes joined rows.
    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.list(&ends, of: 0) { (end, coder) throws(Coder.Failure) in try coder.count(&end) }
        if Coder.isReading { cells = ends }
        for index in ends.indices {
            var length = ends[index] - cells[index]
            try coder.count(&length)
            cells[index] = ends[index] - length
        }
        try coder.octets(&bytes)
    }

    /// Returns the rows joined with the findings about some of the claims.
    func joined(with claims: [MarkedClaim], _ encoder: JoinedRowEncoder) -> [UInt8] {
        guard !cells.isEmpty else { return [] }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 64 * claims.count)
        var start = 0
        for claim in claims {
            let cells = self.cells[claim.claim.index]
            output.append(copying: bytes.span.extracting(start..<cells))
            encoder.fill(claim.rules.risk ?? .info, claim.rules.ids, &output)
            start = cells + encoder.emptyLength
        }
        output.append(copying: bytes.span.extracting(start...))
        return output
    }
}

/// Rows in claim order, until all claims are checked. Rows of the table `receipts` wait for the findings, in memory and
/// beyond a limit in a temporary file; other rows go to a file per format.
struct RowSpool {
    /// The rows of the table `receipts`, a record for each block.
    private var joined: RecordLog
    /// The number of formats of the table `receipts`.
    private let joinedFormats: Int
    /// The other rows by format; `nil` for formats of the table `receipts`.
    private var plain: [RecordLog?] = []
    /// The number of the claim of each row, by format, if rows are joined with parts of answers.
    private var rowClaims: [RecordLog?] = []
    private var record = RecordWriter()

    /// - Throws: `FileError` if the folder cannot be written to, before any row needs it.
    init(_ encoders: [RowEncoder], _ storage: Storage) throws(FileError) {
        let folder = storage.folder
        _ = try TemporaryFile(in: folder)
        joined = RecordLog(budget: storage.memory, folder: folder)
        joinedFormats = encoders.count { $0.joined != nil }
        for encoder in encoders {
            plain.append(encoder.complete.map { _ in RecordLog(budget: 0, folder: folder) })
            rowClaims.append(encoder.complete?.addParts.map { _ in RecordLog(budget: 0, folder: folder) })
        }
    }

    /// Returns the claims of the rows of a format that is joined with parts of answers.
    func claims(of format: Int) -> RowClaims { RowClaims(rowClaims[format]) }

    /// Calls a body once with the rows of a format that need no joining, piece by piece.
    func forEachPiece(of format: Int, _ body: (Span<UInt8>) throws -> Void) throws {
        var rows = plain[format]
        while let piece = try rows?.nextPiece() { try piece.forEach(body) }
    }

    mutating func append(_ block: MappedBlock) throws {
        record.removeAll()
        var number = block.number
        record.sortable(&number)
        for (format, var rows) in block.rows.enumerated() {
            guard plain[format] != nil else {
                rows.code(&record)
                continue
            }
            while let piece = try rows.spilled?.nextPiece() { try piece.forEach { try plain[format]?.append($0) } }
            let bytes = rows.bytes
            try plain[format]?.append(bytes.span)
            guard rowClaims[format] != nil else { continue }
            var claims: [UInt8] = []
            for index in rows.cells {
                claims.append(bigEndian: ClaimNumber(block: block.number, index: index).rawValue)
            }
            try rowClaims[format]?.append(claims.span)
        }
        guard joinedFormats > 0 else { return }
        let bytes = record.bytes
        try joined.append(bytes.span)
    }

    /// Removes and returns the next rows of the table `receipts`, block by block; none at the end.
    mutating func nextBlocks() throws -> [(number: UInt64, rows: [EncodedRows])] {
        var blocks: [(number: UInt64, rows: [EncodedRows])] = []
        try joined.nextPiece()?.forEach { record in
            var fields = RecordReader(record)
            var block = (number: UInt64(0), rows: [EncodedRows](repeating: EncodedRows(), count: joinedFormats))
            try fields.sortable(&block.number)
            for format in block.rows.indices { try block.rows[format].code(&fields) }
            try fields.end()
            blocks.append(block)
        }
        return blocks
    }
}

/// The numbers of the rows' claims, in order.
struct RowClaims {
    private var log: RecordLog?
    private var numbers: [UInt8] = []
    private var position = 0

    init(_ log: RecordLog?) { self.log = log }

    /// Returns the number of the claim of the next row.
    mutating func next() throws -> ClaimNumber {
        if position == numbers.count {
            numbers.removeAll(keepingCapacity: true)
            position = 0
            try log?.nextPiece()?.forEach { numbers.append(copying: $0) }
        }
        guard numbers.count - position >= 8 else { throw RecordError.malformed }
        defer { position += 8 }
        return ClaimNumber(rawValue: numbers.span.bigEndian(at: position))
    }
}

/// The rows of a block in each of the formats, and the findings about some of its claims.
struct MarkedBlock: Sendable {
    var rows: [EncodedRows]
    let claims: [MarkedClaim]

    /// Returns the rows joined with the findings, in each of the formats.
    func joined(with encoders: [JoinedRowEncoder]) -> [[UInt8]] {
        guard !claims.isEmpty else { return rows.map(\.bytes) }
        return zip(rows, encoders).map { rows, encoder in rows.joined(with: claims, encoder) }
    }
}

/// Reads spooled rows and marks together, block by block. Used only under a lock.
struct MarkedRows: @unchecked Sendable {
    private var spool: RowSpool
    /// The next blocks, the first one last.
    private var blocks: [(number: UInt64, rows: [EncodedRows])] = []
    private var marks: ClaimMarks
    private var marked: MarkedClaim?

    init(_ spool: RowSpool, _ marks: consuming ClaimMarks) throws {
        self.spool = spool
        self.marks = marks
        marked = try self.marks.next()
    }

    /// Returns the next block; `nil` at the end.
    mutating func next() throws -> MarkedBlock? {
        if blocks.isEmpty { blocks = try spool.nextBlocks().reversed() }
        guard let block = blocks.popLast() else { return nil }
        var claims: [MarkedClaim] = []
        while let claim = marked, claim.claim.block == block.number {
            claims.append(claim)
            marked = try marks.next()
        }
        return MarkedBlock(rows: block.rows, claims: claims)
    }
}
