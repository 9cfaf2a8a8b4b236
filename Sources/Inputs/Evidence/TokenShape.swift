import Encodings

/// The shape of text that begins like a JWS in compact serialization and has no characters but those of one.
struct TokenShape {
    /// The number of dots, and of characters before the first and after the last one.
    private(set) var dots = 0
    private(set) var header = 0
    private(set) var signature = 0

    /// Base64url of `{"`, the beginning of each token.
    static let mark = Array("eyJ".utf8)

    /// - Returns: `nil` for other text.
    init?(_ text: Span<UInt8>) {
        guard text.starts(with: Self.mark) else { return nil }
        for index in text.indices {
            guard text[index].isTokenByte else { return nil }
            let isDot = text[index] == UInt8(ascii: ".")
            if isDot, dots == 0 { header = index }
            signature = isDot ? 0 : signature + 1
            if isDot { dots += 1 }
        }
    }

    /// Whether it may be a token.
    var isWhole: Bool { dots == 2 && signature > 0 }

    /// Whether it ends within its signature, which has 86 digits (ES256), or before.
    var isCut: Bool { dots < 2 || dots == 2 && signature < 86 }

    /// Whether the header has room for certificates, unlike those of tokens that authorize requests.
    var mayHaveCertificates: Bool { dots > 0 && header >= Self.minHeader }

    /// Apple's three certificates have more than 2,000 digits.
    static let minHeader = 400
}

extension UInt8 {
    /// Whether it is a digit of base64url, a dot, or padding.
    var isTokenByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x3d, 0x5f: true
        default: false
        }
    }

    /// Whether it is that, or another digit of base64.
    var isRunByte: Bool { isTokenByte || self == UInt8(ascii: "+") || self == UInt8(ascii: "/") }
}

extension Span<UInt8> {
    /// Whether this looks like a JWS in compact serialization.
    var isToken: Bool { TokenShape(self)?.isWhole ?? false }

    /// Whether this begins like a token and ends within it.
    var isCutToken: Bool { TokenShape(self)?.isCut ?? false }

    /// Whether an object or an array begins.
    var opensJSON: Bool { count > 0 && (self[0] == UInt8(ascii: "{") || self[0] == UInt8(ascii: "[")) }

    /// Whether a cell is as long as a token, or begins like one or like JSON. A token has three certificates.
    var mayHoldToken: Bool {
        let text = withoutBlanks
        return text.count >= 200 || text.starts(with: TokenShape.mark) || text.starts(with: [0x7b])
    }

    /// Whether a cell is empty or a placeholder.
    var isNothing: Bool {
        let text = withoutBlanks
        return text.count == 0 || Placeholder.matches(text) || text.isSame(as: Array("\\N".utf8).span)
    }

    /// The decoded JSON or token, from base64 or hexadecimal; `nil` if this is neither.
    var decodedEvidence: [UInt8]? {
        guard count >= 8 else { return nil }
        var octets: [UInt8] = []
        switch self[0] {
        case UInt8(ascii: "e"), UInt8(ascii: "W"), UInt8(ascii: "I"), UInt8(ascii: "C"), UInt8(ascii: "Z"):
            guard Base64.decode(self, into: &octets) else { return nil }
        case UInt8(ascii: "\\"), UInt8(ascii: "0"), UInt8(ascii: "x"):
            let start = self[0] == UInt8(ascii: "x") ? 1 : 2
            guard self[start - 1] | 0x20 == UInt8(ascii: "x"), Hex.decode(extracting(start...), into: &octets) else {
                return nil
            }
        default: return nil
        }
        let inner = octets.span.withoutBlanks
        return inner.opensJSON || inner.starts(with: TokenShape.mark) ? octets : nil
    }
}

extension JSONDocument {
    /// The octets that an array of numbers holds, as programs write buffers; `nil` for another array.
    func octetsOfNumbers(_ array: Int) -> [UInt8]? {
        var octets: [UInt8] = []
        for child in children(of: array) {
            guard kind(child) == .number, let octet = UInt8(text(child).text) else { return nil }
            octets.append(octet)
        }
        return octets.count >= 8 ? octets : nil
    }
}
