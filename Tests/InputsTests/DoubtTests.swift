import Encodings
import FoundationEssentials
import Testing

@testable import Inputs

/// A run's messages about inputs that can be read and are probably not what was meant.
struct `A doubt about INPUTs` {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    private func omissions(_ paths: [String], _ names: ExportNames = ExportNames()) throws -> Omissions {
        let inputs = try Inputs(paths.map { GivenPath($0) }, names: names)
        _ = try claims(of: inputs)
        return inputs.omissions
    }

    @Test(arguments: [
        ("a.csv", "customer,receipt_data\nx,TQ\n"), ("a.ndjson", "{\"customer\":\"x\",\"receipt_data\":\"TQ\"}\n"),
        ("a.json", "[{\"customer\":\"x\",\"receipt_data\":\"TQ\"}]"),
    ])
    func `is a name for a column that no INPUT has, and what there is`(name: String, text: String) throws {
        let path = try folder.write(name, text)
        let wrong = try omissions([path], ExportNames(columns: ["account_id=custmer"])).absentColumns
        #expect(wrong.map(\.name) == ["custmer"] && wrong[0].column == "account_id")
        #expect(wrong[0].others.contains("customer"))
        #expect(try omissions([path], ExportNames(columns: ["account_id=Customer"])).absentColumns == [])
        // One INPUT that has it is enough.
        let other = try folder.write("b.csv", "custmer,receipt_data\nx,TQ\n")
        #expect(try omissions([path, other], ExportNames(columns: ["account_id=custmer"])).absentColumns == [])
    }

