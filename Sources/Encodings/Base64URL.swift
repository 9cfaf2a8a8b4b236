/// A decoder of base64url (RFC 4648, section 5) in the form of tokens (RFC 7515, section 2): without padding or blanks.
public enum Base64URL {
    /// The deviations of a text from the one form that an encoder writes.
    public struct Form: Equatable, Sendable {
        /// Whether it ends in padding signs.
        public var isPadded = false
        /// Whether unused bits of the last character are set.
        public var hasStrayBits = false

        public var isCanonical: Bool { !isPadded && !hasStrayBits }
    }

    /// Replaces the contents of `octets` with the bytes that `text` encodes.
    ///
    /// - Returns: `nil` if the text has other characters, or an impossible number of characters; the contents are then
    ///   undefined.
    public static func decode(_ text: Span<UInt8>, into octets: inout [UInt8]) -> Form? {
        var end = text.count
        while end > 0, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        let digits = text.extracting(0..<end)
        guard digits.count % 4 != 1, !digits.hasOtherCharacters, Base64.decode(digits, into: &octets) else {
            return nil
        }
        return Form(isPadded: end < text.count, hasStrayBits: digits.hasStrayBits)
    }
}

extension Span<UInt8> {
    /// Whether there are characters that ``Base64`` reads, but which are not part of base64url.
    fileprivate var hasOtherCharacters: Bool {
        var found: UInt8 = 0
        for index in indices {
            let byte = self[index]
            found |= (byte <= 0x20 ? 1 : 0) | (byte == 0x2b ? 1 : 0) | (byte == 0x2f ? 1 : 0) | (byte == 0x3d ? 1 : 0)
        }
        return found != 0
    }

    /// Whether the last of these base64url characters has unused bits that are set.
    fileprivate var hasStrayBits: Bool {
        let unused: UInt8 =
            switch count % 4 {
            case 2: 0b1111
            case 3: 0b11
            default: 0
            }
        return unused != 0 && (Base64.bits(of: self[count - 1]) ?? 0) & unused != 0
    }
}
