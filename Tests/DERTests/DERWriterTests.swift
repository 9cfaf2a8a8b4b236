import Encodings
import Testing

@testable import DER

struct `A DER writer` {
    @Test(arguments: [0, 1, 127, 128, 129, 255, 256, 65_535, 65_536, 70_000])
    func `writes what the reader reads`(count: Int) throws {
        let octets = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let bytes = DERWriter.element(.octetString, octets)
        let isSame = try DERReader.read(bytes.span) { reader throws(DERError) in
            try reader.contents(of: .octetString).isSame(as: octets)
        }
        #expect(isSame)
    }

    @Test func `puts elements one after the other into one`() throws {
        let bytes = DERWriter.element(
            .sequence, DERWriter.integer(-70_000), DERWriter.utf8String("é"), DERWriter.ia5String("a"), DERWriter.null)
        let (integer, octets) = try DERReader.read(bytes.span) { outer throws(DERError) in
            try outer.inside(.sequence) { reader throws(DERError) in
                (
                    try reader.integer(),
                    [
                        try reader.contents(of: .utf8String).copy(), try reader.contents(of: .ia5String).copy(),
                        try reader.contents(of: .null).copy(),
                    ]
                )
            }
        }
        #expect(integer == -70_000)
        #expect(octets == [[0xc3, 0xa9], [0x61], []])
    }
}

struct `Object identifiers` {
    @Test func `are compared as octets`() {
        let data = ObjectIdentifier.data
        let same = data.span.isSame(as: ObjectIdentifier.data)
        let other = data.span.isSame(as: ObjectIdentifier.signedData)
        let shorter = data.span.isSame(as: ObjectIdentifier.pkcs7)
        #expect(same)
        #expect(!other)
        #expect(!shorter)
    }
}
