import Encodings
import Inputs

/// Recognizes how a proof was changed in transit, so that a warning can name the cause.
extension Facts {
    /// The maximum number of bytes to examine.
    private static let maxExamined = 64 << 10

    /// Recognizes it from the bytes as stored, if no proof can be read.
    package mutating func recognise(stored: Span<UInt8>) {
        guard verdict == .unreadable, failed.contains(.unknownFormat) || failed.contains(.malformedContainer),
            mistake == nil || mistake == .sentJSON
        else { return }
        let start = stored.extracting(first: Self.maxExamined)
        if let found = Self.encoding(start) { return mistake = found }
        let text = start.extracting(start.byteOrderMark...).withoutBlanks
        guard text.count > 0 else { return }
        if ProofStart.beginsHexadecimalOfText(text) { return mistake = .sentHexOfText }
        if claim.isReceiptBase64 {
            var octets: [UInt8] = []
            guard Base64.decode(text.extracting(..<(text.count - text.count % 4)), into: &octets) else { return }
            let inner = octets.span.withoutBlanks
            if ProofStart.begins(inner.extracting(first: ProofStart.length)) { return mistake = .sentBase64Twice }
            return recogniseJSON(inner)
        }
        if text[0] == UInt8(ascii: "\"") || text[0] == UInt8(ascii: "'") {
            let inner = text.extracting(1...)
            guard ProofStart.begins(inner.extracting(first: ProofStart.length)) else { return recogniseJSON(text) }
            return mistake = .sentInQuotes
        }
        if text.starts(with: Array("Bearer ".utf8)), text.firstIndex(of: Array("eyJ".utf8), from: 0) != nil {
            return mistake = .sentBearer
        }
        guard ProofStart.begins(text.extracting(first: ProofStart.length)) else { return recogniseJSON(text) }
        mistake = Self.change(of: text)
    }

    /// Recognizes the bytes after a receipt if they are those that columns, editors and shells add.
    mutating func recognise(padding bytes: Span<UInt8>) {
        if bytes.indices.allSatisfy({ bytes[$0] == 0 }) { return padding = "NUL" }
        let isBlank = bytes.indices.allSatisfy { bytes[$0] == 0x20 || (0x09...0x0d).contains(bytes[$0]) }
        if isBlank { padding = "blanks or line ends" }
    }

    /// Finds a proof in JSON, or in the first of several texts.
    private mutating func recogniseJSON(_ text: Span<UInt8>) {
        guard text.count > 0, Array("{[\"".utf8).contains(text[0]),
            let place = ClaimSearch(text, ExportNames()).place, !place.key.isEmpty
        else { return }
        mistake = .sentProofInJSON
        mistakenKey = ExactText(repairing: place.key.span)
    }

    /// Recognizes compressed bytes, and text that is not UTF-8.
    private static func encoding(_ bytes: Span<UInt8>) -> ClaimDoubt? {
        if bytes.starts(with: [0x1f, 0x8b]) { return .sentGzip }
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) { return .sentUTF16 }
        guard bytes.count >= 8 else { return nil }
        let isZeroFirst = bytes[0] == 0
        // Every other byte is zero, and the others are ASCII.
        for index in 0..<8 {
            let mustBeZero = index.isMultiple(of: 2) == isZeroFirst
            guard (bytes[index] == 0) == mustBeZero, bytes[index] < 0x7f else { return nil }
        }
        return .sentUTF16
    }

    /// Recognizes how the text of a proof was changed.
    private static func change(of text: Span<UInt8>) -> ClaimDoubt? {
        let isToken = text[0] == UInt8(ascii: "e")
        var (hasPlus, hasSpace, hasBreak) = (false, false, false)
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "+"): hasPlus = true
            case 0x20: hasSpace = true
            case 0x09...0x0d: hasBreak = true
            case UInt8(ascii: "\\"): return .sentWithEscapes
            case UInt8(ascii: "%"): return .sentPercentEncoded
            default: break
            }
        }
        if isToken { return hasSpace || hasBreak ? .sentBrokenToken : nil }
        return hasSpace && !hasPlus ? .sentBlanksForPlus : nil
    }
}
