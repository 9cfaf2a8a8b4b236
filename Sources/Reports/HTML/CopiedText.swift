import Encodings

/// A text that displays differently than it is, in the form that the page's script copies: percent-encoded (RFC 3986),
/// so that the page contains no hidden characters.
enum CopiedText {
    /// The maximum length of a text for copying, in bytes.
    private static let maxLength = 4096

    /// - Returns: `nil` if the text displays unchanged, or is too long.
    static func encoded(_ text: ExactText, shown: String) -> String? {
        guard !text.text.hasSameBytes(as: shown), text.utf8.count <= maxLength else { return nil }
        return encoded(text)
    }

    /// Returns a text in ASCII without white space.
    static func encoded(_ text: ExactText) -> String {
        var encoded: [UInt8] = []
        for octet in text.utf8 {
            switch octet {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x3a, 0x5f, 0x7e: encoded.append(octet)
            default:
                encoded.append(UInt8(ascii: "%"))
                Hex.append([octet].span, to: &encoded)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
