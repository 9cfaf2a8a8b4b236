import Encodings
import FoundationEssentials
import Testing

@testable import Inputs

/// What programs write that is not quite JSON or not quite a table, and is read.
struct `A form that programs write` {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    private func line(_ members: String) throws -> Presented? {
        try claims(folder.write("a.ndjson", "{\(members)}\n")).first
    }

    @Test(arguments: [
        "[48,3,2,1,255]", "[48, 3, 2, 1, -1]", "{\"type\":\"Buffer\",\"data\":[48,3,2,1,255]}",
        "{\"data\":[48,3,2,1,255],\"type\":\"Buffer\"}", "{\"0\":48,\"1\":3,\"2\":2,\"3\":1,\"4\":255}",
    ])
    func `may be bytes as numbers, under any name of a receipt`(value: String) throws {
        for key in ["receipt_data", "receipt"] {
            #expect(try line("\"\(key)\":\(value)")?.bytes == [0x30, 3, 2, 1, 255], "\(key)")
        }
    }

    @Test(arguments: [
        "[48,256]", "[48,-129]", "[48,1.5]", "[48,\"a\"]", "[[48]]", "{\"0\":48,\"2\":3}", "{\"data\":\"TQ\"}",
    ])
    func `are no bytes if one of the numbers is none`(value: String) throws {
        #expect(try line("\"receipt_data\":\(value)")?.fault?.kind == .rowMalformed)
    }

    @Test func `may be the bytes of a UUID`() throws {
        let octets = (0..<16).map { "\($0)" }.joined(separator: ",")
        let found = try line("\"receipt_data\":\"TQ\",\"device_id\":{\"type\":\"Buffer\",\"data\":[\(octets)]}")
        #expect(found?.claim.deviceID == "000102030405060708090a0b0c0d0e0f")
    }

    @Test(arguments: ["NaN", "Infinity", "-Infinity"])
    func `is a number that is none, which has no value`(word: String) throws {
        for key in ["score", "account_id", "presented_at", "ip"] {
            let found = try line("\"receipt_data\":\"TQ\",\"\(key)\":\(word),\"device_id\":\"A9\"")
            #expect(found?.bytes == [0x4d] && found?.claim.deviceID == "A9", "\(key)")
            #expect(found?.claim.accountID == "" && found?.claim.isDateUnread == false)
        }
        #expect(try line("\"receipt_data\":\"TQ\",\"a\":-Infinitesimal")?.fault?.kind == .rowMalformed)
    }

    @Test(arguments: ["\\ud83d", "\\ude00", "a\\ud83d\\n", "\\ud83d\\u0041"])
    func `is half of a surrogate pair, which costs its own value alone`(text: String) throws {
        #expect(
            try line("\"receipt_data\":\"TQ\",\"note\":\"\(text)\",\"account_id\":\"ann\"")?.claim.accountID == "ann")
        let inputs = try Inputs([folder.write("b.ndjson", "{\"receipt_data\":\"TQ\",\"account_id\":\"\(text)\"}\n")])
        let found = try claims(of: inputs)
        #expect(found.map(\.claim.accountID) == [""] && found.map { $0.claim.unread.map(\.key) } == [["account_id"]])
    }

    private static let one = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
    private static let other = "0F5D1E3C-55F1-4C0B-9E0E-5E7E9C6B2A10"

    @Test(arguments: [
        (one, other, "\(one)|\(other)"), ("own-7", one, one), (one, "own-7", one), ("", one, one), (one, "", one),
        ("own-7", "own-8", "own-7"), ("NULL", one, one), ("", "", ""),
    ])
    func `is a device in two columns, of which the devices count`(first: String, second: String, device: String) throws
    {
        let table = try claims(folder.write("a.csv", "device_id,receipt_data,idfv\n\(first),TQ,\(second)\n"))
        #expect(table.map(\.claim.deviceID) == [ExactText(device)])
        let found = try line("\"device_id\":\"\(first)\",\"receipt_data\":\"TQ\",\"idfv\":\"\(second)\"")
        #expect(found?.claim.deviceID == ExactText(device))
        let null = try line("\"device_id\":null,\"receipt_data\":\"TQ\",\"idfv\":\"\(second)\"")
        #expect(null?.claim.deviceID == ExactText(second))
    }

    @Test func `is a device under one name twice, which is an error`() throws {
        #expect(try line("\"idfv\":\"a\",\"receipt_data\":\"TQ\",\"idfv\":\"b\"")?.fault?.kind == .rowMalformed)
    }

    @Test(arguments: [
        ("=\"007\"", "007"), ("'007", "007"), ("'=1+1", "=1+1"), ("'ann", "'ann"), ("=\"", "=\""), ("=1", "=1"),
        ("'", "'"),
    ])
    func `is an account with the signs of exporters, which are no part of it`(text: String, account: ExactText) {
        var claim = Claim(source: "a")
        claim.accountID = ExactText(text)
        #expect(claim.account == account)
    }
}

