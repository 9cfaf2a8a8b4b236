import Encodings
import Testing

struct `A number that is held` {
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
