import Encodings
import Testing

@testable import Inputs

/// After a migration to StoreKit 2, tables have a column for receipts and one for tokens.
struct `One of several columns for proofs` {
    private func table(_ text: String, _ size: Int = .max, _ names: ExportNames = ExportNames()) throws -> [String] {
        try claims(of: TableSource(Pieces(text, size), table: "t", folder: nil, names: names, pool: BufferPool()))
            .map(Self.result)
    }

    private func lines(_ text: String, _ names: ExportNames = ExportNames()) throws -> [String] {
        try claims(
            of: LineSource(Pieces(text, .max), origin: ClaimOrigin(table: "t", names: names), pool: BufferPool())
        ).map(Self.result)
    }

    private static func result(_ claim: Presented) -> String { claim.fault?.reason ?? claim.line }

    @Test(arguments: 1...30)
    func `counts if it is filled, wherever the pieces end in which the table arrives`(size: Int) throws {
        let text =
            "receipt_data,jws,device_id\r\n,VE9L,a\nTQ, ,b\n\"\",\"VE9L\",c\nTQ,TQ,d\nNULL,VE9L,e\nTQ,null,f\n,,g\n"
        #expect(
            try table(text, size) == [
                "t:2 TOK", "t:3 M", "t:4 TOK", "t:5 M", "t:6 TOK", "t:7 M", "t:8 ",
            ])
    }

    @Test(arguments: ["receipt,latest_receipt", "app_receipt,signed_transaction_info", "jws,receipt_data"])
    func `may have any two of the names that are known`(names: String) throws {
        #expect(try table("\(names)\nTQ,\n,VE9L\n") == ["t:2 M", "t:3 TOK"])
    }

    @Test func `is named with another if both are filled and differ, in the row alone`() throws {
        let found = try table("receipt,signed_transaction\nTQ,VE9L\nTQ,\n")
        #expect(found[0].contains("“receipt” and “signed_transaction” both hold a proof") && found[1] == "t:3 M")
        let line = try lines("{\"receipt\":\"TQ\",\"jws\":\"VE9L\"}\n{\"receipt\":\"TQ\"}\n")
        #expect(line[0].contains("“receipt” and “jws” both hold a proof") && line[1] == "t:2 M")
    }

    @Test func `is the only one if the user names it`() throws {
        let names = try ExportNames(columns: ["receipt_data=jws"])
        #expect(try table("receipt,jws\nTQ,VE9L\n", .max, names) == ["t:2 TOK"])
        #expect(try lines("{\"receipt\":\"TQ\",\"jws\":\"VE9L\"}", names) == ["t:1 TOK"])
        #expect(try lines("{\"jws\":\"VE9L\",\"receipt\":\"TQ\"}", names) == ["t:1 TOK"])
    }

    @Test func `is not one column twice`() throws {
        #expect(throws: InputError.self) { try table("jws,JWS\nTQ,TQ\n") }
        #expect(try lines("{\"jws\":\"TQ\",\"JWS\":\"TQ\"}")[0].contains("two members for receipt_data"))
    }

    @Test(arguments: [
        ("{\"receipt_data\":\"\",\"jws\":\"VE9L\"}", "t:1 TOK"),
        ("{\"jws\":\"VE9L\",\"receipt_data\":null}", "t:1 TOK"),
        ("{\"receipt_data\":\"TQ\",\"jws\":\"TQ\"}", "t:1 M"), ("{\"receipt\":\"null\",\"jws\":\"VE9L\"}", "t:1 TOK"),
        ("{\"receipt\":{\"a\":1},\"latest_receipt\":\"VE9L\"}", "t:1 TOK"),
        ("{\"jws\":null,\"receipt\":null}", "t:1 "),
        ("{\"jws\":\"VE9L\",\"receipt\":\" \",\"latest_receipt\":\"\"}", "t:1 TOK"),
    ])
    func `counts among the members of an object`(text: String, claim: String) throws {
        #expect(try lines(text) == [claim])
    }
}

