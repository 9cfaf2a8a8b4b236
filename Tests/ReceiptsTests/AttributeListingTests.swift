import DER
import Encodings
import SampleStore
import Testing

@testable import Receipts

struct `A listing of attributes` {
    @Test(arguments: [
        ("text", DERWriter.utf8String("com.example.notes"), AttributeReading.text("com.example.notes")),
        ("a number", DERWriter.integer(-5), .number(-5)),
        ("none", DERWriter.ia5String(""), .empty),
        ("ASCII that is no date", DERWriter.ia5String("4+"), .text("4+")),
        ("octets", [0xff, 0x00], .octets),
        ("text that is not UTF-8", [0x0c, 0x01, 0xff], .octets),
        ("a number with bytes behind it", [0x02, 0x01, 0x05, 0x00], .octets),
        ("a number wider than 64 bits", [0x02, 0x09] + Array(repeating: 0x7f, count: 9), .octets),
    ])
    func `reads`(_ what: String, value: [UInt8], reading: AttributeReading) throws {
        let listing = AttributeListing(of: [AttributeContent(99, version: 3, value: value)].der.span)
        let attribute = try #require(listing.attributes.first)
        #expect(attribute == ListedAttribute(type: 99, name: nil, version: 3, octets: value, reading: reading))
        #expect(listing.unreadable.isEmpty)
    }

    @Test func `reads dates, and keeps how they were written`() throws {
        let listing = AttributeListing(of: [AttributeContent(12, ascii: "2020-09-01T03:00:00+0300")].der.span)
        let date = try #require(Instant(rfc3339: "2020-09-01T00:00:00Z"))
        #expect(listing.attributes.first?.reading == .date(date, text: "2020-09-01T03:00:00+0300"))
        #expect(listing.attributes.first?.name == "receipt_creation_date")
    }

    @Test func `reads the letters in the INTEGER of attribute 9`() {
        let value = DERWriter.element(.integer, Array("P247".utf8))
        let listing = AttributeListing(of: [AttributeContent(9, value: value)].der.span)
        #expect(listing.attributes.first?.reading == .text("P247"))
    }

    @Test(arguments: 4...7)
    func `leaves octets alone that only look like DER`(type: Int) {
        let listing = AttributeListing(of: [AttributeContent(type, value: [0x02, 0x01, 0x05])].der.span)
        #expect(listing.attributes.first?.reading == .octets)
    }

    @Test func `lists purchases as listings of their own`() throws {
        let purchase = [AttributeContent(1702, text: "pro"), AttributeContent(1799, integer: 1)].der
        let listing = AttributeListing(of: [AttributeContent(17, value: purchase)].der.span)
        guard case .purchase(let inner) = listing.attributes.first?.reading else {
            Issue.record("not a purchase")
            return
        }
        let attributes = inner.attributes.sorted { $0.type < $1.type }
        #expect(attributes.map(\.name) == ["product_id", nil])
        #expect(attributes.map(\.reading) == [.text("pro"), .number(1)])
    }

    @Test func `keeps what is no attribute, and where it stands`() {
        let good = AttributeContent(3, text: "1").der
        let set = DERWriter.element(.set, good, DERWriter.integer(7), good, [0x30, 0x20, 0x00])
        let listing = AttributeListing(of: (set + [0xee]).span)
        #expect(listing.attributes.count == 2)
        #expect(listing.unreadable.map(\.octets) == [DERWriter.integer(7), [0x30, 0x20, 0x00], [0xee]])
        #expect(listing.unreadable.map(\.position) == [2 + good.count, 5 + 2 * good.count, set.count])
    }

    @Test(arguments: [[], Array("{\"a\": 1}".utf8), [0x31, 0x80, 0x00, 0x00]] as [[UInt8]])
    func `of content that is no SET keeps all of it`(content: [UInt8]) {
        let listing = AttributeListing(of: content.span)
        #expect(listing.attributes.isEmpty)
        #expect(listing.unreadable.map(\.octets) == [content])
    }
}
