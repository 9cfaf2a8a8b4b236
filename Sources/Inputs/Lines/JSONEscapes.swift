internal import Encodings

extension JSONScanner {
    /// Reads what stands behind a backslash, and spells it out in UTF-8.
    mutating func spellEscape(into arena: inout ByteArena) throws(JSONError) {
        let start = position - 1
        switch nextByte() {
        case nil: throw .endsInside
        case 0x22: arena.append(0x22)
        case 0x5c: arena.append(0x5c)
        case 0x2f: arena.append(0x2f)
        case 0x62: arena.append(0x08)
        case 0x66: arena.append(0x0c)
        case 0x6e: arena.append(0x0a)
        case 0x72: arena.append(0x0d)
        case 0x74: arena.append(0x09)
        case 0x75:
            guard let scalar = Unicode.Scalar(try codePoint(from: start)) else {
                throw .unexpected(at: start, wanted: "half a surrogate pair with its other half")
            }
            for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { arena.append(byte) }
        default: throw .unexpected(at: start, wanted: "an escape")
        }
    }

    /// Reads the four digits of `\u`, and those of a second one if they are the halves of a pair.
    private mutating func codePoint(from start: Int) throws(JSONError) -> UInt32 {
        let first = try unit(from: start)
        guard (0xd800..<0xdc00).contains(first) else { return first }
        guard nextByte() == 0x5c, nextByte() == 0x75, case let second = try unit(from: start),
            (0xdc00..<0xe000).contains(second)
        else { throw .unexpected(at: start, wanted: "half a surrogate pair with its other half") }
        return 0x10000 + (first - 0xd800) << 10 + (second - 0xdc00)
    }

    private mutating func unit(from start: Int) throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = nextByte() else { throw .endsInside }
            guard let digit = Hex.value(byte) else { throw .unexpected(at: start, wanted: "four hexadecimal digits") }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
