import Testing

@testable import Inputs

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
