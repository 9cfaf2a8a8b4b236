import Encodings
import Testing

struct `A decimal number` {
    @Test(arguments: [
        (Int128(0), "0"), (7_000_000, "7"), (-250_000, "-0.25"), (1, "0.000001"), (-1, "-0.000001"),
        (12_340_000, "12.34"), (.max, "170141183460469231731687303715884.105727"),
        (.min, "-170141183460469231731687303715884.105728"),
    ])
    func `is written with a point, and without zeros at its end`(millionths: Int128, text: String) {
        #expect(DecimalNumber(millionths: millionths).description == text)
    }

    @Test(arguments: [
        (1, 3, "0.333333"), (2, 3, "0.666667"), (-2, 3, "-0.666667"), (1, 2_000_000, "0.000001"),
        (1, 2_000_001, "0"), (5, 5, "1"), (Int.max, Int.max, "1"), (Int.min, 1, "\(Int.min)"),
    ])
    func `is a share, rounded to the nearest millionth`(part: Int, whole: Int, text: String) {
        #expect(DecimalNumber(part, of: whole)?.description == text)
    }

    @Test func `is no share of nothing`() {
        #expect(DecimalNumber(1, of: 0) == nil && DecimalNumber(1, of: -1) == nil)
    }

    @Test(arguments: [0, -5, Int.max, .min])
    func `is any whole number`(number: Int) { #expect(DecimalNumber(number).description == "\(number)") }
}
