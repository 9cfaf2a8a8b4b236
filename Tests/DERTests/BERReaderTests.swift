import Encodings
import Testing

@testable import DER

struct `A BER reader` {
    @Test(arguments: [
        ("a short length", [0x04, 0x01, 0x00], BERReader.Header(tag: 0x04, identifierCount: 1, count: 1)),
        (
            "a length that is not the shortest", [0x04, 0x82, 0x00, 0x01, 0x00],
            BERReader.Header(tag: 0x04, identifierCount: 1, count: 1)
        ),
        ("an indefinite length", [0x30, 0x80], BERReader.Header(tag: 0x30, identifierCount: 1, count: nil)),
        (
            "a tag of several octets", [0x1f, 0x81, 0x01, 0x00],
            BERReader.Header(tag: 0x1f, identifierCount: 3, count: 0)
        ),
        ("the end of contents", [0x00, 0x00], BERReader.Header(tag: 0x00, identifierCount: 1, count: 0)),
    ])
    func `reads`(name: String, bytes: [UInt8], header: BERReader.Header) throws {
        var reader = BERReader(bytes.span)
        let found = try reader.header()
        #expect(found == header)
    }

    @Test(arguments: [
        Refusal("no bytes", [], .truncated(at: 0)),
        Refusal("a tag that does not end", [0x1f, 0xff, 0xff], .truncated(at: 0)),
        Refusal("a length cut short", [0x04, 0x82, 0x01], .truncated(at: 0)),
        Refusal("a length beyond the end", [0x04, 0x02, 0x00], .truncated(at: 0)),
        Refusal("a length beyond all numbers", [0x04, 0x89] + [UInt8](repeating: 0xff, count: 9), .badLength(at: 1)),
        Refusal("a primitive element of indefinite length", [0x04, 0x80, 0x00, 0x00], .badLength(at: 1)),
    ])
    func `refuses`(_ refusal: Refusal) {
        #expect(throws: refusal.error) {
            var reader = BERReader(refusal.bytes.span)
            _ = try reader.header()
        }
    }

    @Test func `passes over contents, and never beyond the end`() throws {
        let bytes: [UInt8] = [0x04, 0x01, 0xaa, 0x05, 0x00]
        var reader = BERReader(bytes.span)
        let count = try reader.header().count
        let contents = reader.next(1).copy()
        reader.skip(1)
        let tag = try reader.header().tag
        reader.skip(99)
        let (end, rest) = (reader.position, reader.next(99).count)
        #expect(count == 1)
        #expect(contents == [0xaa])
        #expect(tag == 0x05)
        #expect(end == 5)
        #expect(rest == 0)
    }
}
