/// A decoder of base64 (RFC 4648): the standard and the URL-safe alphabet, even mixed, padded or not, blanks anywhere.
///
/// It refuses any other character, padding that does not complete the last group of four or is followed by anything,
/// and a last group of one character. It ignores the unused bits of the last character: some writers leave them set,
/// and they are not part of the encoded data.
public enum Base64 {
    /// Returns an upper bound for the number of bytes encoded by a number of characters.
    public static func largestCount(of characters: Int) -> Int { characters / 4 * 3 + 3 }

    /// Replaces the contents of `octets` with the bytes that `text` encodes in the standard alphabet, padded and
    /// without blanks (RFC 4648, section 4).
    ///
    /// - Returns: whether the text has this form.
    public static func decode(standard text: Span<UInt8>, into octets: inout [UInt8]) -> Bool {
        guard text.count % 4 == 0 else { return false }
        // Blanks, and the characters of base64url.
        for index in text.indices where text[index] <= 0x20 || text[index] == 0x2d || text[index] == 0x5f {
            return false
        }
        return decode(text, into: &octets)
    }

    /// Replaces the contents of `octets` with the bytes that `text` encodes.
    ///
    /// - Returns: `false` if the text is not base64; the contents are then undefined.
    public static func decode(_ text: Span<UInt8>, into octets: inout [UInt8]) -> Bool {
        let capacity = largestCount(of: text.count)
        if octets.count < capacity { octets.append(zeros: capacity - octets.count) }
        var output = octets.mutableSpan
        guard let count = decode(text, into: &output) else { return false }
        octets.removeLast(octets.count - count)
        return true
    }

