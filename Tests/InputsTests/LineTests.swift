import Corpus
import Encodings
import Files
import FoundationEssentials
import Glibc
import Testing

@testable import Inputs

struct `NDJSON` {
    let folder: Scratch

    init() throws { folder = try Scratch() }

    @Test func `is one claim a line`() throws {
        let data = Data("0abc".utf8).base64EncodedString()
        try folder.write("a.der", "0file")
        let export = try folder.write(
            "export.ndjson",
            """
            {"receipt_data": "\(data)", "device_id": " x ", "Account_ID": 12, "colour": [1, {"a": null}]}

              \t
            {"Receipt-Data":"\\u004dGFi\\n","presented_at":"2025-04-30T02:30:31Z","bundle_id":null}\r
            {"file": "./a.der", "receipt_data": " "}
            {"file": "none.der", "receipt_data": "\(data)", "product_id": "\\ud83d\\ude00\\"\\\\\\/\\b\\f\\n\\r\\t"}
            """)
        let source = try Inputs([export])
        let found = try claims(of: source)
        #expect(
            found.map(\.line) == [
                "export.ndjson:1 0abc", "export.ndjson:4 0ab", "export.ndjson:5 0file", "export.ndjson:6 0abc",
            ])
        #expect(found[0].claim.deviceID == "x")
        #expect(found[0].claim.accountID == "12")
        #expect(found[1].claim.presentedAt == Instant(rfc3339: "2025-04-30T02:30:31Z"))
        #expect(found[2].claim.file == "a.der")
        #expect(found[3].claim.productID == "😀\"\\/\u{8}")
        #expect(source.omissions.unknownColumns == ["colour"])
    }

    @Test(arguments: [
        #"{"receipt_data": "TQ==", "receipt_data": "Tg=="}"#, #"{"device_id": "a", "file": "b", "deviceId": "c"}"#,
        "{", "{}", "[]", "1", "null", #"{"file": "a"} x"#, #"{"file": "a",}"#, #"{"file" "a"}"#, #"{"file": a}"#,
        #"{"file": "a}"#, #"{"file": ["a"]}"#, #"{"file": {"a": 1}}"#, #"{"file": "\x"}"#, #"{"file": "\u12g4"}"#,
        #"{"file": "\ud83d"}"#, #"{"file": "\ud83dA"}"#, #"{"file": "\ude00"}"#, "{\"file\": \"a\tb\"}",
        #"{"file": 01}"#, #"{"file": +1}"#, #"{"file": .5}"#, #"{"file": 1.}"#, #"{"file": 1e}"#, #"{"file": nul}"#,
        #"{"device_id": "x"}"#, #"{"file": ""}"#, "{'file': 'a'}",
        #"{file: "a"}"#, #"{"file": "a"}{"file": "b"}"#,
    ])
    func `has one malformed row for`(_ line: String) throws {
        try folder.write("a", "0a")
        let export = try folder.write("export.jsonl", line + "\n{\"file\": \"a\"}\n")
        #expect(try claims(export).map(\.line) == ["export.jsonl:1 rowMalformed", "export.jsonl:2 0a"])
    }

    @Test(arguments: [
        (#"{"receipt_data": ""}"#, ""), (#"{"receipt_data": null}"#, ""), (#"{"receipt_data": " \n"}"#, ""),
        (#"{"receipt_data": "TQ==", "receipt-data": null}"#, "M"), (#"{"file": null, "receipt_data": null}"#, ""),
        ("\u{feff}{\"receipt_data\": \"TQ\"}", "M"), (#"{"receipt_data": "not base64!"}"#, "not base64!"),
    ])
    func `presents`(_ line: String, _ bytes: String) throws {
        let export = try folder.write("EXPORT.NdJson", line)
        #expect(try claims(export).map(\.line) == ["EXPORT.NdJson:1 \(bytes)"])
    }

    @Test func `that is not UTF-8 costs its own line only`() throws {
        let export = try folder.write(
            "export.ndjson",
            Array(#"{"receipt_data": "TQ", "a": ""#.utf8) + [0xff] + Array("\"}\n{\"receipt_data\":\"TQ\"}".utf8))
        #expect(try claims(export).map(\.line) == ["export.ndjson:1 rowMalformed", "export.ndjson:2 M"])
    }

    @Test func `may be nested deeply, but not without end`() throws {
        let deep = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        let export = try folder.write(
            "export.ndjson",
            "{\"a\": \(deep(100)), \"receipt_data\": \"TQ\"}\n{\"a\": \(deep(100_000)), \"receipt_data\": \"TQ\"}")
        #expect(try claims(export).map(\.line) == ["export.ndjson:1 M", "export.ndjson:2 rowMalformed"])
    }

    @Test func `may come through a pipe, torn at its end`() throws {
        var ends: [CInt] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        let text = Array("{\"receipt_data\":\"TQ\"}\n\n{\"receipt_data\":\"Tg\"}\n{\"receipt".utf8)
        #expect(unsafe write(ends[1], text, text.count) == text.count)
        close(ends[1])
        let stream = FileStream(FileDescriptor(ends[0]), size: nil)
        let source = LineSource(stream, origin: ClaimOrigin(table: "-"), pool: BufferPool())
        #expect(source.fraction == nil)
        #expect(try claims(of: source).map(\.line) == ["-:1 M", "-:3 N", "-:4 rowMalformed"])
    }

    @Test func `names no file with a NUL in its name`() throws {
        let export = try folder.write("export.ndjson", #"{"file": "a\u0000b"}"#)
        #expect(try claims(export).map(\.line) == ["export.ndjson:1 receiptNotFound"])
    }

    @Test func `lines may straddle any boundary`() throws {
        let receipt = String(repeating: "0", count: 40_000)
        let lines = (0..<40).map { "{\"receipt_data\": \"\(receipt)\", \"account_id\": \"\($0)\"}" }
        let export = try folder.write("export.ndjson", lines.joined(separator: "\n"))
        let found = try claims(export)
        #expect(found.map(\.claim.accountID) == (0..<40).map { "\($0)" })
        #expect(found.map(\.claim.source) == (1...40).map { "export.ndjson:\($0)" })
    }

    @Test func `agrees with Foundation about strings`() throws {
        var random = Seeded(state: 3)
        let alphabet: [Unicode.Scalar] = ["a", "\"", "\\", "/", "\u{7f}", "é", "😀", "\n", "\0", "u", "\u{2028}"]
        let encoder = JSONEncoder()
        for _ in 0..<300 {
            var text = "x"
            for _ in 0..<Int.random(in: 0..<80, using: &random) {
                text.unicodeScalars.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
            }
            let line = try encoder.encode(["account_id": text + "x", "receipt_data": ""])
            let export = try folder.write("export.ndjson", [UInt8](line))
            #expect(try claims(export).first?.claim.accountID == "\(text)x")
        }
    }
}
