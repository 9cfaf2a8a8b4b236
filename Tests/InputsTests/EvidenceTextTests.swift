import Encodings
import FoundationEssentials
import Testing

@testable import Inputs

/// Evidence as companies store it: what Apple sent, in whatever a queue, a stream or a database puts around it.
struct `A text of evidence` {
    private static let token = "eyJhbGciOiJFUzI1NiJ9.e30.c2ln"
    private static let body = "{\"signedPayload\":\"\(token)\"}"

    private static func tokens(_ text: String) -> [String] {
        EvidenceText(Array(text.utf8)).tokens.map { String(decoding: $0, as: UTF8.self) }
    }

    /// A string of JSON.
    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    private static let shapes = [
        ("a token", token), ("a token in quotes", "\"\(token)\""), ("what Apple sent", body),
        ("snake case", "{\"id\":1,\"signed_payload\":\"\(token)\"}"),
        ("a name of its own", "{\"x\":{\"y\":\"\(token)\"}}"),
        ("SQS", "{\"MessageId\":\"1\",\"Body\":\(quoted(body))}"),
        ("SNS in SQS", "{\"Body\":\(quoted("{\"Message\":\(quoted(body))}"))}"),
        ("Lambda", "{\"Records\":[{\"body\":\(quoted(body))}]}"),
        ("Pub/Sub", "{\"message\":{\"data\":\"\(base64(body))\",\"messageId\":\"1\"}}"),
        ("Pub/Sub with a token", "{\"message\":{\"data\":\"\(base64(token))\"}}"),
        ("DynamoDB", "{\"Item\":{\"id\":{\"N\":\"1\"},\"payload\":{\"S\":\"\(token)\"}}}"),
        ("DynamoDB with a body", "{\"Item\":{\"body\":{\"S\":\(quoted(body))}}}"),
        ("Firestore", "{\"document\":{\"fields\":{\"payload\":{\"stringValue\":\"\(token)\"}}}}"),
        ("Kafka", "{\"topic\":\"t\",\"value\":\(quoted(body))}"),
        ("Segment", "{\"properties\":{\"jws\":\"\(token)\"}}"),
        ("octets of PostgreSQL", "{\"payload\":\"\\\\x\(body.utf8.map { String($0, radix: 16) }.joined())\"}"),
        ("a line of a log", "2026-05-01 INFO \(body)"), ("an object behind another", "{\"a\":1}\(body)"),
        ("a string of JSON in one of JSON", quoted(quoted(body))),
    ]

    @Test(arguments: shapes)
    func `is read in what companies store it in`(shape: String, text: String) {
        #expect(Self.tokens(text) == [Self.token], "\(shape)")
        #expect(EvidenceText(Array(text.utf8)).fault == nil, "\(shape)")
    }

    @Test func `is judged under the names of Apple, whatever stands there`() {
        #expect(Self.tokens("{\"signed_payload\":\"cut\",\"x\":\"other\"}") == ["cut"])
        #expect(Self.tokens("{\"signedTransactions\":[\"cut\",\"\(Self.token)\"]}") == ["cut", Self.token])
    }

    @Test func `holds no token that authorizes a request`() {
        let text = "{\"headers\":{\"authorization\":\"Bearer a\(Self.token)\"},\"body\":\(Self.quoted(Self.body))}"
        #expect(Self.tokens(text) == [Self.token])
        #expect(Self.tokens("x Bearer \(Self.token) \(Self.token)") == [Self.token])
    }

    @Test(arguments: [
        "[]", "{}", "{\"signedTransactions\":[],\"hasMore\":false}", "{\"Notification-History\":[]}",
        "{\"Messages\":[]}",
        "{\"Items\":[],\"Count\":0}", "{\"key\":5,\"value\":null}", "{\"Body\":\"\"}", "{\"records\":[{},{}]}",
    ])
    func `may say that there is nothing`(text: String) {
        let read = EvidenceText(Array(text.utf8))
        #expect(read.isEmpty && read.tokens.isEmpty && read.fault == nil)
    }

    @Test(arguments: ["{\"error\":\"unauthorized\"}", "{\"signedPayload\":null}", "[1]", "{\"a\":", "{\"a\":\"e30=\"}"])
    func `says why it holds none`(text: String) {
        let read = EvidenceText(Array(text.utf8))
        #expect(read.tokens.isEmpty && read.fault != nil && !read.isEmpty)
    }

    @Test func `is read under any number of objects, arrays and strings`() {
        func nested(_ depth: Int) -> String {
            String(repeating: "{\"a\":", count: depth) + Self.body + String(repeating: "}", count: depth)
        }
        #expect(Self.tokens(nested(9)) == [Self.token])
        #expect(Self.tokens(nested(100)) == [Self.token])
        #expect(Self.tokens("{\"a\":{\"b\":\(Self.quoted("[[[[[[[[\(Self.body)]]]]]]]]"))}}") == [Self.token])
        var text = Self.body
        for _ in 0..<12 { text = "{\"a\":\(Self.quoted(text))}" }
        #expect(Self.tokens(text) == [Self.token])
    }

    @Test func `of strings in strings costs no more than a few times its size`() {
        let large = "{\"a\":\"{" + String(repeating: "[", count: 5 << 20) + "\"}"
        #expect(EvidenceText(Array(large.utf8)).fault != nil)
        var bomb = Self.body
        for _ in 0..<9 { bomb = "{\"a\":\"\(Self.base64(bomb))\"}" }
        #expect(EvidenceText(Array(bomb.utf8)).lost == 1)
    }

    @Test(arguments: [
        ("behind an escape", "{\"a\":\"x\\nT\\u000aT\"}", 1), ("in a form", "signedPayload=T&x=1", 1),
        ("in a percent-encoded line", "x%0AT%0A", 1), ("beside JSON", "{\"a\":T", 1), ("behind a quote", "\"T", 1),
        ("in an authorization header", "Bearer T", 1), ("behind a mark", "\u{feff}T", 1),
        ("between zeros", "\u{0}T\u{0}", 1), ("between returns", "x\rT\ry", 1),
    ])
    func `has the token that stands in it`(place: String, text: String, count: Int) {
        let token = HostileEvidence.token(1)
        #expect(Self.tokens(text.replacing("T", with: token)) == Array(repeating: token, count: count), "\(place)")
    }

    @Test(arguments: [
        ("its beginning", "eyJhbGci"), ("a token without its end", "eyJhbGciOiJFUzI1NiJ9.eyJhIjo"),
        ("two tokens that nothing parts", token + token), ("JSON with a part", "{\"a\":\"eyJhbGci\"}"),
    ])
    func `that shows only a part of a token counts as lost`(part: String, text: String) {
        let read = EvidenceText(Array(text.utf8))
        #expect(read.found.isEmpty && read.lost == 1 && read.fault?.reason == EvidenceFault.hidden, "\(part)")
    }

    @Test func `counts each part of a token beside whole ones`() {
        let (whole, cut) = (HostileEvidence.token(1), String(HostileEvidence.token(2).prefix(450)))
        let read = EvidenceText(Array("{\"a\":\"\(whole)\",\"b\":\"\(cut)\",\"c\":\"\(cut)\"}".utf8))
        #expect(read.found.count == 1 && read.lost == 2)
    }

    @Test func `does not take JSON in base64 for a part of a token`() {
        let read = EvidenceText(Array("{\"next\":\"\(Self.base64("{\"page\":2}"))\",\"data\":[]}".utf8))
        #expect(read.isEmpty && read.lost == 0)
    }
}

