import Files

/// What claims have to say under their keys, a record a claim, in the order in which they were judged: one worker's claims.
///
/// Records are held in memory up to a budget, and beyond it in a temporary file. They are written once, and read at
/// most once, from the front.
struct ClaimLog {
    private static let largestPiece = 1 << 20
    private static let smallestPiece = 64 << 10

    private let budget: Int
    private let folder: String
    private let pieceSize: Int
    private var last: [UInt8] = []
    /// Full pieces in memory, behind those in the file.
    private var held: [[UInt8]] = []
    private var file: TemporaryFile?
    /// Where each piece in the file ends.
    private var ends: [Int] = []

    init(budget: Int, folder: String) {
        self.budget = budget
        self.folder = folder
        pieceSize = max(Self.smallestPiece, min(budget / 8, Self.largestPiece))
    }

    mutating func append(_ record: Span<UInt8>, claim: UInt64) throws(FileError) {
        if last.count + record.count + 12 > pieceSize { try endPiece() }
        var header = InlineArray<12, UInt8>(repeating: 0)
        for index in 0..<8 { header[index] = UInt8(truncatingIfNeeded: claim >> UInt64(56 - 8 * index)) }
        for index in 0..<4 { header[8 + index] = UInt8(truncatingIfNeeded: record.count >> (24 - 8 * index)) }
        last.append(copying: header.span)
        last.append(copying: record)
    }

    private mutating func endPiece() throws(FileError) {
        if !last.isEmpty { held.append(last) }
        last = []
        last.reserveCapacity(pieceSize)
        guard held.count >= max(1, budget / pieceSize) else { return }
        if file == nil { file = try TemporaryFile(in: folder) }
        for piece in held {
            let start = ends.last ?? 0
            try file?.write(piece.span, at: start)
            ends.append(start + piece.count)
        }
        held = []
    }

    /// Calls a body for each record, with its claim, in the order in which they were added, and forgets them.
    mutating func drain(_ body: (UInt64, Span<UInt8>) throws -> Void) throws {
        var buffer: [UInt8] = []
        var start = 0
        for end in ends {
            buffer.removeAll(keepingCapacity: true)
            buffer.append(contentsOf: repeatElement(0, count: end - start))
            _ = try file?.read(at: start, upTo: end, into: &buffer)
            try Self.forEach(in: buffer.span, body)
            start = end
        }
        file = nil
        ends = []
        for index in held.indices {
            let piece = held[index]
            held[index] = []
            try Self.forEach(in: piece.span, body)
        }
        held = []
        let piece = last
        last = []
        try Self.forEach(in: piece.span, body)
    }

    private static func forEach(in piece: Span<UInt8>, _ body: (UInt64, Span<UInt8>) throws -> Void) rethrows {
        var fields = RecordReader(piece)
        while fields.position + 12 <= piece.count {
            let claim = fields.sortable()
            var count = 0
            for _ in 0..<4 { count = count << 8 | Int(fields.byte()) }
            let start = fields.position
            fields.skip(count)
            try body(claim, piece.extracting(start..<fields.position))
        }
    }
}
