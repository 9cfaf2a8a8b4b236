/// Strings of JSON (RFC 8259).
public enum JSONString {
    /// Appends a text in quotes: quotes, backslashes and C0 controls are escaped, everything else is unchanged.
    public static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
            for byte in text.utf8 { appendEscaped(byte, to: &bytes) }
        } else {
            bytes.append(contentsOf: text.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func appendEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0x0a: bytes.append(contentsOf: "\\n".utf8)
        case 0x0d: bytes.append(contentsOf: "\\r".utf8)
        case 0x09: bytes.append(contentsOf: "\\t".utf8)
        case ..<0x20:
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(contentsOf: [Hex.digit(byte >> 4), Hex.digit(byte & 0xf)])
        default: bytes.append(byte)
        }
    }
}
