import Testing

@testable import Encodings

struct `A number of JSON` {
    private func written(_ text: String) -> String? {
        var bytes: [UInt8] = []
        guard JSONNumber.append(Array(text.utf8).span, to: &bytes) else {
            #expect(bytes.isEmpty)
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("1000", "1000"), ("1000.0", "1000"), ("1e3", "1000"), ("1E+3", "1000"), ("10.00e2", "1000"),
        ("0.1e4", "1000"), ("-5", "-5"), ("-5.0", "-5"), ("0", "0"), ("-0.0", "0"), ("0e9", "0"), ("1.50", "1.5"),
        ("-0.25", "-0.25"), ("25e-2", "0.25"), ("1.5e-3", "0.0015"), ("9007199254740993", "9007199254740993"),
        ("12345678901234567890123.0", "12345678901234567890123"), ("1.23457e+15", "1234570000000000"),
        ("1e999", "1e999"), ("10e998", "1e999"), ("1.5e999999999", "15e999999998"), ("1e-999", "1e-999"),
    ])
    func `is one text, however it is written`(number: String, text: String) { #expect(written(number) == text) }

    @Test(arguments: ["", "-", "NaN", "Infinity", "1.", ".5", "1e", "1e+", "1 ", "0x10", "1e9999999999", "1,5"])
    func `is no other text, nor one with an exponent beyond all reason`(text: String) {
        #expect(written(text) == nil)
    }

    @Test func `has at most a few hundred zeros that were not written`() throws {
        for exponent in [-999_999_999, -401, -400, 400, 401, 999_999_999] {
            let text = try #require(written("7e\(exponent)"))
            #expect(text.utf8.count <= 410)
        }
    }
}
