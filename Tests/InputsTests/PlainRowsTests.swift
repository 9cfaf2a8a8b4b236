import Corpus
import Testing

@testable import Inputs

/// Most rows are split without libcsv. Which ones makes no difference.
struct `Rows that are split without libcsv` {
    /// Bytes that mean something in CSV, and some that do not.
    static let alphabet = Array("a7 \t,;\"\"\r\n\n\u{0}\u{b}é".utf8)

    @Test(arguments: [",", "\t", ";", "|"], 0..<4 as Range<UInt64>)
    func `are what libcsv makes of them, whatever separates their cells`(separator: String, seed: UInt64) throws {
        var random = Seeded(state: seed)
        // Between tabs a quote is text.
        let alphabet = Self.alphabet.filter { separator != "\t" || $0 != 0x22 } + Array((separator + separator).utf8)
        for _ in 0..<400 {
            let bytes = (0..<Int.random(in: 0..<120, using: &random)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            let table = Array("device_id\(separator)receipt_data\n".utf8) + bytes
            let piece = Int.random(in: 1...160, using: &random)
            let (fast, slow) = (try rows(of: table, piece, PlainRows()), try rows(of: table, piece, nil))
            #expect(fast == slow, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
        }
    }

    @Test(arguments: [
        ("a,b\n", "2 a|b"), (" a\t, b \n", "2 a|b"), ("\"a,b\",c\r\n", "2 a,b|c"), ("\" a \",\"\"\n", "2  a |"),
        ("\n\r\n  \na,b\n", "5 a|b"), ("a,b\r\n\r\nc,d\r\n", "2 a|b;4 c|d"),
    ])
    func `keep their cells and lines`(table: String, expected: String) throws {
        #expect(try rows(of: Array(("device_id,receipt_data\n" + table).utf8), 1000, PlainRows()) == expected)
    }

    private func rows(of table: [UInt8], _ piece: Int, _ plainRows: PlainRows?) throws -> String {
        let empty = TableRows(table: "t", folder: nil, unnamed: nil, pool: BufferPool())
        let source = TableSource(Pieces(table, piece), empty, plainRows: plainRows)
        var rows: [String] = []
        while let block = try source.next() {
            for (index, item) in block.items.enumerated() {
                let cells = [Column.deviceID, .receiptData].map { column in
                    text(of: block.cells[index * Column.count + column.rawValue], in: block.text)
                }
                guard case .fault(let fault) = item.receipt, cells.allSatisfy(\.isEmpty) else {
                    rows.append("\(item.line) \(cells.joined(separator: "|"))")
                    continue
                }
                rows.append("\(item.line) \(fault)")
            }
        }
        return rows.joined(separator: ";")
    }

    private func text(of cell: Range<Int>, in arena: ByteArena) -> String {
        String(decoding: cell.map { arena[$0] }, as: UTF8.self)
    }
}

struct `Input that arrives in pieces` {
    static let table = """
        \u{feff}device_id , "receipt_data",note\r
        "a ""b"" c",TQ==,"one,\r
        two"\r

        x,"MDEyMzQ1Njc4OQ==\n",\r
        y,z\r
        "last",TQ,"quote left open
        """
    static let lines =
        "\u{feff}{\"receipt_data\":\"TQ==\"}\r\n\n  \n{\"receipt_data\":\"\\u004dDE=\"}\nnot\n{\"receipt_data\""

    @Test(arguments: 1...40)
    func `is the same as in one`(of size: Int) throws {
        let pool = BufferPool()
        let source = TableSource(Pieces(Self.table, size), table: "t", folder: nil, pool: pool)
        #expect(
            try claims(of: source).map { "\($0.line) \($0.claim.deviceID)" } == [
                "t:2 M a \"b\" c", "t:5 0123456789 x", "t:7 rowMalformed ", "t:8 rowMalformed ",
            ])
        let lines = LineSource(Pieces(Self.lines, size), origin: ClaimOrigin(table: "t"), pool: pool)
        #expect(try claims(of: lines).map(\.line) == ["t:1 M", "t:4 01", "t:5 rowMalformed", "t:6 rowMalformed"])
        let zip = GzipStream(Pieces(gzip(Array(Self.lines.utf8)), size))
        let zipped = LineSource(try #require(zip), origin: ClaimOrigin(table: "t"), pool: pool)
        #expect(try claims(of: zipped).count == 4)
    }
}
