public import Encodings
public import Inputs

/// What the bytes of an unreadable proof or row look like, so that a warning can say what was seen.
public struct SeenBytes: Sendable {
    public let value: SeenValue
    /// The number of bytes, as stored.
    public let length: Int
    /// What may be shown of them.
    public let text: ExactText?

    init?(_ stored: Span<UInt8>) {
        guard let value = SeenValue(stored) else { return nil }
        self.value = value
        length = stored.count
        text = ValueProfile.shown(stored, value)
    }
}

extension Facts {
    /// Examines the bytes as stored, if no proof or no row can be read.
    package mutating func recognise(stored: Span<UInt8>) {
        guard verdict == .unreadable, otherObject == nil else { return }
        seen = SeenBytes(stored)
    }

    /// Recognizes the bytes after a receipt if they are those that columns, editors and shells add.
    mutating func recognise(padding bytes: Span<UInt8>) {
        if bytes.indices.allSatisfy({ bytes[$0] == 0 }) { return padding = "NUL" }
        let isBlank = bytes.indices.allSatisfy { bytes[$0] == 0x20 || (0x09...0x0d).contains(bytes[$0]) }
        if isBlank { padding = "blanks or line ends" }
    }

    /// Recognizes the fake of a purchase-cracking tool, decoded if it was base64.
    mutating func recognise(_ bytes: Span<UInt8>) {
        let start = bytes.extracting(first: 64 << 10)
        let text = start.extracting(start.byteOrderMark...).withoutBlanks
        guard text.count > 0, text[0] == UInt8(ascii: "{") else { return }
        fabrication = FabricatedReceipt(sniffing: text.copy())
    }
}
