import Checks
import Files
import Rules

/// Consecutive rows in one format: one for each claim of a block, or none at all if they are not wanted; or any number
/// for each claim (``RowEncoder/isJoined``).
struct EncodedRows: Sendable {
    var bytes: [UInt8] = []
    /// The end of each row.
    var ends: [Int] = []
    /// The start of each row's cells `risk` and `rules`; for plain rows, the index of the claim in the block.
    var cells: [Int] = []
    /// The bytes before those in memory. The ends of their rows are not known.
    var spilled: [SpilledBytes] = []

    /// - Parameter index: the index of the claim in its block.
    mutating func append(_ facts: Facts, at index: Int, with encoder: RowEncoder) {
        guard encoder.isJoined else {
            encoder.encodeRows(facts, &bytes, &ends)
            while cells.count < ends.count { cells.append(index) }
            return
        }
        cells.append(encoder.encode(facts, &bytes))
        ends.append(bytes.count)
    }

    /// Codes the positions of joined rows and their cells, without the rows.
    mutating func codePlaces<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.list(&ends, of: 0) { (end, coder) throws(Coder.Failure) in try coder.count(&end) }
        if Coder.isReading { cells = ends }
        for index in ends.indices {
            var length = ends[index] - cells[index]
            try coder.count(&length)
            cells[index] = ends[index] - length
        }
    }

    /// Returns the rows joined with the findings about some of the claims.
    func joined(with claims: [MarkedClaim], _ encoder: RowEncoder) -> [UInt8] {
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
    /// The number of formats of the table `receipts`.
    private let joinedFormats: Int
    /// The first pieces, in memory.
    private var held: [[UInt8]] = []
    /// The number of bytes that may still be held; negative after a piece exceeded the budget.
    private var budget: Int
    /// The other pieces.
    private let file: TemporaryFile
    private var size = 0
    /// The spools by format; `nil` for formats of the table `receipts`.
    private var plain: [PlainSpool?] = []
    /// The number of the claim of each row, by format, if rows are joined with parts of answers.
    private var rowClaims: [PlainSpool?] = []

    init(_ encoders: [RowEncoder], _ storage: Storage) throws(FileError) {
        let folder = storage.folder
        joinedFormats = encoders.count(where: \.isJoined)
        budget = storage.memory
        file = try TemporaryFile(in: folder)
        for encoder in encoders {
            plain.append(encoder.isJoined ? nil : try PlainSpool(in: folder))
            rowClaims.append(encoder.addParts == nil ? nil : try PlainSpool(in: folder))
        }
    }

    /// Returns the claims of the rows of a format that is joined with parts of answers.
    func claims(of format: Int) -> RowClaims { RowClaims(rowClaims[format]?.bytes) }

    /// Calls a body once with the rows of a format that need no joining, piece by piece.
    func forEachPiece(of format: Int, _ body: (Span<UInt8>) throws -> Void) throws {
        try plain[format]?.forEachPiece(body)
    }

    mutating func append(_ block: MappedBlock) throws(FileError) {
        for (format, var rows) in block.rows.enumerated() {
            guard plain[format] == nil else {
                try plain[format]?.append(rows)
                try rowClaims[format]?.append(
                    EncodedRows(
                        bytes: rows.cells.flatMap { Self.octets(of: ClaimNumber(block: block.number, index: $0)) }))
                continue
            }
            var (header, piece) = (RecordWriter(), RecordWriter())
            rows.codePlaces(&header)
            piece.bytes.append(bigEndian: block.number)
            piece.bytes.append(bigEndian: UInt64(header.bytes.count))
            piece.bytes.append(bigEndian: UInt64(rows.bytes.count))
            try append(piece.bytes)
            try append(header.bytes)
            try append(rows.bytes)
        }
    }

    private static func octets(of claim: ClaimNumber) -> [UInt8] {
        var octets: [UInt8] = []
        octets.append(bigEndian: claim.rawValue)
        return octets
    }

    private mutating func append(_ piece: [UInt8]) throws(FileError) {
        budget -= piece.capacity
        if budget >= 0 { return held.append(piece) }
        try file.write(piece.span, at: size)
        size += piece.count
    }

    /// Reads the blocks from the front, each in all formats, and frees the disk space of finished ones.
    struct Reader {
        /// Space is released in steps, because the report of the rows needs it.
        private static let releasedAtOnce = 1 << 20

        private let spool: RowSpool
        private var nextHeld = 0
        private var position = 0
        private var released = 0
        private var piece: [UInt8] = []

        init(_ spool: RowSpool) { self.spool = spool }

        /// Returns the next block's number and rows; `nil` at the end.
        mutating func next() throws -> (number: UInt64, rows: [EncodedRows])? {
            guard nextHeld < spool.held.count || position < spool.size, spool.joinedFormats > 0 else { return nil }
            var number: UInt64 = 0
            var rows: [EncodedRows] = []
            for _ in 0..<spool.joinedFormats {
                var sizes: (header: UInt64, rows: UInt64) = (0, 0)
                try read(24)
                try decode { fields throws(RecordError) in
                    try fields.sortable(&number)
                    try fields.sortable(&sizes.header)
                    try fields.sortable(&sizes.rows)
                }
                try read(Int(truncatingIfNeeded: sizes.header))
                var encoded = EncodedRows()
                try decode { fields throws(RecordError) in try encoded.codePlaces(&fields) }
                try read(Int(truncatingIfNeeded: sizes.rows))
                encoded.bytes = piece.take()
                rows.append(encoded)
            }
            return (number, rows)
        }

        private func decode(_ body: (inout RecordReader) throws(RecordError) -> Void) throws(RecordError) {
            let piece = piece
            var fields = RecordReader(piece.span)
            try body(&fields)
            try fields.end()
        }

        /// Reads the next piece, of known size.
        private mutating func read(_ count: Int) throws(FileError) {
            if nextHeld < spool.held.count {
                piece = spool.held[nextHeld]
                nextHeld += 1
                return
            }
            piece = [UInt8](repeating: 0, count: count)
            try spool.file.read(position..<position + count, into: &piece)
            position += count
            guard position - released >= Self.releasedAtOnce else { return }
            spool.file.release(released..<position)
            released = position
        }
    }
}

