import Encodings
package import Rules

/// The place of a claim in an audit: its input, and its line there. It names the claim between map and reduce, and
/// defines the order of claims.
package struct ClaimPlace: Hashable, Sendable {
    /// The number of the input, from 0.
    package let input: Int
    package let line: Int

    private static let lineBits = 40

    /// The claim's number, which sorts like the place.
    package var number: ClaimNumber {
        ClaimNumber(rawValue: UInt64(input) << UInt64(Self.lineBits) | UInt64(line))
    }

    /// The maximum number of inputs, and of lines in one.
    package static let maxInputs = 1 << 20
    package static let maxLines = 1 << lineBits - 1

    package init(input: Int, line: Int) {
        self.input = max(0, min(input, Self.maxInputs - 1))
        self.line = max(0, min(line, Self.maxLines))
    }

    package init(number: ClaimNumber) {
        let number = number.rawValue
        self.init(
            input: Int(number >> UInt64(Self.lineBits)), line: Int(number & UInt64(Self.maxLines)))
    }

    /// Appends hexadecimal digits after their count, so that texts sort like numbers.
    func append(to bytes: inout [UInt8]) {
        let digits = String(number.rawValue, radix: 16)
        bytes.append(Hex.digit(UInt8(digits.utf8.count - 1)))
        bytes.append(contentsOf: digits.utf8)
    }

    init(_ text: Span<UInt8>) throws(LineFault) {
        var number: UInt64 = 0
        guard (2...17).contains(text.count), Hex.value(text[0]).map({ Int($0) == text.count - 2 }) == true else {
            throw .malformed("its key names no claim")
        }
        for index in 1..<text.count {
            guard let digit = Hex.value(text[index]) else { throw .malformed("its key names no claim") }
            number = number << 4 | UInt64(digit)
        }
        self.init(number: ClaimNumber(rawValue: number))
    }
}
