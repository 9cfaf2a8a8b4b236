/// A JSON number (RFC 8259, section 6) as text. `1000`, `1000.0` and `1e3` are the same number, which a program may
/// write in any of these forms.
package enum JSONNumber {
    /// The maximum number of zeros that replace an exponent: 400 are enough for all numbers in JavaScript and Python.
    private static let maxZeros = 400

    /// Appends a number in decimal digits, without redundant ones: `1000`, `-0.25`.
    ///
    /// A number with a larger exponent becomes its digits and the exponent, `12e999`.
    ///
    /// - Parameter text: the number, without surrounding blanks.
    /// - Returns: `false`, and appends nothing, if the text is not a number, or its exponent has more than nine digits.
    package static func append(_ text: Span<UInt8>, to bytes: inout [UInt8]) -> Bool {
        var reader = Reader(text)
        let isNegative = reader.skip(UInt8(ascii: "-"))
        let whole = reader.digits()
        guard !whole.isEmpty else { return false }
        var fraction = whole.upperBound..<whole.upperBound
        if reader.skip(UInt8(ascii: ".")) {
            fraction = reader.digits()
            guard !fraction.isEmpty else { return false }
        }
        var exponent = 0
        if reader.skip(UInt8(ascii: "e")) || reader.skip(UInt8(ascii: "E")) {
            let isSmall = reader.skip(UInt8(ascii: "-"))
            if !isSmall { _ = reader.skip(UInt8(ascii: "+")) }
            let digits = reader.digits()
            guard (1...9).contains(digits.count) else { return false }
            for index in digits { exponent = exponent * 10 + Int(text[index] - 0x30) }
            if isSmall { exponent = -exponent }
        }
        guard reader.isAtEnd else { return false }

        // The digits without zeros at either end, and how many of them are before the decimal point.
        let all = [whole, fraction].joined()
        guard let first = all.firstIndex(where: { text[$0] != 0x30 }) else {
            bytes.append(0x30)
            return true
        }
        let leading = all.distance(from: all.startIndex, to: first)
        var digits = all.dropFirst(leading).map { text[$0] }
        while digits.last == 0x30 { digits.removeLast() }
        let point = whole.count - leading + exponent

        if isNegative { bytes.append(UInt8(ascii: "-")) }
        if point > digits.count + maxZeros || point < -maxZeros {
            bytes += digits
            bytes.append(UInt8(ascii: "e"))
            bytes.append(decimal: Int64(point - digits.count))
        } else if point >= digits.count {
            bytes += digits + [UInt8](repeating: 0x30, count: point - digits.count)
        } else if point > 0 {
            bytes += digits[..<point] + [UInt8(ascii: ".")] + digits[point...]
        } else {
            bytes += [0x30, UInt8(ascii: ".")] + [UInt8](repeating: 0x30, count: -point) + digits
        }
        return true
    }

    private struct Reader: ~Escapable {
        private let text: Span<UInt8>
        private var position = 0

        @_lifetime(copy text)
        init(_ text: Span<UInt8>) { self.text = text }

        var isAtEnd: Bool { position == text.count }

        mutating func skip(_ byte: UInt8) -> Bool {
            guard position < text.count, text[position] == byte else { return false }
            position += 1
            return true
        }

        mutating func digits() -> Range<Int> {
            let start = position
            while position < text.count, (0x30...0x39).contains(text[position]) { position += 1 }
            return start..<position
        }
    }
}
