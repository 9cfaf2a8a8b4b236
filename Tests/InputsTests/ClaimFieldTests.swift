import Encodings
import Testing

@testable import Inputs

/// What a claim says besides its receipt, in every kind of input.
struct `What a claim says` {
    let folder: Scratch

    init() throws { folder = try Scratch() }

    private static let columns = [
        "device_id", "device_verification_id", "account_id", "account_token", "bundle_id", "app_version", "product_id",
        "presented_at", "ip",
    ]

    private func values(_ claim: Claim) -> [ExactText] {
        [
            claim.deviceID, claim.deviceVerificationID, claim.accountID, claim.accountToken, claim.bundleID,
            claim.appVersion, claim.productID, "\(claim.presentedAt.map { "\($0)" } ?? "")", claim.ip,
        ]
    }

    private let said: [ExactText] = ["d", "v", "a", "t", "b", "1", "p", "2025-04-30T02:30:31Z", "2001:db8::1"]

    @Test func `is read from a table`() throws {
        let header = Self.columns.joined(separator: ",").uppercased()
        let row = said.map(\.text).joined(separator: " , ")
        let found = try claims(folder.write("t.csv", "receipt_data,\(header)\nTQ,\(row)\n"))
        #expect(found.map { values($0.claim) } == [said])
    }

    @Test(arguments: ["'%", "=\"%\"", "\"%\""])
    func `of its device verification id may have signs of spreadsheets around it`(form: String) throws {
        let id = "4c4c4544-0051-3010-8052-b4c04f4e3432"
        let written = form.split(separator: "%", omittingEmptySubsequences: false).joined(separator: id)
            .split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        let text = "receipt_data,device_verification_id\nTQ,\"\(written)\"\n"
        #expect(try claims(folder.write("t.csv", text)).map { $0.claim.deviceVerificationID.text } == [id])
    }

    @Test func `is read from a manifest`() throws {
        try folder.write("a.der", "0a")
        let row = said.map(\.text).joined(separator: ",")
        try folder.write("devices.csv", "file,\(Self.columns.joined(separator: ","))\na.der,\(row)\n")
        #expect(try claims(folder.path).map { values($0.claim) } == [said])
    }

    @Test func `is read from NDJSON`() throws {
        let members = zip(Self.columns, said).map { "\"\($0)\": \"\($1)\"" }.joined(separator: ", ")
        let found = try claims(folder.write("t.ndjson", "{\"receipt_data\": \"TQ\", \(members)}\n"))
        #expect(found.map { values($0.claim) } == [said])
    }

    @Test(arguments: [
        ("\"2025-04-30 02:30:31+00\"", "2025-04-30T02:30:31Z"), ("1745980231", "2025-04-30T02:30:31Z"),
        ("1745980231304", "2025-04-30T02:30:31Z"), ("1.745980231e9", "2025-04-30T02:30:31Z"), ("null", ""),
        ("\" \"", ""),
    ])
    func `of its time may be any of the usual forms`(value: String, date: String) throws {
        let line = "{\"receipt_data\": \"TQ\", \"presented_at\": \(value)}"
        let claim = try #require(try claims(folder.write("t.ndjson", line)).first).claim
        #expect(claim.presentedAt.map { "\($0)" } ?? "" == date)
        #expect(!claim.isDateUnread)
    }

    @Test(arguments: ["\"yesterday\"", "true", "\"1e9\"", "1e99", "-5", "\"30.04.2025\""])
    func `of its time is left out if it cannot be read, and the claim stays`(value: String) throws {
        let line = "{\"receipt_data\": \"TQ\", \"presented_at\": \(value)}"
        let found = try claims(folder.write("t.ndjson", line))
        #expect(found.map(\.line) == ["t.ndjson:1 M"])
        #expect(found.map(\.claim.presentedAt) == [nil] && found.map(\.claim.isDateUnread) == [true])
    }

    @Test func `of its time is left out in a table too`() throws {
        let found = try claims(folder.write("t.csv", "receipt_data,presented_at\nTQ,soon\nTg,2025-04-30\n"))
        #expect(found.map(\.line) == ["t.csv:2 M", "t.csv:3 N"])
        #expect(found.map(\.claim.isDateUnread) == [true, false])
        #expect(found[1].claim.presentedAt == Instant(rfc3339: "2025-04-30T00:00:00Z"))
    }
}

