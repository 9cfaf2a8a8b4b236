import Encodings
import Testing

@testable import Inputs

/// What an INPUT holds is told by its first bytes; its name decides only where they say nothing.
struct `The content of an INPUT` {
    private static func content(_ text: String, _ path: String = "x") -> InputContent {
        let bytes = Array(text.utf8)
        return InputContent(bytes.span, path)
    }

    private static func content(_ bytes: [UInt8], _ path: String = "x") -> InputContent {
        InputContent(bytes.span, path)
    }

    private static let beginnings: [(String, InputContent)] = [
        ("{\"receipt_data\":\"TQ\"}\n{\"receipt_data\":\"TQ\"}\n", InputContent.lines),
        ("\u{feff}{\"receipt_data\":\"TQ\"}", .lines), ("{\"receipt_data\":\n{\"receipt_data\":\"TQ\"}\n", .lines),
        ("{\n  \"receipt_data\": \"TQ\"\n}\n", .objects), (" [{\"receipt_data\":\"TQ\"}]", .objects), ("[]", .objects),
        ("device_id,receipt_data\nx,TQ\n", .table), ("Receipt-Data\tdeviceId\nTQ\tx\n", .table),
        ("\"deviceId\";\"receiptData\"\r\nx;TQ\r\n", .table), ("jws\neyJh.eyJi.c2ln\n", .table),
        ("MIIB\nMIIB\n", .proof), ("eyJhbGciOiJFUzI1NiJ9.e30.c2ln\n", .proof), ("", .lines), ("\n\n", .lines),
        ("-----BEGIN PKCS7-----\na,b\nc,d\n", .proof),
        ("one word, and more", .proof), ("{ \"purchase-info\" = \"TQ\"; }", .proof),
        ("{\"device_id\":1}", .lines), ("{\"a\":1}\n{\"receipt_data\":\"TQ\"}", .lines),
        ("{\"data\":[{}],\"Receipt-Data\":\"TQ\"}", .lines), ("{\"a\":[{}]}\n{\"a\":[{}]}", .lines),
        ("{\"receipt_data\":\"TQ\"}\r{\"receipt_data\":\"TQ\"}\r", .objects),
        ("{\"receipt_data\":{\"a\":{\"receipt\":\"TQ\"}}}", .lines), ("[1,{\"receipt_data\":\"TQ\"}]", .objects),
    ]

    @Test(arguments: beginnings)
    func `is told by its first bytes`(text: String, content: InputContent) {
        #expect(Self.content(text) == content)
    }

    private static let names: [(String, String, InputContent)] = [
        ("", "a.csv", InputContent.table), ("", "a.NDJSON.gz", .lines), ("x\n", "a.tsv", .table),
        ("x,y\n", "a.csv.gz", .table), ("x\n", "a.jsonl", .lines), ("[]", "a.csv", .objects),
    ]

    @Test(arguments: names)
    func `is what its name says where they say nothing`(text: String, name: String, content: InputContent) {
        #expect(Self.content(text, name) == content)
    }

    /// DER begins with the tag of a SEQUENCE, whatever follows.
    @Test func `of DER is a proof, whatever it holds`() {
        #expect(Self.content([0x30, 0x82, 0x01, 0x00] + Array("\n{},;\t\na,b\n".utf8)) == .proof)
    }
}

/// JSON objects in an array, or one after the other.
struct `Objects of JSON` {
    private func lines(_ text: String, _ size: Int = .max) throws -> [String] {
        let source = ObjectSource(
            Pieces(text, size), origin: ClaimOrigin(table: "t"), pool: BufferPool())
        let found = try claims(of: source).map(\.line)
        return found + source.omissions.damages.map(\.description)
    }

    @Test(arguments: 1...40)
    func `are claims, wherever the pieces end in which they arrive`(size: Int) throws {
        let text = """
            [ {"receipt_data":"TQ"},\r
              {"receipt_data" :"Tg", "x": [1, {"y": "]}\\"{"}]} ,{
              "receipt_data": "T\\u0077"
            }]

            """
        #expect(try lines(text, size) == ["t:1 M", "t:2 N", "t:3 O"])
        #expect(try lines(String(text.dropFirst().dropLast(2)), size) == ["t:1 M", "t:2 N", "t:3 O"])
        #expect(try lines("\u{feff}" + text, size) == ["t:1 M", "t:2 N", "t:3 O"])
    }

