import Encodings
import Testing

@testable import DER

struct `A DER reader` {
    @Test func `reads one element and stops at its end`() throws {
        let bytes: [UInt8] = [0x02, 0x01, 0x05, 0xff]
        var (position, next): (Int, UInt8?) = (0, nil)
        let integer = try DERReader.read(bytes.span) { reader throws(DERError) in
            let integer = try reader.integer()
            (position, next) = (reader.position, reader.nextTag)
            _ = reader.rangeOfRest()
            return integer
        }
        #expect(integer == 5)
        #expect(position == 3)
        #expect(next == 0xff)
    }

    @Test func `returns the inside of an element, or all of it, or where they stand`() throws {
        let bytes: [UInt8] = [0x04, 0x02, 0xaa, 0xbb, 0x30, 0x00, 0x04, 0x01, 0xcc, 0x30, 0x00]
        try DERReader.read(bytes.span) { reader throws(DERError) in
            let inside = try reader.contents(of: .octetString).copy()
            let isSequence = reader.isNext(.sequence)
            let all = try reader.element(of: .sequence).copy()
            #expect(inside == [0xaa, 0xbb])
            #expect(isSequence)
            #expect(all == [0x30, 0x00])
            let insideRange = try reader.rangeOfContents(of: .octetString)
            let allRange = try reader.rangeOfElement(of: .sequence)
            #expect(insideRange == 8..<9)
            #expect(allRange == 9..<11)
        }
    }

    @Test func `reads elements inside each other, and says where they stand in all the bytes`() throws {
        let bytes: [UInt8] = [0x30, 0x07, 0x31, 0x03, 0x02, 0x01, 0x05, 0x05, 0x00]
        let (number, range) = try DERReader.read(bytes.span) { outermost throws(DERError) in
            try outermost.inside(.sequence) { sequence throws(DERError) in
                let number = try sequence.inside(.set) { set throws(DERError) in try set.rangeOfInteger() }
                return (number, try sequence.rangeOfElement(of: .null))
            }
        }
        #expect(number == 6..<7)
        #expect(range == 7..<9)
    }

