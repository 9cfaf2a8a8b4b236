import Encodings
import Testing

@testable import Inputs

/// Quotes in a table that nobody closed, or that stand where none may (RFC 4180).
struct `A stray quote` {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    private func lines(_ text: String) throws -> [String] {
        try claims(folder.write("t.csv", text)).map(\.line)
    }

    private static let header = "receipt_data,device_id,account_id\n"
    private static let row = "Tg,,\n"

    @Test(arguments: [
        "TQ,\"a\"b,x", "TQ,,\"x", "\"TQ,,", "TQ,\"\"\",", "TQ,\"a\" \"b,", "x\",\"", "TQ,,x\",\"",
    ])
    func `costs the row that it stands in, and none behind it`(row: String) throws {
        let text = Self.header + "TQ,,\n" + row + "\n" + String(repeating: Self.row, count: 1_000)
        let found = try lines(text)
        #expect(found.count == 1_002)
        #expect(found[1] == "t.csv:3 rowMalformed")
        #expect(found[2] == "t.csv:4 N")
        #expect(found.last == "t.csv:1003 N")
    }

    @Test func `costs as much where lines end in CR LF, and where it comes to light far behind`() throws {
        let rows = String(repeating: "Tg,,\r\n", count: 100_000)
        let found = try lines("receipt_data,device_id,account_id\r\nTQ,,\"x\r\n" + rows + "Tg,,\"y\"\r\n")
        #expect(found.count == 100_002)
        #expect(found[0] == "t.csv:2 rowMalformed")
        #expect(found[1] == "t.csv:3 N")
        #expect(found.last == "t.csv:100003 N")
    }

    @Test func `in many rows costs those`() throws {
        let found = try lines(Self.header + String(repeating: "TQ,\"a\"b,\n" + Self.row, count: 20_000))
        #expect(found.count == 40_000)
        #expect(found.count { $0.hasSuffix(" rowMalformed") } == 20_000)
    }

    @Test(arguments: ["a,b", "TQ,,,", "x"], [1, 5, 40])
    func `costs one row among rows that are malformed, too`(malformed: String, count: Int) throws {
        let others = String(repeating: malformed + "\n", count: count)
        let text = Self.header + others + "TQ,\"x,\n" + others + String(repeating: Self.row, count: 1_000)
        let found = try lines(text)
        #expect(found.count == 2 * count + 1 + 1_000)
        #expect(found[count] == "t.csv:\(count + 2) rowMalformed")
        #expect(found.count { $0.hasSuffix(" N") } == 1_000)
        #expect(found.last == "t.csv:\(2 * count + 1_002) N")
    }

    /// Each may begin a row that runs on, and is split again for a few lines only.
    @Test func `costs no more time where rows with quotes follow it, and none behind them`() throws {
        let text = Self.header + "TQ,\"x\n" + String(repeating: "x\",\"\n", count: 200_000) + "Tg,,\n"
        let found = try lines(text)
        #expect(found.last == "t.csv:200003 N")
        #expect(found.dropLast().allSatisfy { $0.hasSuffix(" rowMalformed") })
    }

    @Test func `that opens a cell again and again costs no more time than others`() throws {
        let found = try lines("receipt_data,device_id\n" + String(repeating: "x\",\"\n", count: 200_000))
        #expect(found == ["t.csv:2 rowMalformed"])
    }

    @Test(arguments: 1...50)
    func `costs the same wherever the pieces end in which a table arrives`(size: Int) throws {
        let rows = ["TQ,\"a\"b,x", "TQ,,", "Tg,\"x\",", "TQ,,\"x", "x\",\"", "TQ,\"a\r\nb\"c,", "Tg,,"]
        for lineBreak in ["\n", "\r\n", "\r"] {
            let table = (["receipt_data,device_id,account_id"] + rows + rows).joined(separator: lineBreak) + lineBreak
            let found = try [size, .max].map { size in
                try claims(of: TableSource(Pieces(table, size), table: "t", folder: nil, pool: BufferPool())).map(
                    \.line)
            }
            #expect(found[0] == found[1])
        }
    }

    @Test func `at the end of what is read at once costs the row that it stands in`() throws {
        let stray = "TQ,\"a\"b,x\n"
        let rest = 128 << 10 - Self.header.utf8.count - stray.utf8.count
        let first = String(repeating: "a", count: rest - "TQ,,\n".utf8.count)
        let text = Self.header + "TQ,,\(first)\n" + stray + String(repeating: "Tg,\"x\",\n", count: 1_000)
        #expect(text.utf8.prefix(128 << 10).last == UInt8(ascii: "\n"))
        let found = try lines(text)
        #expect(found.count == 1_002)
        #expect(found[1] == "t.csv:3 rowMalformed")
        #expect(found.last == "t.csv:1003 N")
    }

    @Test func `before long lines that are no rows costs no more time than others`() throws {
        let long = String(repeating: "a", count: 200_000)
        let text = Self.header + "TQ,\"a\"b,\(long)\n\(long)\n" + String(repeating: "a\n", count: 20_000)
        #expect(try lines(text) == ["t.csv:2 rowMalformed"])
    }

    @Test func `makes no rows of a receipt in lines`() throws {
        let receipt = (0..<50).map { _ in String(repeating: "A", count: 64) }.joined(separator: "\n")
        let found = try lines(Self.header + "\"\(receipt)\"x,,\n" + Self.row)
        #expect(found.count <= 2)
        #expect(found.first == "t.csv:2 rowMalformed")
    }

    @Test func `is told of`() throws {
        let table = try Inputs([folder.write("t.csv", Self.header + "TQ,,\"x\n" + Self.row)])
        while try table.next() != nil {}
        #expect(table.omissions.damages.map(\.description) == ["t.csv:2: a quote in it is not closed"])
    }

    /// Two people, each with a quote in the name, and an export that writes names as they are.
    @Test func `that another one closes some rows later is told of`() throws {
        let table = try Inputs([folder.write("t.csv", Self.header + "TQ,,\"x\n" + Self.row + "TQ,,y\"\n" + Self.row)])
        while try table.next() != nil {}
        let hidden = try #require(table.omissions.damages.first)
        #expect(table.omissions.damages.count == 1 && !hidden.losesRows)
        #expect(hidden.description.hasPrefix("t.csv:2: a cell in it holds lines that look like rows"))
    }

    @Test func `is none in a cell of several lines`() throws {
        let found = try claims(folder.write("t.csv", Self.header + "TQ,,\"a\n\"\"b,c,d\"\"\ne,f,g\"\n" + Self.row))
        #expect(found.map(\.line) == ["t.csv:2 M", "t.csv:5 N"])
        #expect(found[0].claim.accountID == "a\n\"b,c,d\"\ne,f,g")
    }
}

struct `A row of CSV` {
    @Test(arguments: [
        ("", 1), ("a,b", 2), ("\"a\",b", 2), ("\"a,\"\"b\"\"\",\"\"", 2), ("\"a\r\nb\",", 2), (",,", 3), (" a , b", 2),
    ])
    func `has a number of cells`(csv: String, cells: Int) {
        #expect((0...5).filter { QuoteScanner.isRow(csv.utf8.span, cells: $0) } == [cells])
    }

    @Test(arguments: ["\"a", "a\"b", "\"a\"b", "a\nb", "a\r", "\"a\"\r\n", "a,\"b\"\"", " \"a\"", "\"a\" ", "\n"])
    func `is none if a quote or a line break stands where none may`(csv: String) {
        #expect((1...3).allSatisfy { !QuoteScanner.isRow(csv.utf8.span, cells: $0) })
    }
}
