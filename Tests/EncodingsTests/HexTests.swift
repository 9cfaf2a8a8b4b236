import Encodings
import Testing

struct `Hexadecimal digits` {
    @Test func `are lower case, two for each byte`() {
        let bytes: [UInt8] = [0x00, 0x0f, 0xa5, 0xff]
        #expect(Hex.string(bytes.span) == "000fa5ff")
        var text: [UInt8] = [0x78]
        Hex.append(bytes.span, to: &text)
        #expect(text == Array("x000fa5ff".utf8))
    }

    @Test(
        arguments: [([0x00, 0x1d, 0xee], "1dee"), ([0x00, 0x00], "0"), ([], "0"), ([0xf0], "f0")] as [([UInt8], String)]
    )
    func `of a number have no zeros in front`(octets: [UInt8], text: String) {
        #expect(Hex.number(octets.span) == text)
    }

    @Test func `are read in either case, and nothing else is`() {
        let digits = "0123456789abcdef"
        for (value, digit) in digits.utf8.enumerated() { #expect(Hex.value(digit) == UInt8(value)) }
        for (value, digit) in digits.uppercased().utf8.enumerated() { #expect(Hex.value(digit) == UInt8(value)) }
        #expect((0...255).count { Hex.value($0) != nil } == 22)
    }
}
