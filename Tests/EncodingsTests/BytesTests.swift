import Encodings
import Testing

struct `Bytes` {
    @Test(arguments: [0, 1, 0x7f, 0x80, 300, 1 << 32, .max >> 1, .max] as [UInt64])
    func `of a number in LEB128 read back`(number: UInt64) {
        var bytes: [UInt8] = [0xff]
        bytes.append(leb128: number)
        var position = 1
        #expect(bytes.span.leb128(at: &position) == number)
        #expect(position == bytes.count)
        position = 1
        #expect(bytes.span.extracting(first: bytes.count - 1).leb128(at: &position) == nil)
    }

    @Test func `of more than 64 bits are no number in LEB128`() {
        var position = 0
        #expect(([UInt8](repeating: 0xff, count: 9) + [2]).span.leb128(at: &position) == nil)
        position = 0
        #expect([UInt8](repeating: 0x80, count: 20).span.leb128(at: &position) == nil)
    }

    @Test func `come before what they begin`() {
        let sorted: [[UInt8]] = [[], [0], [0, 0], [1], [1, 0xff], [0xff]]
        for (index, first) in sorted.enumerated() {
            for (other, second) in sorted.enumerated() {
                let order = first.span.order(to: second.span)
                #expect(order.signum() == (index - other).signum())
                #expect(first.span.isSame(as: second) == (index == other))
            }
        }
    }

    @Test func `are found by value`() {
        let bytes = Array("a--b--".utf8)
        #expect(bytes.span.firstIndex(of: 0x2d) == 1)
        #expect(bytes.span.lastIndex(of: 0x2d) == 5)
        #expect(bytes.span.firstIndex(of: Array("--".utf8), from: 2) == 4)
        let isThere = bytes.span.starts(with: Array("b-".utf8), at: 3)
        #expect(isThere && bytes.span.firstIndex(of: bytes, from: 1) == nil)
        #expect(bytes.span.firstIndex(of: 0x20) == nil && bytes.span.lastIndex(of: 0x20) == nil)
    }
}

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

struct `A saturated number` {
    @Test(arguments: [
        (1, 2, 3), (.max, 1, .max), (.max, .max, .max), (.min, -1, .min), (.max, .min, -1), (0, .min, .min),
    ])
    func `is the sum, or as near to it as there is a number`(a: Int, b: Int, sum: Int) {
        #expect(a.addingSaturating(b) == sum)
        #expect(b.addingSaturating(a) == sum)
    }

    @Test(arguments: [(3, 2, 1), (.min, 1, .min), (.max, -1, .max), (0, .min, .max), (-1, .min, .max)])
    func `is the difference, or as near to it as there is a number`(a: Int, b: Int, difference: Int) {
        #expect(a.subtractingSaturating(b) == difference)
    }

    @Test func `is never below 0 if it has no sign`() {
        #expect((1 as UInt8).subtractingSaturating(2) == 0)
        #expect((255 as UInt8).addingSaturating(1) == 255)
    }
}
