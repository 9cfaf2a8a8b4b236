import Encodings
import FoundationEssentials
import Testing

@testable import Inputs

/// What is told of evidence without a token.
struct `Evidence without a signed token` {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    private func texts(_ bytes: [UInt8], _ name: String = "e.csv") throws -> [EvidenceText] {
        try folder.write(name, bytes)
        let read = try EvidenceSource([GivenPath(folder.path)])
        var texts: [EvidenceText] = []
        while let block = try read.nextBlock() { texts += block.items.map { EvidenceText($0) } }
        return texts
    }

    @Test(arguments: [
        ("notification_type,original_transaction_id\nREFUND,1\n", SeenForm.decodedNotification),
        ("id\ttransaction_id\tRevocation Date\n1\t2\t3\n", .transactionJSON),
        ("{\"notificationType\":\"REFUND\",\"data\":{}}\n", .decodedNotification),
        ("{\"original_transaction_id\":\"1\"}\n", .transactionJSON),
        ("ts=1 event=n originalTransactionId=1\n", .transactionJSON),
    ])
    func `is lost if it is a decoded copy of what Apple signed`(text: String, form: SeenForm) throws {
        let read = try #require(try texts(Array(text.utf8)).last)
        #expect(read.look?.form == form && read.lost == 1 && read.fault?.reason == form.noun)
    }

    @Test(arguments: [("", 1), (#","signedPayload":"eyJhbGciOiJFUzI1NiJ9.e30.c2ln""#, 0)])
    func `is lost where tokens are inside of a decoded notification, but not the notification`(
        beside: String, lost: Int
    ) throws {
        let token = "eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmVk"
        let text =
            #"{"notificationType":"REFUND","notificationUUID":"1","data":{"signedTransactionInfo":"\#(token)"}\#(beside)}"#
        let read = try #require(try texts(Array((text + "\n").utf8)).last)
        #expect(read.tokens.contains(Array(token.utf8)) && read.lost == lost, "\(read)")
    }

    @Test func `is no row where a line break in UTF-16 ends the file`() throws {
        let text = "{\"signedPayload\":\"eyJhbGciOiJFUzI1NiJ9.e30.c2ln\"}\n"
        let bytes: [UInt8] = text.utf8.flatMap { [$0, 0] as [UInt8] }
        #expect(try texts(bytes, "plain.ndjson").count == 1)
        #expect(try texts([0xff, 0xfe] + bytes, "marked.ndjson").last.map { $0.found.count + $0.lost } == 1)
    }

    @Test(arguments: [
        ("2000000123456789\n", SeenForm.transactionID), ("<html><body>502</body></html>\n", .html),
        ("{\"error\":\"x\"}\n", .json), ("id,body\n1,ping\n", .placeholder),
    ])
    func `is told by its looks`(text: String, form: SeenForm) throws {
        let read = try #require(try texts(Array(text.utf8)).last)
        #expect(read.look?.form == form && read.lost == 0 && read.found.isEmpty)
    }

    @Test func `is one text where it is a receipt or a picture, and hides no token behind it`() throws {
        let token = HostileEvidence.token(1)
        let picture = [0x89] + Array("PNG\r\n\u{1a}\n".utf8) + [UInt8](repeating: 0x0a, count: 99) + [7, 0x0a, 8]
        #expect(try texts(picture).map(\.look?.form) == [.image])
        let container = Data([0x30, 0x82, 1, 0, 6, 9, 42, 134, 72, 134, 247, 13, 1, 7, 2] + picture)
        let wrapped = container.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        #expect(try texts(Array(wrapped.utf8)).map(\.look?.form) == [.receipt])
        #expect(try texts(picture + Array("\n\(token)\n".utf8)).flatMap(\.tokens) == [Array(token.utf8)])
    }

    @Test(arguments: [UInt32(1), 2, 4], [true, false])
    func `is not what UTF-16 or UTF-32 hide`(width: UInt32, isBigEndian: Bool) throws {
        let token = HostileEvidence.token(1)
        let text = "{\n  \"signedPayload\": \"\(token)\",\n  \"é\": 1\n}\n"
        let bytes = text.unicodeScalars.flatMap { scalar in
            let octets = (0..<width).map { UInt8(truncatingIfNeeded: scalar.value >> ($0 * 8)) }
            return isBigEndian ? octets.reversed() : octets
        }
        #expect(try texts(bytes).flatMap(\.tokens) == [Array(token.utf8)])
    }

    @Test func `names the pages of the API, and which is the last`() {
        let token = HostileEvidence.token(1)
        func pages(_ text: String) -> [EvidenceText.Page] { EvidenceText(Array(text.utf8)).pages }
        let first = pages("{\"has_more\":true,\"signedTransactions\":[\"\(token)\"]}")
        #expect(first.count == 1 && !first[0].isLast && first[0].isOfCustomer && first[0].tokens == 0..<1)
        let all = pages(
            "[{\"hasMore\":true,\"notificationHistory\":[]},{\"notificationHistory\":[],\"hasMore\":false}]")
        #expect(all.map(\.isLast) == [false, true] && all.allSatisfy { !$0.isOfCustomer })
        #expect(pages("{\"hasMore\":true,\"items\":[]}").isEmpty)
    }
}
