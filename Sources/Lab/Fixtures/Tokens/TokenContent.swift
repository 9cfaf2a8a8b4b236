import Encodings
import FoundationEssentials

/// A token in the JWS compact serialization (RFC 7515, section 3.1), before it is written: three parts, each of which
/// can still be altered.
public struct TokenContent: Sendable, Changeable {
    public var header: TokenSegment
    public var payload: TokenSegment
    public var signature: TokenSegment

    /// The parts with dots between them.
    public var text: String { "\(header.text).\(payload.text).\(signature.text)" }

    /// The bytes of the text.
    public var encoded: [UInt8] { Array(text.utf8) }

    /// Returns the signed bytes: the texts of header and payload with a dot between them (RFC 7515, section 5.1).
    static func signingInput(_ header: TokenSegment, _ payload: TokenSegment) -> [UInt8] {
        Array("\(header.text).\(payload.text)".utf8)
    }
}

/// One part of a token: bytes, and the form of base64 that they are written in.
public struct TokenSegment: Sendable, Changeable {
    public var octets: [UInt8]
    /// Whether the alphabet is the URL-safe one (RFC 4648, section 5), as in tokens.
    public var isURLSafe = true
    /// The number of `=` at the end.
    public var paddingCount = 0
    /// Whether the unused bits of the last character are ones.
    public var hasStrayBits = false

    public init(_ octets: [UInt8]) { self.octets = octets }

    /// The number of `=` that fills the last group of four (RFC 4648, section 3.2).
    public var fullPaddingCount: Int { (3 - octets.count % 3) % 3 }

    /// The base64.
    public var text: String {
        var characters = Array(Data(octets).base64EncodedString().utf8)
        characters.removeLast(fullPaddingCount)
        if hasStrayBits, let last = characters.last, let value = Self.alphabet.firstIndex(of: last) {
            // Two bits are unused for each missing byte.
            characters[characters.count - 1] = Self.alphabet[value | (1 << (2 * fullPaddingCount) - 1)]
        }
        if isURLSafe {
            for index in characters.indices {
                switch characters[index] {
                case UInt8(ascii: "+"): characters[index] = UInt8(ascii: "-")
                case UInt8(ascii: "/"): characters[index] = UInt8(ascii: "_")
                default: break
                }
            }
        }
        return String(decoding: characters, as: UTF8.self) + String(repeating: "=", count: paddingCount)
    }

    /// The characters of standard base64 by their value (RFC 4648, section 4).
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