/// The numbers of the rows' claims, in order.
struct RowClaims {
    private var bytes: SpilledBytes?
    private var piece: [UInt8] = []
    private var position = 0

    init(_ bytes: SpilledBytes?) { self.bytes = bytes }

    /// Returns the number of the claim of the next row.
    mutating func next() throws -> ClaimNumber {
        if position == piece.count {
            // A piece's length is a multiple of a number's.
            piece = try bytes?.next() ?? []
            position = 0
        }
        guard piece.count - position >= 8 else { throw RecordError.malformed }
        defer { position += 8 }
        return ClaimNumber(rawValue: piece[position..<position + 8].reduce(0) { $0 << 8 | UInt64($1) })
    }
}

/// The rows of a block in each of the formats, and the findings about some of its claims.
struct MarkedBlock: Sendable {
    var rows: [EncodedRows]
    let claims: [MarkedClaim]

    /// Returns the rows joined with the findings, in each of the formats.
    func joined(with encoders: [RowEncoder]) -> [[UInt8]] {
        guard !claims.isEmpty else { return rows.map(\.bytes) }
        return zip(rows, encoders).map { rows, encoder in rows.joined(with: claims, encoder) }
    }
}

/// Reads spooled rows and marks together, block by block. Used only under a lock.
struct MarkedRows: @unchecked Sendable {
    private var blocks: RowSpool.Reader
    private var marks: ClaimMarks
    private var marked: MarkedClaim?

    init(_ spool: RowSpool, _ marks: consuming ClaimMarks) throws {
        blocks = RowSpool.Reader(spool)
        self.marks = marks
        marked = try self.marks.next()
    }

    /// Returns the next block; `nil` at the end.
    mutating func next() throws -> MarkedBlock? {
        guard let block = try blocks.next() else { return nil }
        var claims: [MarkedClaim] = []
        while let claim = marked, claim.claim.block == block.number {
            claims.append(claim)
            marked = try marks.next()
        }
        return MarkedBlock(rows: block.rows, claims: claims)
    }
}