/// Tables of evidence.
struct `A table of evidence` {
    private let folder: Scratch
    private static let token = "eyJhbGciOiJFUzI1NiJ9.e30.c2ln"
    private static let body = "{\n  \"signedPayload\": \"\(token)\"\n}"

    init() throws { folder = try Scratch() }

    /// The sources of tokens, and of texts with a fault.
    private func read(_ text: String, _ name: String = "e.csv") throws -> [String] {
        let source = try EvidenceSource([GivenPath(name, at: folder.write(name, text))])
        var found: [String] = []
        while let block = try source.nextBlock() {
            for item in block.items {
                let text = EvidenceText(item)
                found += text.found.map { "\(item.source(of: $0)) \(String(decoding: $0.octets, as: UTF8.self))" }
                if text.fault != nil { found.append("\(item.source) fault") }
            }
        }
        return found
    }

    @Test(arguments: [
        ("id,signed_payload,at\n1,T,x\n2,T,y\n", [2, 3]), ("id\tSigned-Payload\n1\tT\n", [2]),
        ("signedPayload\nT\nT\n", [2, 3]), ("sep=;\nid;payload\n1;T\n", [3]), ("id|body\r\n1|T\r\n", [2]),
        ("id,body\n1,\"T\"\n", [2]), ("id,body\nid,body\n1,T\n", [3]), ("\u{feff}id,signedTransactionInfo\n1,T", [2]),
    ])
    func `has tokens in any column, beside others`(text: String, lines: [Int]) throws {
        let text = text.replacing("T", with: Self.token).replacing(
            "\(Self.token)ransactionInfo", with: "TransactionInfo")
        let found = try read(text.replacing("signed\(Self.token)", with: "signedT"))
        #expect(found.filter { $0.hasSuffix(Self.token) } == lines.map { "e.csv:\($0) \(Self.token)" })
    }

    @Test func `may have JSON over several lines in a cell, and cells that hold none`() throws {
        let cell = "\"" + Self.body.replacing("\"", with: "\"\"") + "\""
        #expect(
            try read("id,body\n1,\(cell)\n2,\n3,\(cell)\n") == [
                "e.csv:2 \(Self.token)", "e.csv:6 \(Self.token)",
            ])
    }

    @Test func `is judged under the names of Apple, whatever a cell holds`() throws {
        #expect(try read("id,signed_payload\n1,cut\n2,NULL\n") == ["e.csv:2 cut"])
    }

    @Test func `has nothing in rows without a token, unless a cell may be the start of one`() throws {
        #expect(try read("id,body\n1,ping\n2,\\N\n") == [])
        #expect(try read("id,body\n1,eyJhbGci\n") == ["e.csv:2 fault"])
        #expect(try read("id,body\n1,\(String(repeating: "x", count: 255))\n") == ["e.csv:2 fault"])
    }

    @Test func `loses no row to a quote that is not closed`() throws {
        let rows = (0..<50).map { "\($0),\(Self.token)\n" }.joined()
        let found = try read("id,body\n\"x,\(Self.token)\n" + rows)
        #expect(found.count == 51 && found.allSatisfy { $0.hasSuffix(Self.token) })
    }

    @Test func `may quote with backslashes, and have no header`() throws {
        let json = "{\\\"signedPayload\\\": \\\"\(Self.token)\\\"}"
        #expect(try read("id,body\n1,\"\(json)\"\n") == ["e.csv:2 \(Self.token)"])
        #expect(try read("1,\"{\"\"signedPayload\"\":\"\"\(Self.token)\"\"}\"\n") == ["e.csv:1 \(Self.token)"])
    }
}
