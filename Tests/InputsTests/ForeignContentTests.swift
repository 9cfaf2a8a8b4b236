import Encodings
import Testing

@testable import Inputs

/// What databases, servers and tools write that is neither a proof, a table nor JSON with claims: it is refused, with what
/// makes something of it that is read.
struct `An INPUT that is not read` {
    /// What it is and what to do; `nil` if it is read.
    private static func refusal(_ bytes: [UInt8], _ path: String = "x") -> (kind: String, remedy: String)? {
        guard case .unsupported(let shape) = InputContent(bytes.span, path) else { return nil }
        return (shape.kind, shape.remedy)
    }

    private static func refusal(_ text: String, _ path: String = "x") -> (kind: String, remedy: String)? {
        refusal(Array(text.utf8), path)
    }

    private static let files: [([UInt8], String)] = [
        (Array("PK\u{3}\u{4}x".utf8), "a zip archive"), (Array("PK\u{3}\u{4} [Content_Types].xml".utf8), "a workbook"),
        (Array("BZh9".utf8), "bzip2"), ([0xfd] + Array("7zXZ\0".utf8), "xz"), ([0x28, 0xb5, 0x2f, 0xfd, 0], "zstd"),
        ([0x04, 0x22, 0x4d, 0x18, 0], "lz4"), ([0x1f, 0x8b, 8], "gzip twice"), ([0x1f, 0x9d, 0x90], "compress"),
        ([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], "7-Zip"), (Array("PAR1".utf8), "Parquet"),
        (Array("Obj\u{1}".utf8), "Avro"), (Array("ORC".utf8), "ORC"), (Array("ARROW1\0\0".utf8), "Arrow"),
        (Array("SQLite format 3\0".utf8), "a database"), (Array("PGDMP\u{1}".utf8), "pg_dump"),
        (Array("PGCOPY\n".utf8) + [0xff], "COPY"), ([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], "old workbook"),
        ([40, 0, 0, 0, 7] + Array("_id\0".utf8) + [1, 2, 3, 4], "BSON"), (Array("bplist00".utf8), "property list"),
        (Array("PK\u{3}\u{4} mimetypeapplication/vnd.oasis.opendocument.spreadsheet".utf8), "OpenDocument"),
        (Array("\u{1e}{}\n".utf8), "sequences"), ([0x78, 0x9c, 0xed], "zlib"), (Array("%PDF-1.4".utf8), "PDF"),
        ([UInt8](repeating: 0x61, count: 257) + Array("ustar\0".utf8), "a tar archive"),
    ]

    @Test(arguments: files)
    func `may be an archive or a database, known by its first bytes`(bytes: [UInt8], kind: String) {
        let refusal = Self.refusal(bytes)
        #expect(refusal?.kind.contains(kind) == true && refusal?.remedy.isEmpty == false)
    }

    @Test(arguments: [
        ([0xff, 0xfe, 0x7b, 0] as [UInt8], "UTF-16", "-f UTF-16 -t"),
        ([0xfe, 0xff, 0, 0x7b], "UTF-16", "-f UTF-16 -t"),
        (Array("d\0e\0v\0i\0c\0e\0".utf8), "UTF-16", "-f UTF-16LE -t"),
        (Array("\0d\0e\0v\0i\0c\0e".utf8), "UTF-16", "-f UTF-16BE -t"),
        ([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0], "UTF-32", "-f UTF-32 -t"),
        (Array("{\0\0\0\"\0\0\0".utf8), "UTF-32", "-f UTF-32LE -t"),
        (Array("\0\0\0{\0\0\0\"".utf8), "UTF-32", "-f UTF-32BE -t"),
    ])
    func `may be text in another encoding, which iconv is told`(bytes: [UInt8], kind: String, remedy: String) {
        let refusal = Self.refusal(bytes)
        #expect(refusal?.kind == "text in \(kind)" && refusal?.remedy.contains(remedy) == true)
    }

    private static let receipt = "MIIROAYJKoZIhvcNAQcCoIIRKTCCESUCAQEx"
    private static let hex = "3082113806092a864886f70d010702a08211293082"