    @Test func `may be none`() throws { #expect(try lines(" [ ] \n") == []) }

    @Test(arguments: [
        ("[1, {\"receipt_data\":\"TQ\"}]", ["t:1 rowMalformed", "t:2 M"]),
        ("[\"MIIB\",null]", ["t:1 rowMalformed", "t:2 rowMalformed"]),
        ("[{\"receipt_data\":\"TQ\"} {\"receipt_data\":\"TQ\"}]", ["t:1 M", "t:2 M"]),
        ("[{\"receipt_data\":\"TQ\"}", ["t:1 M", "t: the JSON array does not end"]),
        ("[{\"receipt_data\":\"TQ\"},{\"receipt", ["t:1 M", "t:2 rowMalformed", "t: the JSON text ends in an object"]),
        ("[{\"receipt_data\":\"TQ\"}] x", ["t:1 M", "t: the text after the JSON array is not read"]),
    ])
    func `that are damaged are a claim each, and what is missing is said`(text: String, found: [String]) throws {
        for size in [1, 3, 1000] { #expect(try lines(text, size) == found) }
    }

    @Test func `over 12 MiB are not read`() throws {
        let long = "[{\"receipt_data\":\"" + String(repeating: "A", count: 13 << 20) + "\"},{\"receipt_data\":\"TQ\"}]"
        #expect(try lines(long) == ["t:1 receiptUnreadable", "t:2 M"])
    }
}

/// The names of columns.
struct `A column` {
    private func column(_ name: String, _ names: ExportNames = ExportNames()) -> Column? {
        let bytes = Array(name.utf8)
        return names.column(named: bytes.span)?.column
    }

    @Test(arguments: [
        ("deviceId", Column.deviceID), ("Device ID", .deviceID), ("DEVICE-ID", .deviceID),
        ("receipt-data", .receiptData),
        ("latest_receipt", .receiptData), ("transactionReceipt", .receiptData), ("signedTransactionInfo", .receiptData),
        ("jws", .receiptData), ("idfv", .deviceID), ("userId", .accountID), ("appAccountToken", .accountToken),
    ])
    func `is known without case and punctuation, and by the names that Apple and databases use`(
        name: String, column: Column
    ) {
        #expect(self.column(name) == column)
    }

    @Test(arguments: ["", "_", "device", "deviceid2", "id", "token", "\u{212a}"])
    func `is not known by other names`(name: String) { #expect(column(name) == nil) }

    @Test func `may be named otherwise, and no other is then read in its place`() throws {
        let names = try ExportNames(columns: ["device_id=Vendor-UUID, account_id = uid"])
        #expect(column("vendor uuid", names) == .deviceID && column("uid", names) == .accountID)
        let header = try TableHeader(
            ["device_id", "vendor_uuid", "receipt_data"].map { Array($0.utf8) }, names, table: "t", line: 1)
        #expect(header.columns == [nil, .deviceID, .receiptData] && header.unknown.isEmpty)
        #expect(header.superseded.map(\.name) == ["device_id"])
    }

    @Test(arguments: [["x"], ["x=y"], ["device_id=a", "deviceId=b"], ["=y"], ["device_id="]])
    func `is not named by other texts`(columns: [String]) {
        #expect(throws: ExportNamesError.self) { try ExportNames(columns: columns) }
    }

    @Test func `counts before another name for it, and two that are as good are refused`() throws {
        let header = try TableHeader(
            ["idfv", "device_id", "jws"].map { Array($0.utf8) }, ExportNames(), table: "t", line: 1)
        #expect(header.columns == [.deviceID, .deviceID, .receiptData] && header.hasSeveralDevices)
        let names = ["user_id", "customerId"]
        #expect(throws: InputError.repeatedColumn(table: "t", line: 1, column: "account_id", names: names)) {
            try TableHeader((names + ["jws"]).map { Array($0.utf8) }, ExportNames(), table: "t", line: 1)
        }
    }
}

/// Tables whose cells are separated by tabs or semicolons, and cells that stand for nothing.
struct `A table of another form` {
    private func lines(_ text: String, _ size: Int, _ names: ExportNames = ExportNames()) throws -> [Presented] {
        try claims(of: TableSource(Pieces(text, size), table: "t", folder: nil, names: names, pool: BufferPool()))
    }

    @Test(arguments: ["\t", ";"])
    func `has the same claims, wherever the pieces end in which it arrives`(separator: String) throws {
        let rows = ["device_id,receipt_data,account_id", "a,TQ,", ",Tg,\"x,\"\"y\"", "a,\"T\nw\",z", "a,b"]
        let cells = rows.map { $0.replacing(",", with: separator) }.joined(separator: "\n") + "\n"
        let expected = try lines(rows.joined(separator: "\n") + "\n", .max)
        #expect(expected.map(\.line) == ["t:2 M", "t:3 N", "t:4 O", "t:6 rowMalformed"])
        for size in [1, 2, 7, 1000] {
            let found = try lines(cells, size)
            #expect(found.map(\.line) == expected.map(\.line))
            #expect(found.map(\.claim.deviceID) == expected.map(\.claim.deviceID))
        }
    }

    @Test func `has empty cells where null stands`() throws {
        let names = try ExportNames(columns: [], null: "NULL")
        let text = "device_id,account_id,receipt_data\n\\N,NULL,TQ\nN,\"NULL\",TQ\nnull,\\n,TQ\n"
        let found = try lines(text, .max, names).map { [$0.claim.deviceID, $0.claim.accountID] }
        #expect(found == [["", ""], ["N", ""], ["null", "\\n"]])
    }
}