    /// The same number, with something after it at each level.
    @Test(arguments: [
        Refusal("behind all", [0x30, 0x05, 0x31, 0x03, 0x02, 0x01, 0x05, 0x00], .leftOver(at: 7)),
        Refusal("in the outer element", [0x30, 0x07, 0x31, 0x03, 0x02, 0x01, 0x05, 0x05, 0x00], .leftOver(at: 7)),
        Refusal("in the inner element", [0x30, 0x07, 0x31, 0x05, 0x02, 0x01, 0x05, 0x05, 0x00], .leftOver(at: 7)),
        Refusal("and an inner element that ends late", [0x30, 0x04, 0x31, 0x03, 0x02, 0x01], .truncated(at: 2)),
    ])
    func `refuses what its caller leaves`(_ refusal: Refusal) {
        #expect(throws: refusal.error) {
            try DERReader.read(refusal.bytes.span) { outermost throws(DERError) in
                try outermost.inside(.sequence) { sequence throws(DERError) in
                    try sequence.inside(.set) { set throws(DERError) in try set.integer() }
                }
            }
        }
    }

    @Test func `does not read beyond the element that it is in`() {
        let bytes: [UInt8] = [0x30, 0x02, 0x02, 0x01, 0x05]
        #expect(throws: DERError.truncated(at: 2)) {
            try DERReader.read(bytes.span) { outermost throws(DERError) in
                try outermost.inside(.sequence) { sequence throws(DERError) in try sequence.integer() }
            }
        }
    }

    @Test func `knows the same tags by both their names`() {
        for tag in PrimitiveTag.allCases { #expect(DERTag(rawValue: tag.rawValue).map { "\($0)" } == "\(tag)") }
        for tag in ConstructedTag.allCases { #expect(DERTag(rawValue: tag.rawValue).map { "\($0)" } == "\(tag)") }
        #expect(PrimitiveTag.allCases.allSatisfy { $0.rawValue & 0x20 == 0 })
        #expect(ConstructedTag.allCases.allSatisfy { $0.rawValue & 0x20 != 0 })
    }

    @Test(arguments: [
        (0, [0x04, 0x00]),
        (127, [0x04, 0x7f]),
        (128, [0x04, 0x81, 0x80]),
        (255, [0x04, 0x81, 0xff]),
        (256, [0x04, 0x82, 0x01, 0x00]),
        (65_536, [0x04, 0x83, 0x01, 0x00, 0x00]),
        (16_777_216, [0x04, 0x84, 0x01, 0x00, 0x00, 0x00]),
    ])
    func `reads lengths of up to four octets`(count: Int, header: [UInt8]) throws {
        let bytes = header + [UInt8](repeating: 7, count: count)
        let found = try DERReader.read(bytes.span) { reader throws(DERError) in
            try reader.contents(of: .octetString).count
        }
        #expect(found == count)
    }

    @Test(arguments: [
        Refusal("no bytes at all", [], .truncated(at: 0)),
        Refusal("a tag without a length", [0x04], .truncated(at: 0)),
        Refusal("an element cut short", [0x04, 0x05, 0x00], .truncated(at: 0)),
        Refusal("a length cut short", [0x04, 0x82, 0x01], .truncated(at: 0)),
        Refusal("a length beyond the end", [0x04, 0x84, 0xff, 0xff, 0xff, 0xff], .truncated(at: 0)),
        Refusal("a length that is not the shortest", [0x04, 0x81, 0x01, 0x00], .badLength(at: 1)),
        Refusal("a length with a zero in front", [0x04, 0x82, 0x00, 0x80], .badLength(at: 1)),
        Refusal("a length of five octets", [0x04, 0x85, 0, 0, 0, 0, 1, 0], .badLength(at: 1)),
        Refusal("a length of 127 octets", [0x04, 0xff, 0x01], .badLength(at: 1)),
        Refusal("an indefinite length", [0x04, 0x80, 0x00, 0x00], .badLength(at: 1)),
        Refusal("another kind of element", [0x02, 0x01, 0x00], .unexpectedTag(0x02, wanted: 0x04, at: 0)),
        Refusal("a constructed string", [0x24, 0x00], .unexpectedTag(0x24, wanted: 0x04, at: 0)),
    ])
    func `refuses`(_ refusal: Refusal) {
        #expect(throws: refusal.error) {
            try DERReader.read(refusal.bytes.span) { reader throws(DERError) in
                _ = try reader.contents(of: .octetString)
            }
        }
        #expect(throws: refusal.error) {
            try DERReader.read(refusal.bytes.span) { reader throws(DERError) in
                _ = try reader.element(of: .octetString)
            }
        }
    }

    @Test func `refuses bytes that are left over, and says from where on`() throws {
        let bytes: [UInt8] = [0x05, 0x00, 0x00]
        let error = #expect(throws: DERError.self) {
            try DERReader.read(bytes.span) { reader throws(DERError) in _ = try reader.element() }
        }
        #expect(error == .leftOver(at: 2))
        #expect(error?.description == "leftover bytes begin at byte 2")
    }

    @Test func `gives positions from the start of the span it was given`() throws {
        let bytes: [UInt8] = [0x05, 0x00, 0x04, 0x81, 0x01, 0x00]
        let error = #expect(throws: DERError.self) {
            try DERReader.read(bytes.span) { reader throws(DERError) in
                _ = try reader.element()
                _ = try reader.element()
            }
        }
        #expect(error == .badLength(at: 3))
        #expect(error?.description == "the length at byte 3 is not in DER's shortest definite form")
    }
}

struct `A DER INTEGER` {
    @Test(arguments: [
        (0, [0x00]), (1, [0x01]), (127, [0x7f]), (128, [0x00, 0x80]), (-1, [0xff]), (-128, [0x80]),
        (-129, [0xff, 0x7f]),
        (Int.max, [0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), (Int.min, [0x80, 0, 0, 0, 0, 0, 0, 0]),
    ])
    func `has one encoding`(value: Int, octets: [UInt8]) throws {
        let bytes = DERWriter.integer(value)
        #expect(bytes == [0x02, UInt8(octets.count)] + octets)
        let found = try DERReader.read(bytes.span) { reader throws(DERError) in try reader.integer() }
        #expect(found == value)
    }

    @Test(arguments: [
        Refusal("nothing inside", [0x02, 0x00], .badInteger(at: 0)),
        Refusal("a zero too many in front", [0x02, 0x02, 0x00, 0x7f], .badInteger(at: 0)),
        Refusal("a sign octet too many in front", [0x02, 0x02, 0xff, 0x80], .badInteger(at: 0)),
        Refusal("nine octets", [0x02, 0x09, 0x00, 0x80, 0, 0, 0, 0, 0, 0, 0], .badInteger(at: 0)),
        Refusal("another kind of element", [0x04, 0x01, 0x00], .unexpectedTag(0x04, wanted: 0x02, at: 0)),
    ])
    func `is refused with`(_ refusal: Refusal) {
        #expect(throws: refusal.error) {
            try DERReader.read(refusal.bytes.span) { reader throws(DERError) in _ = try reader.integer() }
        }
    }

    @Test func `wider than a number is read as octets`() throws {
        let bytes: [UInt8] = [0x02, 0x09, 0x00, 0x80, 0, 0, 0, 0, 0, 0, 0]
        let count = try DERReader.read(bytes.span) { reader throws(DERError) in try reader.integerOctets().count }
        #expect(count == 9)
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