    @Test(arguments: [
        ("eyJh.eyJi.c2ln\neyJh.eyJi.c2ln\n", "several tokens"), ("\(receipt)\n\(receipt)\n", "several receipts"),
        ("x\n\"\(receipt)\"\n\"\(receipt)\"", "several receipts"), ("\\x\(hex)\n\\x\(hex)\n", "several receipts"),
        ("0x\(hex)\n0x\(hex)\n", "several receipts"), ("\(hex)\r\n\(hex)\r\n", "several receipts"),
        ("\(receipt)\n\neyJh.eyJi.c2ln\n", "several receipts"),
        ("a,b,c\nd,e,f\n", "a table whose header names no known column"),
        ("<html>,<b>\n<p>,</p>\n", "HTML"), ("\n<?xml version=\"1.0\"?><resultset/>", "XML"),
        ("--\n-- PostgreSQL database dump\n--\n", "SQL"), ("COPY public.claims (id, receipt) FROM stdin;\n", "SQL"),
        ("INSERT INTO `claims` VALUES (1,'x');\n", "SQL"), ("/*!40101 SET NAMES utf8 */;\n", "SQL"),
        (" receipt_data | device_id \n--------------+-----------\n", "psql"), ("-[ RECORD 1 ]+--\n", "psql"),
        (" receipt_data\n--------------\n", "psql"), ("+---+---+\n| receipt_data | x |\n", "mysql"),
        ("<html><table><tr><th>receipt_data</th></tr></table>", "with a table"),
        ("{'receipt_data': '\(receipt)'}\n", "Python"),
        ("[\n  {\n    _id: ObjectId('65a0'),\n    receipt_data: '\(receipt)'\n  }\n]\n", "mongosh"),
        (
            "2026-06-30 INFO user=a receipt=\(receipt)\n2026-06-30 INFO user=b receipt=\(receipt)\n",
            "inside of other text"
        ),
        ("#<Claim id: 1, receipt: \"\(receipt)\">\n#<Claim id: 2, receipt: \"\(receipt)\">\n", "inside of other text"),
        ("receipt_data: \(receipt)\ndevice_id: x\n", "YAML"),
        ("a=b&receipt-data=\(receipt)\n", "URL encoding"),
        ("level=info receipt=\(receipt) user=a\n", "key=value"),
        ("\(receipt)|A9|user-1\n\(receipt)|B9|user-2\n", "without a header"),
        ("2026-06-30 INFO {\"receipt_data\":\"\(receipt)\"}\n", "prefix of a log"),
        (
            "\(receipt),6F9619FF-8B86-D011-B42D-00C04FC964FF\n",
            "1. base64 of a PKCS #7 container, truncated or damaged; 2. a UUID or a MAC address"
        ),
        ("********** 1. row **********\nreceipt_data: x\n", "mysql"),
    ])
    func `may be text that is known by its first lines`(text: String, kind: String) {
        let refusal = Self.refusal(text)
        #expect(refusal?.kind.contains(kind) == true && refusal?.remedy.isEmpty == false, "\(text)")
    }

    @Test(arguments: [
        "{\"count\":1, \"data\" : [ {\"receipt_data\":\"TQ\"}]}\n",
        "{\"_source\":{\"jws\":\"TQ\"}}\n{\"_source\":{\"jws\":\"TQ\"}}\n",
        "{\"data\":{\"items\":[{\"a\":1,\"receipt\":\"TQ\"},{\"receipt\":\"TQ\"}]}}", "[[{\"receipt_data\":\"TQ\"}]]",
        "{\"a\":{\"receipt_data\":\"TQ\"},\"b\":{\"receipt_data\":\"TQ\"}}", "{\"a'b\":{\"jws\":\"TQ\"}}",
        "[\"\(receipt)\",\"\(receipt)\"]", "{\"id\":[1],\"receipt_data\": [\"\(receipt)\"]}",
        "{\"device_id\":{\"0\":\"a\"},\"receipt_data\":{\"0\":\"\(receipt)\"}}",
        "{\"A9\":\"\(receipt)\",\"B9\": \"\(receipt)\"}",
        "{\"Item\":{\"jws\":{\"S\":\"[FILTERED]\"},\"n\":{\"N\":\"1\"}}}\n"
            + "{\"Item\":{\"jws\":{\"S\":\"eyJh.eyJi.c2ln\"},\"n\":{\"N\":\"2\"}}}\n",
    ])
    func `may be JSON around claims, with a jq program of the table`(text: String) {
        let remedy = Self.refusal(text)?.remedy ?? ""
        let program = remedy.split(separator: "'").dropFirst().first.map { String($0) } ?? ""
        #expect(Envelope.programs.contains(program), "\(text) \(remedy)")
    }