/// Tables with tabs, in which databases quote nothing.
struct `A quote between tabs` {
    private func rows(_ text: String, _ size: Int) throws -> [String] {
        let source = TableSource(Pieces(text, size), table: "t", folder: nil, pool: BufferPool())
        return try claims(of: source).map { "\($0.claim.accountID)|\($0.line)" }
            + source.omissions.damages.map(\.reason)
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func `is text unless it encloses its cell`(size: Int) throws {
        let text =
            "account_id\treceipt_data\tip\n\"ann\tTQ\tx\nb\"ob\tTg\t\"y\n5\"\tTw\tz\n\"eve\"\tUA\t\"q\"\n\"x\ty\"\tUQ\tw\n"
        for text in [text, text.replacing("\n", with: "\r\n"), String(text.dropLast())] {
            #expect(try rows(text, size) == ["\"ann|t:2 M", "b\"ob|t:3 N", "5\"|t:4 O", "eve|t:5 P", "x\ty|t:6 Q"])
        }
    }

    @Test(arguments: [1, 2, 5, 1000])
    func `may open a cell with line breaks, where the next line is no row`(size: Int) throws {
        let text = "receipt_data\taccount_id\nTQ\t\"ann\nlee\"\nTg\tbob\n"
        #expect(try rows(text, size) == ["ann\nlee|t:2 M", "bob|t:4 N"])
    }

    @Test func `is text in the last row too`() throws {
        for end in ["", "\n", "\r\n"] {
            #expect(try rows("receipt_data\taccount_id\nTQ\tann\nTg\t\"bob" + end, 9) == ["ann|t:2 M", "\"bob|t:3 N"])
        }
    }
}

/// A column that no name is known for.
struct `A column that looks like one that all claims lack` {
    @Test(arguments: [
        ("login", "ann", LikelyColumn.account), ("kunde", "k-12", .account), ("created_at", "2026-06-30", .date),
        ("wann", "2026-06-30T10:00:00Z", .date), ("hw", "6F9619FF-8B86-D011-B42D-00C04FC964FF", .device),
    ])
    func `is named, with what was seen in it`(name: String, value: String, column: LikelyColumn) throws {
        let folder = try Scratch()
        for path in [
            try folder.write("a.csv", "receipt_data,\(name)\nTQ,\(value)\n"),
            try folder.write("a.ndjson", "{\"receipt_data\":\"TQ\",\"\(name)\":\"\(value)\"}\n"),
            try folder.write("a.json", "[{\"receipt_data\":\"TQ\",\"\(name)\":\"\(value)\"}]"),
        ] {
            let inputs = try Inputs([path])
            _ = try claims(of: inputs)
            let found = inputs.omissions.sentences(lacking: [column])
            #expect(found.count == 1 && found[0].contains("--columns \(column.rawValue)=\(name)"), "\(found)")
        }
    }

    @Test(arguments: [
        ("user", "ann", LikelyColumn.account), ("device", "6F9619FF-8B86-D011-B42D-00C04FC964FF", .device),
    ])
    func `is a key inside of an object, with the command that takes it out`(
        name: String, value: String, column: LikelyColumn
    ) throws {
        let folder = try Scratch()
        let line = "{\"receipt_data\":\"TQ\",\"\(name)\":{\"id\":\"\(value)\",\"os\":null}}\n"
        let inputs = try Inputs([folder.write("a.ndjson", line)])
        _ = try claims(of: inputs)
        let found = inputs.omissions.sentences(lacking: [column])
        #expect(found.count == 1 && found[0].contains("{\(column.rawValue): .\(name).id}"), "\(found)")
    }

    @Test(arguments: [("id", "17"), ("note", "to do"), ("status", "valid"), ("version", "1.2.3"), ("price", "9.99")])
    func `is not any other column`(name: String, value: String) throws {
        let folder = try Scratch()
        let inputs = try Inputs([folder.write("a.csv", "receipt_data,\(name)\nTQ,\(value)\n")])
        _ = try claims(of: inputs)
        #expect(inputs.omissions.sentences(lacking: LikelyColumn.allCases) == [])
    }
}

/// Two columns have devices, accounts or dates, and only one of them is read.
struct `A column that fills the gaps of another` {
    private static let uuid = "6F9619FF-8B86-D011-B42D-00C04FC964FF"

    private func said(_ name: String, _ values: [(String, String)], of column: LikelyColumn) throws -> [String] {
        let folder = try Scratch()
        let known = column.rawValue
        let rows = values.map { "TQ,\($0),\($1)\n" }.joined()
        let lines = values.map { "{\"receipt_data\":\"TQ\",\"\(known)\":\"\($0)\",\"\(name)\":\"\($1)\"}\n" }.joined()
        let found = try [("a.csv", "receipt_data,\(known),\(name)\n" + rows), ("a.ndjson", lines)].map { path, text in
            let inputs = try Inputs([folder.write(path, text)])
            _ = try claims(of: inputs)
            return inputs.omissions.sentences(lacking: [])
        }
        #expect(found[0].count == found[1].count)
        return found[0]
    }

    @Test(arguments: [
        ("vendor_uuid", Self.uuid, LikelyColumn.device), ("hw", Self.uuid, .device), ("user_id", "ann", .account),
        ("customer_number", "17", .account), ("received_at", "2026-06-30", .date), ("created_at", "2026-06-30", .date),
    ])
    func `is named with it and the number of rows`(name: String, value: String, column: LikelyColumn) throws {
        let found = try said(name, [(value, ""), ("", value), ("", value)], of: column)
        let text = "COALESCE(\(column.rawValue), \(name))"
        #expect(found.count == 1 && found[0].contains("in 2 rows") && found[0].contains(text), "\(found)")
    }

    @Test(arguments: [("email", "a@example.com", LikelyColumn.account), ("created_at", "2026-06-30", .date)])
    func `is no column that has a value beside it too`(name: String, value: String, column: LikelyColumn) throws {
        #expect(try said(name, [("x", value), ("", value), ("x", "")], of: column) == [])
    }
}
