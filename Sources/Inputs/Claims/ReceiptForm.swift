import Encodings

/// The forms in which a proof is sent in: DER of a receipt, base64 or hexadecimal of that, or a token.
public enum ReceiptForm {
    /// Replaces the contents of `scratch` with the bytes that `stored` encodes in base64 (see ``Base64``).
    ///
    /// Databases write bytes as hexadecimal: `\x3082…`, `0x3082…`, `3082…`, and Python as `b'…'`. The decoded bytes may
    /// again be base64; base64 may hold gzip. Base64 may have a byte order mark or the header of a data URL before it,
    /// PEM armour around it, and blanks in it; blanks alone are base64 of nothing. DER starts with the tag of a SEQUENCE,
    /// base64 of it with `M`.
    ///
    /// - Returns: `false` if the bytes are to be checked as they are: DER, a token, nothing, or not base64.
    public static func decode(_ stored: Span<UInt8>, into scratch: inout [UInt8]) -> Bool {
        guard stored.count > 0 else { return false }
        let text = stored.withoutBlanks
        if let literal = ByteLiteral.content(of: text) {
            if !decode(literal.span, into: &scratch) { scratch = literal }
            return true
        }
        if decodeHex(text, into: &scratch) {
            var inner: [UInt8] = []
            if scratch.first != 0x30, decodeText(scratch.span, into: &inner) { scratch = inner }
            return true
        }
        guard stored[0] != 0x30, decodeText(stored.extracting(stored.byteOrderMark...).withoutBlanks, into: &scratch)
        else { return false }
        var inflated: [UInt8] = []
        if inflate(scratch.span, into: &inflated) { scratch = inflated }
        return true
    }

    /// Decompresses gzip. Receipts hardly compress: a result many times as long is not a receipt.
    private static func inflate(_ bytes: Span<UInt8>, into scratch: inout [UInt8]) -> Bool {
        guard bytes.count > 2, bytes[0] == 0x1f, bytes[1] == 0x8b,
            let inflated = GzipStream.bytes(of: bytes, limit: 16 * bytes.count)
        else {
            return false
        }
        scratch = inflated
        return true
    }

    /// Decodes base64 without blanks around it.
    private static func decodeText(_ text: Span<UInt8>, into scratch: inout [UInt8]) -> Bool {
        // Base64 of DER begins with `M`; a token has dots, which base64 does not have.
        if text.count > 0, text[0] != UInt8(ascii: "M"), text.firstIndex(of: UInt8(ascii: ".")) != nil,
            !text.starts(with: dataURL, at: 0), !text.starts(with: dashes, at: 0)
        {
            return false
        }
        guard let encoded = withoutArmour(text) else { return false }
        return Base64.decode(encoded, into: &scratch) || decodeCutShort(encoded, into: &scratch)
    }

    /// Decodes an even number of hexadecimal digits, in either case, after `\x`, `0x`, COPY's `\\x` or nothing. Without a
    /// prefix they must begin like DER.
    private static func decodeHex(_ text: Span<UInt8>, into scratch: inout [UInt8]) -> Bool {
        guard text.count > 3 else { return false }
        let start: Int
        if text[1] | 0x20 == UInt8(ascii: "x"), text[0] == UInt8(ascii: "\\") || text[0] == UInt8(ascii: "0") {
            start = 2
        } else if text[2] | 0x20 == UInt8(ascii: "x"), text.starts(with: Array("\\\\".utf8)) {
            start = 3
        } else if text[0] == UInt8(ascii: "3"), text[1] == UInt8(ascii: "0"), text.count >= ProofStart.length {
            start = 0
        } else {
            return false
        }
        return Hex.decode(text.extracting(start...), into: &scratch)
    }

    /// Decodes base64 that was truncated after the first digit of a group. The digit becomes a byte with six known
    /// bits, so that a truncated receipt stays truncated.
    private static func decodeCutShort(_ encoded: Span<UInt8>, into scratch: inout [UInt8]) -> Bool {
        guard encoded.count > 4 else { return false }
        var octet: [UInt8] = []
        let last: [UInt8] = [encoded[encoded.count - 1], 0x41, 0x41, 0x41]
        guard Base64.decode(last.span, into: &octet), Base64.decode(encoded.extracting(droppingLast: 1), into: &scratch)
        else { return false }
        scratch += octet.prefix(1)
        return true
    }