    @Test func `is no name that stands for two columns, which is refused`() {
        #expect(throws: ExportNamesError.usedTwice("UID")) {
            try ExportNames(columns: ["device_id=uid", "account_id=UID"])
        }
    }

    @Test(arguments: ["a.csv", "a.ndjson"])
    func `is text that is not UTF-8, in rows and in objects`(name: String) throws {
        let isTable = name == "a.csv"
        let start = isTable ? "receipt_data,account_id\nTQ,J" : "{\"receipt_data\":\"TQ\",\"account_id\":\"J"
        let bytes = Array(start.utf8) + [0xfc] + Array((isTable ? "rgen\n" : "rgen\"}\n").utf8)
        let found = try claims(folder.write(name, bytes))
        #expect(found.count == 1 && found[0].fault?.isOtherText == true)
        let sound = try claims(folder.write(name, bytes.map { $0 == 0xfc ? 0x75 : $0 }))
        #expect(sound.count == 1 && sound[0].fault == nil)
    }

    @Test func `is text that is not UTF-8, which a command converts`() {
        let doubts = TableDoubts(otherTexts: 2, path: "my export.csv").texts
        #expect(doubts.count == 1 && doubts[0].contains("2 rows cannot be read, not being UTF-8"))
        #expect(doubts[0].contains("iconv -f WINDOWS-1252 -t UTF-8 'my export.csv'"))
        #expect(TableDoubts(otherTexts: 0, path: "a.csv").texts == [])
    }

    @Test func `is about a named input`() {
        #expect(TableDoubts(otherTexts: 0, ["it is odd"], path: "-").texts == ["standard input: it is odd"])
        #expect(TableDoubts(otherTexts: 0, ["it is odd"], path: "a.csv").texts == ["a.csv: it is odd"])
    }

    @Test(arguments: [
        ("1000", "1000"), ("1000.0", "1000"), ("1e3", "1000"), ("\"1000.0\"", "1000.0"), ("-1.0", "-1"), ("0.0", "0"),
        ("1e15", "1000000000000000"), ("9007199254740993", "9007199254740993"), ("1.50", "1.5"),
        ("{\"$numberDouble\":\"1000.0\"}", "1000"), ("{\"$numberDecimal\":\"1E+3\"}", "1000"),
        ("{\"$numberDouble\":\"NaN\"}", "NaN"), ("{\"$oid\":\"1000.0\"}", "1000.0"),
    ])
    func `is no number, which is one text however it is written`(value: String, text: String) throws {
        for column in ["account_id", "user_id", "device_id", "product_id", "account_token"] {
            let found = try claims(folder.write("a.ndjson", "{\"receipt_data\":\"TQ\",\"\(column)\":\(value)}\n"))
            let claim = try #require(found.first).claim
            let said = [claim.accountID, claim.deviceID, claim.productID, claim.accountToken].filter { !$0.isEmpty }
            #expect(said == [ExactText(text)], "\(column)")
        }
    }

    @Test func `is no number in the place of a version, which is text`() throws {
        let found = try claims(folder.write("a.ndjson", "{\"receipt_data\":\"TQ\",\"app_version\":1.10}\n"))
        #expect(found.map(\.claim.appVersion) == ["1.10"])
    }

    @Test(arguments: [
        ("{\"id\":\"a-1\"}", "a-1"), ("{\"S\":\"a-1\"}", "a-1"), ("{\"N\":17}", "17"), ("{\"id\":\"\"}", ""),
        ("{\"NULL\":true}", ""), ("[]", ""), ("[\"a-1\"]", "a-1"),
        ("{\"string\":\"a\\u00e9\"}", "aé"),
    ])
    func `is an id if it holds nothing else`(value: String, id: String) throws {
        for key in ["account_id", "user_id", "device_id", "account_token"] {
            let claim = try #require(
                try claims(folder.write("a.ndjson", "{\"receipt_data\":\"TQ\",\"\(key)\":\(value)}\n")).first
            ).claim
            #expect([claim.accountID, claim.deviceID, claim.accountToken].map(\.text).joined() == id, "\(key)")
        }
    }

    @Test func `may be alternatives of a device, and never two accounts`() throws {
        let ids = "[\"a4:83:e7:53:84:4f\",\"f0:18:98:f1:bb:c8\"]"
        let line = "{\"receipt_data\":\"TQ\",\"device_id\":\(ids),\"account_id\":[\"a\",\"b\"]}\n"
        let claim = try #require(try claims(folder.write("a.ndjson", line)).first).claim
        #expect(claim.deviceID == "a4:83:e7:53:84:4f|f0:18:98:f1:bb:c8" && claim.accountID == "")
    }

    @Test(arguments: ["device_id", "account_id", "ip"])
    func `is a key without text, without which the claim is judged`(key: String) throws {
        for value in ["{\"id\":1,\"name\":\"a\"}", "[true]", "{}", "true"] {
            let path = try folder.write("a.ndjson", "{\"receipt_data\":\"TQ\",\"\(key)\":\(value)}\n")
            let inputs = try Inputs([path])
            let found = try claims(of: inputs)
            #expect(found.map(\.line) == ["a.ndjson:1 M"])
            let lacking: LikelyColumn? = key == "device_id" ? .device : key == "account_id" ? .account : nil
            #expect(found[0].claim.unread.map(\.key) == [ExactText(key)], "\(value)")
            #expect(found[0].claim.unread.map(\.lacking) == [lacking], "\(value)")
        }
    }

    @Test(arguments: ["{\"a\":1}", "[1]", "true", "{\"$date\":{\"a\":1}}", "{\"$date\":\"x\"}"])
    func `is no date that is left out, which is counted`(value: String) throws {
        let found = try claims(folder.write("a.ndjson", "{\"receipt_data\":\"TQ\",\"presented_at\":\(value)}\n"))
        #expect(found.map(\.line) == ["a.ndjson:1 M"] && found[0].claim.isDateUnread)
    }

    @Test func `is none where MongoDB writes dates, ids and octets as objects`() throws {
        let text = #"""
            {"receipt_data":{"$binary":{"base64":"TQ==","subType":"00"}},"account_id":{"$oid":"5f5f"},"presented_at":{"$date":"2026-06-01T12:00:00Z"}}
            {"receipt":{"$binary":"TQ==","$type":"00"},"account_id":{"$numberLong":"12"},"presented_at":{"$date":{"$numberLong":"1780315200000"}}}
            {"receipt_data":"TQ","account_id":12345678901234567890123,"presented_at":{ "$date" : 1780315200000 } }

            """#
        let inputs = try Inputs([folder.write("a.ndjson", text)])
        let found = try claims(of: inputs)
        #expect(found.map(\.line) == ["a.ndjson:1 M", "a.ndjson:2 M", "a.ndjson:3 M"])
        #expect(found.allSatisfy { $0.claim.presentedAt?.description == "2026-06-01T12:00:00Z" })
        #expect(found.map(\.claim.accountID) == ["5f5f", "12", "12345678901234567890123"])
        #expect(inputs.omissions.doubts == [])
    }

    @Test(arguments: [
        "6F9619FF-8B86-D011-B42D-00C04FC964FF", "00:17:f2:c4:bc:c0", "2026-06-30",
        "MIIROAYJKoZIhvcNAQcCoIIRKTCCESUCAQEx",
    ])
    func `is not told with the ids of a table without a header`(cell: String) throws {
        for (row, isTold) in [("alice,\(cell)", false), ("alice,phone", true)] {
            let path = try folder.write("a.csv", row + "\nb,c\n")
            #expect {
                try claims(path)
            } throws: { error in
                "\(error)".contains("alice") == isTold && !"\(error)".contains(cell)
            }
        }
    }

    @Test(arguments: [Array("f\0i\0l\0e\0\n\0a\0\n\0".utf8), Array("PK\u{3}\u{4}".utf8)])
    func `is not needed for a manifest that is refused as an INPUT is`(bytes: [UInt8]) throws {
        try folder.write("f/a.der", "0")
        let other = try folder.write("m.csv", bytes)
        #expect(throws: InputError.self) { try Inputs([folder.path + "/f"], manifestPath: other) }
        try folder.write("f/devices.csv", bytes)
        #expect(throws: InputError.self) { try Inputs([folder.path + "/f"]) }
    }

    @Test func `is an INPUT inside of another`() throws {
        try folder.write("f/sub/a.der", "0")
        try folder.write("f/t.csv", "receipt_data\nTQ\n")
        for inner in ["f/sub", "f/sub/", "f/t.csv", "f/sub/a.der"] {
            let doubts = try omissions([folder.path + "/" + inner, folder.path + "/f"]).doubts
            #expect(doubts.count == 1 && doubts[0].contains("\(inner) is inside the INPUT"), "\(inner) \(doubts)")
        }
        try folder.write("g/a.der", "0")
        #expect(try omissions([folder.path + "/f/sub", folder.path + "/g"]).doubts == [])
        #expect(try omissions([folder.path + "/g", folder.path + "/g/."]).doubts.count == 1)
    }

    @Test func `is not needed for standard input, which may be named once`() {
        #expect(throws: InputError.standardInputTwice) { try Inputs(["-", "-"]) }
    }

    @Test func `is evidence without any text, and evidence that is an archive is refused`() throws {
        for text in ["", "\n \n"] {
            let source = try EvidenceSource([GivenPath(folder.write("e.ndjson", text))])
            while try source.nextBlock() != nil {}
            #expect(source.omissions.emptyEvidence.count == 1 && source.omissions.damages.isEmpty)
        }
        try FileManager.default.createDirectory(atPath: folder.path + "/none", withIntermediateDirectories: true)
        let folders = try EvidenceSource([GivenPath("notifications", at: folder.path + "/none")])
        #expect(folders.omissions.emptyEvidence == ["notifications: holds no evidence"])
        for bytes in [Array("PK\u{3}\u{4}".utf8), [0xff, 0xfe, 0x7b, 0]] {
            let path = try folder.write("e.ndjson", bytes)
            #expect(throws: InputError.self) { try EvidenceSource([GivenPath(path)]) }
        }
    }

    @Test(arguments: [";", ",", "\t", "|"], ["\n", "\r\n"])
    func `is not needed for a table whose first line names the separator`(separator: String, end: String) throws {
        let rows = ["device_id", "receipt_data"].joined(separator: separator) + end + "a\(separator)TQ" + end
        for mark in ["", "\u{feff}"] {
            let path = try folder.write("a", mark + "sep=\(separator)" + end + rows)
            let found = try claims(path)
            #expect(found.map(\.line) == ["a:3 M"] && found[0].claim.deviceID == "a")
        }
    }
}