/// The bytes that distinguish a claim from others where there is no receipt to do so.
struct `The bytes that identify a claim` {
    let folder: Scratch

    init() throws { folder = try Scratch() }

    private func identities(_ text: String, _ name: String) throws -> [String] {
        try claims(folder.write(name, text)).map { String(decoding: $0.identity, as: UTF8.self) }
    }

    /// The same of a table in pieces of some bytes, split by libcsv alone if so wished.
    private func identities(of table: [UInt8], piece: Int, plain: Bool) throws -> [[UInt8]] {
        let rows = TableRows(table: "t.csv", folder: nil, unnamed: nil, pool: BufferPool())
        let source = TableSource(Pieces(table, piece), rows, plainRows: plain ? PlainRows() : nil)
        return try claims(of: source).map(\.identity)
    }

    @Test func `of a receipt are those in the cell, undecoded`() throws {
        #expect(try identities("receipt_data,note\n\"T\nQ==\",\n", "t.csv") == ["T\nQ=="])
        #expect(try identities(#"{"receipt_data": " T\u0051 "}"#, "t.ndjson") == [" TQ "])
    }

    @Test func `of a receipt are those in the file, undecoded`() throws {
        try folder.write("a.b64", "TQ==\n")
        #expect(try identities("file\na.b64\n", "t.csv") == ["TQ==\n"])
        #expect(try identities(#"{"file": "a.b64"}"#, "t.ndjson") == ["TQ==\n"])
    }

    @Test func `of a receipt that is not found are the path as the row has it`() throws {
        #expect(try identities("file\n .//none.der \n../x\n", "t.csv") == [".//none.der", "../x"])
        #expect(try identities(#"{"file": " .//none.der "}"#, "t.ndjson") == [".//none.der"])
    }

    @Test func `of a receipt that is too long are those of the cell`() throws {
        let long = "\"" + String(repeating: "!", count: ReceiptLimit.bytes + 1) + "\""
        let found = try claims(folder.write("t.ndjson", "{\"receipt_data\": \(long)}"))
        #expect(found.map(\.fault?.kind) == [.receiptUnreadable])
        #expect(found.map(\.identity.count) == [ReceiptLimit.bytes + 1])
        let table = try claims(folder.write("t.csv", "receipt_data\n\(long)\n"))
        #expect(table.map(\.identity.count) == [ReceiptLimit.bytes + 1])
    }

    @Test func `of a malformed line are its own, without the line's end`() throws {
        #expect(
            try identities("{} \r\n x\n\n{\"file\": 1e}\r", "t.ndjson") == ["{} ", " x", "{\"file\": 1e}"])
    }

    @Test(arguments: [1, 7, 1 << 20], [false, true])
    func `of a malformed row are its own, without the line's end`(piece: Int, plain: Bool) throws {
        let rows: [[UInt8]] = [
            Array("TQ,\"x\",y".utf8), Array(" TQ , \"a \"\" b\"".utf8), Array("\"T\r\nQ\",,,".utf8),
            Array("TQ, ,".utf8) + [0xff],
        ]
        for end in ["\n", "\r\n", "\r"] {
            var table = Array("receipt_data,note,account_id\(end)".utf8)
            for row in rows { table += row + Array(end.utf8) }
            let found = try identities(of: table, piece: piece, plain: plain)
            #expect(found == [Array("TQ".utf8)] + rows[1...])
            let last = try identities(of: Array(table.dropLast(end.utf8.count)), piece: piece, plain: plain)
            #expect(last == found)
        }
    }

    @Test(arguments: [1, 7, 1 << 20])
    func `of a row that runs on are those of its first line`(piece: Int) throws {
        let table = Array("receipt_data,account_id\nTQ,\"x\nTg,\"y\"\nTQ,z\n".utf8)
        let found = try identities(of: table, piece: piece, plain: true)
        #expect(found.map { String(decoding: $0, as: UTF8.self) } == ["TQ,\"x", "Tg", "TQ"])
    }

    @Test(arguments: [1, 7, 1 << 20])
    func `of a row with an open quote are all up to the end`(piece: Int) throws {
        let found = try identities(of: Array("receipt_data\nTQ\n\"Tg\nTQ\n".utf8), piece: piece, plain: true)
        #expect(found.map { String(decoding: $0, as: UTF8.self) } == ["TQ", "\"Tg\nTQ"])
    }
}
