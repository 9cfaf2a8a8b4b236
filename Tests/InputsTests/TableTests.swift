import Encodings
import Testing

@testable import Inputs

struct `A table` {
    let folder: Scratch

    init() throws { folder = try Scratch() }

    private func lines(_ text: String, _ name: String = "t.csv") throws -> [String] {
        try claims(folder.write(name, text)).map(\.line)
    }

    @Test func `is one claim a row, called by the line on which it starts`() throws {
        try folder.write("a.der", "0a")
        let text = "\u{feff}\"receipt_data\",file,note\r\n\"TQ\n==\",,\r\n\r\n  \r\n,a.der,\"two\nlines\"\nTg,a.der,\n"
        #expect(try lines(text, "T.CSV") == ["T.CSV:2 M", "T.CSV:6 0a", "T.CSV:8 N"])
    }

    @Test func `may end its lines with CR alone`() throws {
        #expect(try lines("receipt_data\rTQ\rTg\r") == ["t.csv:2 M", "t.csv:3 N"])
    }

    @Test(arguments: [
        ("too few cells", "TQ"), ("too many cells", "TQ,x,y"), ("a repeated header row", "Receipt-Data, DEVICE_ID"),
    ])
    func `has one malformed row for`(_ fault: String, _ row: String) throws {
        #expect(try lines("receipt_data,device_id\n\(row)\nTg,x\n") == ["t.csv:2 rowMalformed", "t.csv:3 N"])
    }

    @Test func `may hold a receipt and name a file, and then the receipt counts`() throws {
        try folder.write("a.der", "0a")
        try folder.write("devices.csv", "file,receipt_data\na.der,TQ\n")
        let found = try claims(folder.path)
        #expect(found.map(\.line) == ["devices.csv:2 M"])
        #expect(found[0].claim.file.isEmpty)
    }

    @Test func `whose header is too long for one stops the job`() throws {
        for header in [
            String(repeating: "a", count: 13 << 20) + ",file", String(repeating: ",", count: 20_000) + "file",
        ] {
            #expect(throws: InputError.headerTooLong(table: "t.csv", line: 1)) { try lines(header + "\na,b\n") }
        }
    }

    @Test func `may have as many columns as a spreadsheet`() throws {
        let commas = String(repeating: ",", count: 16_383)
        #expect(try lines("receipt_data\(commas)\nTQ\(commas)\n") == ["t.csv:2 M"])
    }

    @Test func `that holds receipts may have rows with none`() throws {
        #expect(try lines("receipt_data,file\n,\n \"\" , \n") == ["t.csv:2 ", "t.csv:3 "])
    }

    @Test func `that names files has no row without a name`() throws {
        #expect(try lines("file,device_id\n,x\n") == ["t.csv:2 rowMalformed"])
    }

    @Test func `that is not UTF-8 costs its own row only`() throws {
        let text = Array("receipt_data,account_id,note\nTQ,".utf8) + [0xff] + Array(",\nTg,,".utf8) + [0xff] + [0x0a]
        let table = try folder.write("t.csv", text)
        #expect(try claims(table).map(\.line) == ["t.csv:2 rowMalformed", "t.csv:3 N"])
    }

    @Test func `may hold NUL bytes`() throws {
        let found = try claims(folder.write("t.csv", "receipt_data,account_id,file\nTQ,a\0b,\n,,a\0b\n"))
        #expect(found.map(\.line) == ["t.csv:2 M", "t.csv:3 receiptNotFound"])
        #expect(found[0].claim.accountID == "a\0b")
    }

    @Test func `that ends with a quote left open ends with one malformed row`() throws {
        #expect(try lines("receipt_data\nTQ\n\"Tg\nTQ\n") == ["t.csv:2 M", "t.csv:3 rowMalformed"])
    }

    @Test func `that is torn in its last row ends with one malformed row`() throws {
        #expect(try lines("receipt_data,device_id\nTQ,\nTg") == ["t.csv:2 M", "t.csv:3 rowMalformed"])
    }

    @Test func `takes stray quotes as they stand`() throws {
        let found = try claims(folder.write("t.csv", "receipt_data,account_id\nTQ,5\"x\nTg,\"a\"b\"\n"))
        #expect(found.map(\.claim.accountID) == ["5\"x", "a\"b"])
    }

    @Test func `without rows has no claims`() throws {
        #expect(try lines("").isEmpty)
        #expect(try lines("receipt_data\n").isEmpty)
    }

    @Test(arguments: ["device_id,name\nx,y\n", "MIIB\n", "name;device_id\na;b\n"])
    func `without a column for receipts stops the job`(_ text: String) throws {
        let table = try folder.write("t.csv", text)
        let error = #expect(throws: InputError.self) { try claims(table) }
        #expect(error?.description.contains("t.csv:1: the header names neither a `file` nor a `receipt_data`") == true)
    }

    @Test func `that names a column twice stops the job`() throws {
        let table = try folder.write("t.csv", "file,receipt_data,receipt-data\n")
        let names = ["receipt_data", "receipt-data"]
        #expect(throws: InputError.repeatedColumn(table: "t.csv", line: 1, column: "receipt_data", names: names)) {
            try claims(table)
        }
    }

    @Test func `has a row that is too long for one claim, and goes on behind it`() throws {
        let giant = String(repeating: "A", count: 13 << 20)
        for text in [giant, "\"" + giant + "\"", "\"x\n,\(giant)\"", String(repeating: ",", count: 13 << 20)] {
            let text = "receipt_data,device_id\nTQ,\n\(text),\nTg,\n"
            let found = try lines(text)
            #expect(found.count == 3)
            #expect(found[1] == "t.csv:3 receiptUnreadable")
            #expect(found.last?.hasSuffix(" N") == true)
        }
    }

    @Test func `is read the same in blocks of any size`() throws {
        var text = "device_id,receipt_data\n"
        for number in 0..<1000 { text += "\(number),\"\(String(repeating: "TWFu", count: number * 7 % 2000))\"\n" }
        let found = try claims(folder.write("t.csv", text))
        #expect(found.map(\.claim.source) == (2...1001).map { "t.csv:\($0)" })
        #expect(found.map(\.claim.deviceID) == (0..<1000).map { "\($0)" })
        #expect(found.enumerated().allSatisfy { $1.bytes?.count == ($0 * 7 % 2000) * 3 })
    }
}
