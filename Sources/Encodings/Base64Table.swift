/// What each character means in base64.
enum Base64Table {
    static let padding: UInt8 = 0x40
    static let blank: UInt8 = 0x41
    private static let broken: UInt8 = 0xff

    /// The six bits of a character of either alphabet, or what else it is.
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

    /// No word of four good characters is as large as this; one with any other character is.
    static let refused: UInt32 = 0x0100_0000

    /// Four tables of 256: the bits of the first, second, third and fourth character of a group, each
    /// where it belongs among 24, so that a group is decoded by three ORs.
    static let words: [UInt32] = (0..<4).flatMap { place in
        (0...UInt8.max).map { character in
            let value = value(character)
            return value < 64 ? UInt32(value) << UInt32(18 - 6 * place) : refused
        }
    }
}