    /// Decodes `text` to the front of `output`, which must hold ``largestCount(of:)`` bytes.
    ///
    /// - Returns: the number of bytes, or `nil` if the text is not base64 or the output too small.
    public static func decode(_ text: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Int? {
        guard output.count >= largestCount(of: text.count) else { return nil }
        let words = Base64Table.words
        let table = words.span
        var place = Place()
        text: while true {
            decodeBlocks(of: text, by: table, into: &output, &place)
            decodeGroups(of: text, by: table, into: &output, &place)
            var group = Group()
            while group.count < 4 {
                guard place.input < text.count else { return end(group, into: &output, place.output) }
                let character = text[place.input]
                place.input += 1
                let value = Base64Table.value(character)
                switch value {
                case 0..<64: group.append(value)
                case Base64Table.blank:
                    // A line break between two groups, as in PEM: continue with the next blocks.
                    if group.count == 0 { continue text }
                case Base64Table.padding:
                    guard isPadding(text.extracting(place.input...), after: group) else { return nil }
                    return end(group, into: &output, place.output)
                default: return nil
                }
            }
            write(group.bits, to: &output, place.output)
            place.output += 3
        }
    }

    /// Returns the six bits of a character of either alphabet; `nil` for any other.
    static func bits(of character: UInt8) -> UInt8? {
        let value = Base64Table.value(character)
        return value < 64 ? value : nil
    }

    /// The offsets of the next character to read and the next byte to write.
    private struct Place {
        var input = 0
        var output = 0
    }

    /// Up to four characters of six bits each.
    private struct Group {
        var bits: UInt32 = 0
        var count = 0

        mutating func append(_ value: UInt8) {
            bits = bits << 6 | UInt32(value)
            count += 1
        }
    }

    /// Decodes blocks of 32 characters as long as they contain only the alphabet.
    ///
    /// Two groups are six bytes, written as eight: the next write covers the other two.
    private static func decodeBlocks(
        of text: Span<UInt8>, by table: Span<UInt32>, into output: inout MutableSpan<UInt8>, _ place: inout Place
    ) {
        guard table.count == 1024 else { return }  // Removes the bounds checks of lookups.
        while text.count - place.input >= 32, output.count - place.output >= 26 {
            var decoded = output._mutatingExtracting(place.output..<(place.output + 26))
            let block = text.extracting(place.input..<(place.input + 32))
            var seen: UInt32 = 0
            for pair in 0..<4 {
                let first = word(of: block, 8 * pair, table)
                let second = word(of: block, 8 * pair + 4, table)
                seen |= first | second
                let bits = UInt64(first) << 40 | UInt64(second) << 16
                for index in 0..<8 {
                    decoded[6 * pair + index] = UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * index))
                }
            }
            guard seen < Base64Table.refused else { return }
            place.input += 32
            place.output += 24
        }
    }

    /// Decodes single groups as long as they contain only the alphabet.
    private static func decodeGroups(
        of text: Span<UInt8>, by table: Span<UInt32>, into output: inout MutableSpan<UInt8>, _ place: inout Place
    ) {
        guard table.count == 1024 else { return }  // Removes the bounds checks of lookups.
        while text.count - place.input >= 4 {
            let word = word(of: text, place.input, table)
            guard word < Base64Table.refused else { return }
            write(word, to: &output, place.output)
            place.input += 4
            place.output += 3
        }
    }

    /// Returns the 24 bits of four characters.
    @inline(__always)
    private static func word(of text: Span<UInt8>, _ start: Int, _ table: Span<UInt32>) -> UInt32 {
        table[Int(text[start])] | table[256 + Int(text[start + 1])]
            | table[512 + Int(text[start + 2])] | table[768 + Int(text[start + 3])]
    }

    @inline(__always)
    private static func write(_ word: UInt32, to output: inout MutableSpan<UInt8>, _ start: Int) {
        output[start] = UInt8(truncatingIfNeeded: word >> 16)
        output[start + 1] = UInt8(truncatingIfNeeded: word >> 8)
        output[start + 2] = UInt8(truncatingIfNeeded: word)
    }

    /// Whether the padding sign just read and those that follow complete a group, and nothing else follows.
    private static func isPadding(_ rest: Span<UInt8>, after group: Group) -> Bool {
        var count = group.count + 1
        for index in rest.indices {
            switch Base64Table.value(rest[index]) {
            case Base64Table.padding: count += 1
            case Base64Table.blank: continue
            default: return false
            }
        }
        return group.count >= 2 && count == 4
    }

    /// Writes the bytes of the last group, and returns the total number of bytes.
    private static func end(_ group: Group, into output: inout MutableSpan<UInt8>, _ place: Int) -> Int? {
        switch group.count {
        case 0: return place
        case 2:
            output[place] = UInt8(truncatingIfNeeded: group.bits >> 4)
            return place + 1
        case 3:
            output[place] = UInt8(truncatingIfNeeded: group.bits >> 10)
            output[place + 1] = UInt8(truncatingIfNeeded: group.bits >> 2)
            return place + 2
        default: return nil
        }
    }
}

/// The meaning of each character in base64.
private enum Base64Table {
    static let padding: UInt8 = 0x40
    static let blank: UInt8 = 0x41
    private static let broken: UInt8 = 0xff

    /// Returns the six bits of a character of either alphabet, or the class of another character.
    static func value(_ character: UInt8) -> UInt8 {
        switch character {
        case 0x41...0x5a: character - 0x41
        case 0x61...0x7a: character - 0x61 + 26
        case 0x30...0x39: character - 0x30 + 52
        case 0x2b, 0x2d: 62
        case 0x2f, 0x5f: 63
        case 0x3d: padding
        case 0x20, 0x09...0x0d: blank
        default: broken
        }
    }

    /// A word with any other character is at least this large; a word of four characters of the alphabet is smaller.
    static let refused: UInt32 = 0x0100_0000

    /// Four tables of 256 entries: the bits of the first, second, third and fourth character of a group, shifted to
    /// their positions among 24 bits, so that three ORs decode a group.
    static let words: [UInt32] = (0..<4).flatMap { place in
        (0...UInt8.max).map { character in
            let value = value(character)
            return value < 64 ? UInt32(value) << UInt32(18 - 6 * place) : refused
        }
    }
}