/// UUIDs as MongoDB stores them.
struct `A UUID of MongoDB` {
    private static let uuid: [UInt8] = [
        0x6f, 0x96, 0x19, 0xff, 0x8b, 0x86, 0xd0, 0x11, 0xb4, 0x2d, 0x00, 0xc0, 0x4f, 0xc9, 0x64, 0xff,
    ]

    private func read(_ value: String, _ key: String = "device_id", _ columns: [String] = []) throws -> (
        Inputs, [UnreadValue]
    )? {
        let folder = try Scratch()
        let names = try ExportNames(columns: columns)
        let path = try folder.write("e.ndjson", "{\"receipt_data\":\"TQ\",\"\(key)\":\(value)}\n")
        let inputs = try Inputs([GivenPath(path)], names: names)
        let found = try claims(of: inputs)
        let isRead = DeviceIdentifiers(found[0].claim.deviceID).identifiers == [Self.uuid]
        return isRead ? nil : (inputs, found[0].claim.unread)
    }

    private func isRead(_ value: String, _ key: String, _ columns: [String] = []) throws -> Bool {
        if case nil = try read(value, key, columns) { true } else { false }
    }

    private func binary(_ base64: String, _ type: String) -> String {
        "{\"$binary\":{\"base64\":\"\(base64)\",\"subType\":\"\(type)\"}}"
    }

    @Test(arguments: ["device_id", "idfv", "vendorId"])
    func `is a device, under any name of its column`(key: String) throws {
        #expect(try isRead(binary("b5YZ/4uG0BG0LQDAT8lk/w==", "04"), key))
        #expect(try isRead("{\"$binary\":\"b5YZ/4uG0BG0LQDAT8lk/w==\",\"$type\":\"04\"}", key))
        #expect(try isRead("{\"$binary\":{\"subType\":\"4\",\"base64\":\"b5YZ\\/4uG0BG0LQDAT8lk\\/w==\"}}", key))
    }

    @Test(arguments: [
        ("python", "b5YZ/4uG0BG0LQDAT8lk/w=="), ("java", "EdCGi/8Zlm//ZMlPwAAttA=="),
        ("csharp", "/xmWb4aLEdC0LQDAT8lk/w=="),
    ])
    func `of subtype 03 is read by the driver that the user names`(driver: String, base64: String) throws {
        #expect(try isRead(binary(base64, "03"), "vendor_id", ["device_id:\(driver)=vendor_id"]))
        #expect(try isRead(binary("b5YZ/4uG0BG0LQDAT8lk/w==", "04"), "x", ["device_id:\(driver)=x"]))
    }

    @Test(arguments: ["device_id", "vendor_id"])
    func `of subtype 03 is left out and warned of if nobody wrote it, under any name`(key: String) throws {
        let (inputs, unread) = try #require(try read(binary("b5YZ/4uG0BG0LQDAT8lk/w==", "03"), key))
        #expect(unread.map(\.key) == [ExactText(key)] && unread.map(\.isLegacyUUID) == [true])
        #expect(inputs.omissions.unknownColumns.isEmpty)
    }

    @Test(arguments: [
        "[true]", "{\"a\":\"x\",\"b\":1}", "true", "{\"$binary\":{\"base64\":\"TQ==\",\"subType\":\"04\"}}",
    ])
    func `is no other value, which is warned of under any name`(value: String) throws {
        for key in ["device_id", "identifierForVendor"] {
            let (inputs, unread) = try #require(try read(value, key))
            #expect(unread.map(\.lacking) == [.device] && unread.map(\.isLegacyUUID) == [false])
            #expect(inputs.omissions.unknownColumns.isEmpty)
        }
    }

    @Test(arguments: [["device_id:ruby=x"], ["ip:java=x"], ["bundle_id:java=x"]])
    func `is written by no other driver, and in no other column`(columns: [String]) {
        #expect(throws: ExportNamesError.self) { try ExportNames(columns: columns) }
    }
}
