/// Base64 (RFC 4648): the standard and the URL-safe alphabet, padded or not, with blanks and line breaks anywhere.
public enum Base64 {
    /// Appends the octets that `text` encodes.
    ///
    /// Bits beyond the last whole octet are ignored, as every decoder in the field does: the octets are
    /// what is judged.
    ///
    /// - Returns: `false` if the text is not base64: another character, a digit after padding, a single digit
    ///   left over. What was appended is then of no use.
    public static func decode(_ text: Span<UInt8>, into octets: inout [UInt8]) -> Bool {
        octets.reserveCapacity(octets.count + text.count / 4 * 3 + 3)
        var position = 0
        while position < text.count {
            decodeQuads(text, from: &position, into: &octets)
            guard decodeSlowly(text, from: &position, into: &octets) else { return false }
        }
        return true
    }

    /// Decodes groups of four digits for as long as nothing else stands between them.
    private static func decodeQuads(_ text: Span<UInt8>, from position: inout Int, into octets: inout [UInt8]) {
        let table = values.span
        while position + 4 <= text.count {
            let a = table[Int(text[position])]
            let b = table[Int(text[position + 1])]
            let c = table[Int(text[position + 2])]
            let d = table[Int(text[position + 3])]
            guard (a | b | c | d) < 64 else { return }
            octets.append(a << 2 | b >> 4)
            octets.append(b << 4 | c >> 2)
            octets.append(c << 6 | d)
            position += 4
        }
    }

    /// Decodes one group whose digits have blanks between them, or the last one with its padding.
    private static func decodeSlowly(
        _ text: Span<UInt8>, from position: inout Int, into octets: inout [UInt8]
    ) -> Bool {
        var digits: UInt32 = 0
        var count = 0
        var padding = 0
        while position < text.count, count + padding < 4 {
            let value = values[Int(text[position])]
            position += 1
            switch value {
            case 0..<64:
                guard padding == 0 else { return false }
                digits = digits << 6 | UInt32(value)
                count += 1
            case blank: continue
            case pad:
                guard count >= 2 else { return false }
                padding += 1
            default: return false
            }
        }
        if count == 4 {
            for shift in [16, 8, 0] { octets.append(UInt8(truncatingIfNeeded: digits >> UInt32(shift))) }
            return true
        }
        // The end: nothing but blanks may follow.
        while position < text.count {
            guard values[Int(text[position])] == blank else { return false }
            position += 1
        }
        guard count != 1 else { return false }
        digits <<= UInt32(6 * (4 - count))
        for index in 0..<max(0, count - 1) {
            octets.append(UInt8(truncatingIfNeeded: digits >> UInt32(16 - 8 * index)))
        }
        return true
    }

    private static let blank: UInt8 = 64
    private static let pad: UInt8 = 65
    private static let other: UInt8 = 0xff

    /// What each character means: a digit's value, or one of the above.
    private static let values: [UInt8] = (0..<256).map { character in
        switch UInt8(truncatingIfNeeded: character) {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt8(character) - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt8(character) - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(character) - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        case UInt8(ascii: "="): pad
        case 0x20, 0x09...0x0d: blank
        default: other
        }
    }
}
