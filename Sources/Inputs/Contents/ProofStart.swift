import Encodings

/// The beginnings of proofs as text, which distinguish a receipt or a token from another cell or line.
package enum ProofStart {
    /// The number of bytes that suffice.
    package static let length = 64

    /// Whether a text begins like base64 or hexadecimal of a PKCS #7 container, or like a token.
    package static func begins(_ text: Span<UInt8>) -> Bool { beginsReceipt(text) || text.starts(with: token) }

    /// Whether a text begins like base64 or hexadecimal of a PKCS #7 container, or like PEM of one.
    static func beginsReceipt(_ text: Span<UInt8>) -> Bool {
        if text.starts(with: armour) { return true }
        return text.count > 0 && (isContainer(base64(text)) || isContainer(hexadecimal(text)))
    }

    /// Whether a text begins like hexadecimal of the text of a proof, which is the form of a token in a binary column.
    package static func beginsHexadecimalOfText(_ text: Span<UInt8>) -> Bool {
        guard text.count > 0 else { return false }
        let inner = hexadecimal(text)
        return inner.span.starts(with: token) || inner.span.starts(with: Array("MII".utf8))
    }

    /// Whether a text begins like a receipt or a token and ends within it.
    static func isCut(_ text: Span<UInt8>) -> Bool {
        guard begins(text.extracting(first: length)) else { return false }
        if text.starts(with: token) { return text.isCutToken }
        var octets: [UInt8] = []
        guard ReceiptForm.decode(text, into: &octets), octets.count > 4, octets[1] > 0x80 else { return false }
        let digits = octets.dropFirst(2).prefix(Int(octets[1] & 0x7f))
        guard digits.count <= 4 else { return false }
        return octets.count < 2 + digits.count + digits.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Whether a byte may appear in wrapped base64 or PEM.
    static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: byte.isBlank || marks.contains(byte)
        }
    }

    /// Returns the bytes encoded by the first digits of base64.
    private static func base64(_ text: Span<UInt8>) -> [UInt8] {
        guard text[0] == UInt8(ascii: "M"), text.count >= 24 else { return [] }
        var octets: [UInt8] = []
        return Base64.decode(text.extracting(..<24), into: &octets) ? octets : []
    }

    /// Returns the bytes encoded by the first hexadecimal digits, with or without `0x` or `\x` before them.
    private static func hexadecimal(_ text: Span<UInt8>) -> [UInt8] {
        var start = 0
        while start < min(3, text.count), text[start] == UInt8(ascii: "\\") { start += 1 }
        if start == 0, text[0] == UInt8(ascii: "0"), text.count > 1, text[1] | 0x20 == UInt8(ascii: "x") { start = 1 }
        if start > 0, start < text.count, text[start] | 0x20 == UInt8(ascii: "x") { start += 1 }
        guard text.count >= start + 36 else { return [] }
        var octets: [UInt8] = []
        return Hex.decode(text.extracting(start..<(start + 36)), into: &octets) ? octets : []
    }

    /// Whether bytes begin like a SEQUENCE with a content type of PKCS #7 as its first element.
    static func isContainer(_ octets: [UInt8]) -> Bool {
        guard octets.count > 2, octets[0] == 0x30 else { return false }
        let start = octets[1] > 0x80 ? 2 + Int(octets[1] & 0x7f) : 2
        return octets.span.starts(with: contentType, at: start)
    }

    private static let contentType: [UInt8] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07]
    private static let armour = Array("-----BEGIN PKCS".utf8)
    private static let token = Array("eyJ".utf8)
    private static let marks = Array("+/=-_".utf8)
}
