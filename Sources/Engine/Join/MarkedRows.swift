import Files

/// The rows of a block, in each of the formats, and what was found of some of its claims.
struct MarkedBlock: Sendable {
    let rows: [EncodedRows]
    let claims: [MarkedClaim]

    /// The rows with what was found, in each of the formats.
    func joined(with encoders: [RowEncoder]) -> [[UInt8]] {
        guard !claims.isEmpty else { return rows.map(\.bytes) }
        return zip(rows, encoders).map { rows, encoder in rows.joined(with: claims, encoder) }
    }
}

/// Goes through spooled rows and findings' marks together, block by block. Only the holder of a lock touches it.
struct MarkedRows: @unchecked Sendable {
    private var blocks: RowSpool.Reader
    private var marks: ClaimMarks
    private var marked: MarkedClaim?

    init(_ spool: RowSpool, _ marks: consuming ClaimMarks) throws(FileError) {
        blocks = RowSpool.Reader(spool)
        self.marks = marks
        marked = try self.marks.next()
    }

    /// The next block; `nil` at the end.
    mutating func next() throws(FileError) -> MarkedBlock? {
        guard let block = try blocks.next() else { return nil }
        var claims: [MarkedClaim] = []
        while let claim = marked, claim.claim >> 16 == block.number {
            claims.append(claim)
            marked = try marks.next()
        }
        return MarkedBlock(rows: block.rows, claims: claims)
    }
}

extension EncodedRows {
    /// The rows with what was found of some of the claims.
    fileprivate func joined(with claims: [MarkedClaim], _ encoder: RowEncoder) -> [UInt8] {
        guard !cells.isEmpty else { return [] }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 64 * claims.count)
        var start = 0
        for claim in claims {
            let cells = self.cells[Int(claim.claim & 0xffff)]
            output.append(copying: bytes.span.extracting(start..<cells))
            encoder.fill(claim.risk, claim.rules.ids, &output)
            start = cells + encoder.emptyLength
        }
        output.append(copying: bytes.span.extracting(start...))
        return output
    }
}
