import Encodings

/// Reads the values of JSON that may end anywhere or be malformed.
struct LooseJSON {
    private let text: [UInt8]
    private(set) var position = 0

    /// Whether strings are examined for JSON in them.
    let decodesStrings: Bool

    init(_ text: [UInt8], decodesStrings: Bool = true) {
        self.text = text
        self.decodesStrings = decodesStrings
    }

    /// Returns the next byte that is not blank, without reading it; `nil` at the end.
    mutating func next() -> UInt8? {
        while position < text.count, text[position].isBlank { position += 1 }
        return position < text.count ? text[position] : nil
    }

    /// Reads one byte.
    mutating func skip() { if position < text.count { position += 1 } }

    /// Moves to the end of the text.
    mutating func end() { position = text.count }

    /// Whether the text ends in a string, an object or an array.
    private(set) var isCut = false

    /// Reads the end of an object or array.
    mutating func close() { if position < text.count { position += 1 } else { isCut = true } }

    /// Reads a number or a word of at least one byte.
    mutating func word() -> [UInt8] {
        let start = position
        skip()
        while position < text.count, !Self.endsWord(text[position]) { position += 1 }
        return text.span.extracting(start..<position).withoutBlanks.copy()
    }

    /// Reads an array of octets, which may be empty; `nil` for any other, of which a part is then read.
    mutating func octets() -> [UInt8]? {
        var octets: [UInt8] = []
        skip()
        while let byte = next(), byte != UInt8(ascii: "]") {
            if byte == UInt8(ascii: ","), !octets.isEmpty {
                skip()
                _ = next()
            }
            guard let octet = octet() else { return nil }
            octets.append(octet)
        }
        close()
        return octets
    }

    /// Reads a number from -128 to 255 as an octet.
    mutating func octet() -> UInt8? {
        let isNegative = position < text.count && text[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let start = position
        var number = 0
        while position < text.count, position < start + 3, (0x30...0x39).contains(text[position]) {
            number = 10 * number + Int(text[position] & 0xf)
            position += 1
        }
        guard position > start, number <= (isNegative ? 128 : 255), let end = next(),
            end == UInt8(ascii: ",") || end == UInt8(ascii: "]") || end == UInt8(ascii: "}")
        else { return nil }
        return UInt8(truncatingIfNeeded: isNegative ? -number : number)
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: "\""):
            true
        default: false
        }
    }

    /// Reads a string, up to the end of the text if it is not closed, and decodes its escapes.
    mutating func string() -> [UInt8] {
        var decoded: [UInt8] = []
        position += 1
        while position < text.count, text[position] != UInt8(ascii: "\"") {
            let byte = text[position]
            position += 1
            if byte != UInt8(ascii: "\\") {
                decoded.append(byte)
            } else if position < text.count {
                let escaped = text[position]
                position += 1
                append(escaped, to: &decoded)
            }
        }
        close()
        return decoded
    }

    private mutating func append(_ escaped: UInt8, to decoded: inout [UInt8]) {
        switch escaped {
        case UInt8(ascii: "n"): decoded.append(0x0a)
        case UInt8(ascii: "r"): decoded.append(0x0d)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "b"), UInt8(ascii: "f"): decoded.append(0x20)
        case UInt8(ascii: "u"):
            var value: UInt32 = 0
            for _ in 0..<4 {
                guard position < text.count, let digit = Hex.value(text[position]) else { break }
                value = value << 4 | UInt32(digit)
                position += 1
            }
            // Halves of surrogate pairs do not occur in names or proofs.
            let scalar = Unicode.Scalar(value) ?? "\u{fffd}"
            decoded.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        default: decoded.append(escaped)
        }
    }
}
