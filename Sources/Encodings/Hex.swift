/// Hexadecimal digits, lower case, most significant first.
public enum Hex {
    /// Appends two digits for each byte.
    public static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        var index = 0
        while bytes.count - index >= 4 {
            let (high, low) = (UInt32(bytes[index]) << 8 | UInt32(bytes[index + 1]), UInt32(bytes[index + 2]))
            text.append(bigEndian: digits(high << 16 | low << 8 | UInt32(bytes[index + 3])))
            index += 4
        }
        for index in index..<bytes.count {
            text.append(digit(bytes[index] >> 4))
            text.append(digit(bytes[index] & 15))
        }
    }

    /// Returns the eight digits of a number, the first in the most significant byte.
    public static func digits(_ number: UInt32) -> UInt64 {
        var nibbles = UInt64(number)
        nibbles = (nibbles << 16 | nibbles) & 0x0000_ffff_0000_ffff
        nibbles = (nibbles << 8 | nibbles) & 0x00ff_00ff_00ff_00ff
        nibbles = (nibbles << 4 | nibbles) & 0x0f0f_0f0f_0f0f_0f0f
        // Adding six makes every number above 9 need a fifth bit.
        let letters = (nibbles + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return nibbles + 0x3030_3030_3030_3030 + letters * 0x27
    }

    /// Returns two digits for each byte.
    public static func string(_ bytes: Span<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns a number in big-endian bytes, without leading zeros: the usual form of serial numbers.
    public static func number(_ octets: Span<UInt8>) -> String {
        let digits = string(octets).drop { $0 == "0" }
        return digits.isEmpty ? "0" : String(digits)
    }

    /// Returns a number in at least `count` digits.
    public static func digits(_ number: some BinaryInteger, count: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }

    /// Returns the bytes encoded by pairs of digits of either case; `nil` if there is anything else.
    public static func octets(_ digits: ExactText) -> [UInt8]? {
        var octets: [UInt8] = []
        return decode(digits.utf8.span, into: &octets) ? octets : nil
    }

    /// Replaces the contents of `octets` with the bytes encoded by pairs of digits of either case.
    ///
    /// - Returns: `false` if there is anything else.
    public static func decode(_ digits: Span<UInt8>, into octets: inout [UInt8]) -> Bool {
        guard digits.count.isMultiple(of: 2) else { return false }
        octets.removeAll(keepingCapacity: true)
        octets.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return false }
            octets.append(high << 4 | low)
        }
        return true
    }

    /// Returns the value of one digit of either case, or `nil`.
    public static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }

    /// Returns one digit.
    public static func digit(_ nibble: UInt8) -> UInt8 { nibble &+ (nibble < 10 ? 0x30 : 0x57) }
}