    /// Returns the text after the header of a data URL (RFC 2397), or between the lines `-----BEGIN …-----` and
    /// `-----END …-----` (RFC 7468), or the whole text if it has neither.
    ///
    /// - Returns: `nil` if only one of the lines is present, their labels differ, or there is anything before or after
    ///   them: another reader might take that for the receipt.
    @_lifetime(copy text)
    private static func withoutArmour(_ text: Span<UInt8>) -> Span<UInt8>? {
        if text.starts(with: dataURL, at: 0) { return withoutHeader(text) }
        guard text.starts(with: dashes, at: 0) else { return text }
        guard text.starts(with: begin, at: 0), let labelEnd = text.firstIndex(of: dashes, from: begin.count)
        else { return nil }
        let start = labelEnd + dashes.count
        let last = end + (begin.count..<start).map { text[$0] }
        let finish = text.count - last.count
        guard finish >= start, text.starts(with: last, at: finish), text.firstIndex(of: dashes, from: start) == finish
        else { return nil }
        return text.extracting(start..<finish)
    }

    /// Returns the text after the comma of a data URL in base64; `nil` if it is in another form.
    @_lifetime(copy text)
    private static func withoutHeader(_ text: Span<UInt8>) -> Span<UInt8>? {
        guard let comma = text.firstIndex(of: UInt8(ascii: ",")),
            text.starts(with: base64Mark, at: comma - base64Mark.count)
        else { return nil }
        return text.extracting((comma + 1)...)
    }

    private static let dataURL = Array("data:".utf8)
    private static let base64Mark = Array(";base64".utf8)
    private static let dashes = Array("-----".utf8)
    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----END ".utf8)
}

extension ReceiptForm {
    /// Passes on a claim with the bytes to check, decoded into `scratch` if they are base64, and the stored ones.
    static func present(
        _ stored: Span<UInt8>, of claim: Claim, decodingInto scratch: inout [UInt8],
        _ onReceipt: (Claim, Span<UInt8>, Span<UInt8>) -> Void
    ) throws(InputFault) {
        let isDecoded = decode(stored, into: &scratch)
        guard (isDecoded ? scratch.count : stored.count) <= ReceiptLimit.bytes else { throw .receiptTooLong }
        guard isDecoded else { return onReceipt(claim, stored, stored) }
        guard isOther(scratch.span, of: stored) else { return onReceipt(claim, scratch.span, stored) }
        var claim = claim
        claim.isReceiptBase64 = true
        onReceipt(claim, scratch.span, stored)
    }

    /// Whether decoded bytes do not belong to a receipt: in base64 or hexadecimal only DER is a proof. A literal may hold
    /// a token.
    public static func isOther(_ decoded: Span<UInt8>, of stored: Span<UInt8>) -> Bool {
        (decoded.count == 0 || decoded[0] != 0x30) && !ByteLiteral.isOne(stored.withoutBlanks)
    }
}

extension ByteArena {
    /// Passes on a claim with a receipt that is stored here.
    func present(
        _ stored: Range<Int>, of claim: Claim, decodingInto scratch: inout [UInt8],
        _ onReceipt: (Claim, Span<UInt8>, Span<UInt8>) -> Void
    ) throws(InputFault) {
        try ReceiptForm.present(span(stored), of: claim, decodingInto: &scratch, onReceipt)
    }
}

/// The literals in which Python and SQL print bytes: `b'MIIT…'`, `b'0\x82…'`, `X'3082…'`.
private enum ByteLiteral {
    /// Whether a text is a literal.
    static func isOne(_ text: Span<UInt8>) -> Bool {
        guard text.count > 3, text[1] == UInt8(ascii: "'") || text[1] == UInt8(ascii: "\"") else { return false }
        return text[text.count - 1] == text[1]
            && (text[0] | 0x20 == UInt8(ascii: "b") || text[0] | 0x20 == UInt8(ascii: "x"))
    }

    /// Returns the bytes of a literal, without its escapes; `nil` if the text is not a literal.
    static func content(of text: Span<UInt8>) -> [UInt8]? {
        guard isOne(text) else { return nil }
        var content: [UInt8] = []
        content.reserveCapacity(text.count)
        var index = 2
        while index < text.count - 1 {
            let byte = text[index]
            index += 1
            guard byte == UInt8(ascii: "\\"), index < text.count - 1 else {
                content.append(byte)
                continue
            }
            let escaped = text[index]
            index += 1
            switch escaped {
            case UInt8(ascii: "n"): content.append(0x0a)
            case UInt8(ascii: "r"): content.append(0x0d)
            case UInt8(ascii: "t"): content.append(0x09)
            case UInt8(ascii: "x"):
                guard index + 1 < text.count, let high = Hex.value(text[index]), let low = Hex.value(text[index + 1])
                else {
                    return nil
                }
                content.append(high << 4 | low)
                index += 2
            default: content.append(escaped)
            }
        }
        return content
    }
}
