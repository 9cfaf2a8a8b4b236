import Testing

@testable import DER

struct `A DER writer` {
    @Test(arguments: [0, 1, 127, 128, 129, 255, 256, 65_535, 65_536, 70_000])
    func `writes what the reader reads`(count: Int) throws {
        let octets = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let bytes = DERWriter.element(.octetString, octets)
        var reader = DERReader(bytes.span)
        let isSame = try reader.contents(of: .octetString).equals(octets)
        try reader.end()
        #expect(isSame)
    }

    @Test func `puts elements one after the other into one`() throws {
        let bytes = DERWriter.element(
            .sequence, DERWriter.integer(-70_000), DERWriter.utf8String("é"), DERWriter.ia5String("a"), DERWriter.null)
        var outer = DERReader(bytes.span)
        var reader = DERReader(try outer.contents(of: .sequence))
        let integer = try reader.integer()
        let text = try reader.contents(of: .utf8String).copy()
        let ascii = try reader.contents(of: .ia5String).copy()
        let null = try reader.contents(of: .null).copy()
        try reader.end()
        #expect(integer == -70_000)
        #expect(text == [0xc3, 0xa9])
        #expect(ascii == [0x61])
        #expect(null == [])
    }
}

struct `Object identifiers` {
    @Test func `are compared as octets`() {
        let data = ObjectIdentifier.data
        let same = data.span.equals(ObjectIdentifier.data)
        let other = data.span.equals(ObjectIdentifier.signedData)
        let shorter = data.span.equals(ObjectIdentifier.pkcs7)
        #expect(same)
        #expect(!other)
        #expect(!shorter)
    }
}
