import DER
import Testing

struct `A DER reader` {
    @Test func `reads one element and stops at its end`() throws {
        let bytes: [UInt8] = [0x02, 0x01, 0x05, 0xff]
        var reader = DERReader(bytes.span)
        let number = try reader.integer()
        #expect(number == 5)
        let position = reader.position
        #expect(position == 3)
        let isAtEnd = reader.isAtEnd
        #expect(!isAtEnd)
    }

    @Test(arguments: [
        (0x00, [0x02, 0x01, 0x00]), (127, [0x02, 0x01, 0x7f]), (128, [0x02, 0x02, 0x00, 0x80]),
        (-1, [0x02, 0x01, 0xff]), (-129, [0x02, 0x02, 0xff, 0x7f]),
        (Int.max, [0x02, 0x08, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
        (Int.min, [0x02, 0x08, 0x80, 0, 0, 0, 0, 0, 0, 0]),
    ])
    func `reads an INTEGER that a writer wrote`(value: Int, bytes: [UInt8]) throws {
        #expect(DERWriter.integer(value) == bytes)
        var reader = DERReader(bytes.span)
        let number = try reader.integer()
        #expect(number == value)
    }

    @Test(arguments: [0, 1, 127, 128, 255, 256, 65_535, 65_536, 1 << 20])
    func `reads contents of any size that a writer wrote`(count: Int) throws {
        let contents = [UInt8](repeating: 7, count: count)
        let element = DERWriter.element(.octetString, contents)
        var reader = DERReader(element.span)
        let found = try reader.contents(of: .octetString).copy()
        #expect(found == contents)
        try reader.end()
    }

    @Test(arguments: [
        Refusal("no bytes at all", [], .truncated(at: 0)),
        Refusal("a tag without a length", [0x04], .truncated(at: 1)),
        Refusal("an element cut short", [0x04, 0x05, 0x00], .truncated(at: 0)),
        Refusal("a long length cut short", [0x04, 0x82, 0x01], .truncated(at: 3)),
        Refusal("an indefinite length", [0x04, 0x80, 0x00, 0x00], .badLength(at: 1)),
        Refusal("a length that could be shorter by its form", [0x04, 0x81, 0x01, 0x00], .badLength(at: 1)),
        Refusal("a length with a leading zero", [0x04, 0x82, 0x00, 0x80], .badLength(at: 1)),
        Refusal("a length of more than four octets", [0x04, 0x85, 1, 0, 0, 0, 0], .badLength(at: 1)),
        Refusal("a length beyond the end of memory", [0x04, 0x84, 0xff, 0xff, 0xff, 0xff], .truncated(at: 0)),
        Refusal("another kind of element", [0x02, 0x01, 0x00], .unexpectedTag(0x02, wanted: 0x04, at: 0)),
    ])
    func `refuses`(_ refusal: Refusal) {
        #expect(throws: refusal.error) {
            var reader = DERReader(refusal.bytes.span)
            _ = try reader.contents(of: .octetString).count
        }
    }

    @Test(arguments: [
        Refusal("an empty INTEGER", [0x02, 0x00], .badInteger(at: 0)),
        Refusal("an INTEGER with a needless zero", [0x02, 0x02, 0x00, 0x7f], .badInteger(at: 0)),
        Refusal("an INTEGER with needless ones", [0x02, 0x02, 0xff, 0x80], .badInteger(at: 0)),
        Refusal("an INTEGER wider than 64 bits", [0x02, 0x09, 1, 0, 0, 0, 0, 0, 0, 0, 0], .badInteger(at: 0)),
    ])
    func `refuses as a number`(_ refusal: Refusal) {
        #expect(throws: refusal.error) {
            var reader = DERReader(refusal.bytes.span)
            _ = try reader.integer()
        }
    }

    @Test func `says where bytes are left over`() throws {
        let bytes: [UInt8] = [0x02, 0x01, 0x05, 0xff]
        var reader = DERReader(bytes.span)
        _ = try reader.integer()
        do throws(DERError) {
            try reader.end()
            Issue.record("nothing was left over")
        } catch {
            #expect(error == .leftOver(at: 3))
        }
    }

    @Test func `gives an element whole, with its tag and length`() throws {
        let bytes: [UInt8] = [0x30, 0x03, 0x02, 0x01, 0x05, 0xff]
        var reader = DERReader(bytes.span)
        let element = try reader.element(of: .sequence).copy()
        #expect(element == [0x30, 0x03, 0x02, 0x01, 0x05])
    }
}

struct Refusal: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let error: DERError

    init(_ description: String, _ bytes: [UInt8], _ error: DERError) {
        testDescription = description
        self.bytes = bytes
        self.error = error
    }
}