    @Test(arguments: [
        // The device is beside another array than the proofs, so that no program keeps it.
        "{\"a\":[{\"idfv\":\"A9\"},{\"idfv\":\"B9\"}],\"b\":[{\"jws\":\"eyJh.eyJi.c2ln\"},{\"jws\":\"eyJh.eyJj.c2ln\"}]}",
        "{\"a\":{\"x\":{\"jws\":\"eyJh.eyJi.c2ln\"},\"y\":{\"jws\":\"eyJh.eyJj.c2ln\",\"idfv\":[\"A9\"]}}}",
    ])
    func `may be JSON for which no program is named, because each would lose something`(text: String) throws {
        let refusal = try #require(Self.refusal(text))
        #expect(!refusal.remedy.contains("jq") && refusal.kind.contains("jws"), "\(refusal)")
    }

    @Test(arguments: [
        "{\"receipt_data\":{\"$binary\":{\"base64\":\"TQ\"}},\"ip\":[1]}", "{\"receipt_data\":\"TQ\",\"ip\":{\"a\":1}}",
        "{\"receipt_data\":[\"TQ\"]}\n{\"receipt_data\":[\"TQ\"]}\n",
    ])
    func `is not a claim with a value that is no text, nor lines of those`(text: String) {
        #expect(Self.refusal(text) == nil)
    }

    @Test(arguments: [
        "{\"claims\":[]}", "{\"error\":\"unauthorized\",\"code\":401}\n", "{}", "[1,2]", "[[1]]", "{\"a\":[1,{}]}",
    ])
    func `may be JSON without a claim`(text: String) {
        #expect(Self.refusal(text)?.remedy.contains("receipt_data") == true)
    }

    @Test(arguments: ["\"\(receipt)\"\n\"\(receipt)\"\n", "\"eyJh.eyJi.c2ln\"\n\"eyJh.eyJi.c2ln\"\n"])
    func `may be JSON strings, one a line, and jq puts each into an object`(text: String) {
        #expect(Self.refusal(text, "x.ndjson")?.remedy.hasPrefix("jq -c '{receipt_data: .}'") == true)
    }

    @Test func `is told from a small proof that is damaged, and from a long one`() {
        #expect(Self.refusal([0xde, 0xad, 0xbe, 0xef]) == nil)
        #expect(Self.refusal("the receipt is missing") == nil)
        #expect(Self.refusal(Self.receipt + "\n" + String(repeating: "A", count: 64) + "\n") == nil)
        #expect(Self.refusal(String(repeating: Self.receipt, count: 4_000)) == nil)
        #expect(Self.refusal("\\x" + String(repeating: Self.hex, count: 4_000)) == nil)
        #expect(Self.refusal(String(repeating: "no receipt ", count: 10_000))?.kind.contains("neither") == true)
        #expect(Self.refusal([UInt8](repeating: 0xde, count: 1 << 17))?.kind.contains("neither") == true)
        let list = String(repeating: "- receipt_data: \(Self.receipt)\n", count: 4_000)
        #expect(Self.refusal(list)?.kind == "YAML")
        #expect(Self.refusal("-----BEGIN PKCS7-----\n" + String(repeating: Self.receipt, count: 4_000)) == nil)
    }

    @Test func `is named in its command as a shell reads it, and is not replaced by it`() {
        #expect(Self.refusal("PK\u{3}\u{4}x", "my 'own'.zip")?.remedy == "unzip 'my '\\''own'\\''.zip'")
        #expect(Self.refusal("PK\u{3}\u{4}x", "-a")?.remedy == "unzip ./-a")
        let parquet = Self.refusal("PAR1", "a$'b")?.remedy
        #expect(parquet?.contains("FROM 'a\\$''b'") == true && parquet?.contains("base64(COLUMN)") == true)
        #expect(
            Self.refusal([0xff, 0xfe, 0x7b, 0], "a/export.csv")?.remedy.hasSuffix("a/export.csv > converted.csv")
                == true)
    }

    @Test func `may have lines that are longer than what is looked at`() throws {
        let folder = try Scratch()
        let line = Self.receipt + String(repeating: "A", count: 100_000) + "\n"
        let path = try folder.write("long.txt", line + line)
        #expect(throws: InputError.self) { try Inputs([path]) }
        #expect(try claims(folder.write("one.txt", line)).count == 1)
    }

    @Test func `is read as a proof if the user says so`() throws {
        let names = try ExportNames(columns: [], format: .proof)
        let text = Array("{\"claims\":[]}".utf8)
        #expect(InputContent(text.span, "x", names) == .proof)
    }
}
