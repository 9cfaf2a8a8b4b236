import Encodings

/// The forms in which a receipt is sent in: DER, or base64 of it.
public enum ReceiptForm {
    /// Replaces the contents of `scratch` by the DER that `bytes` encode in base64.
    ///
    /// Base64 may have a byte order mark before it, PEM armour around it, and line breaks in it.
    ///
    /// - Returns: `false` if the bytes are to be judged as they stand: DER, nothing, or what is no base64.
    public static func decode(_ bytes: Span<UInt8>, into scratch: inout [UInt8]) -> Bool {
        // DER starts with a SEQUENCE; base64 of it starts with M.
        guard bytes.count > 0, bytes[0] != 0x30 else { return false }
        scratch.removeAll(keepingCapacity: true)
        return Base64.decode(withoutArmour(bytes), into: &scratch)
    }

    /// What stands between `-----BEGIN …-----` and `-----END …-----`, or all of it (RFC 7468).
    @_lifetime(copy bytes)
    private static func withoutArmour(_ bytes: Span<UInt8>) -> Span<UInt8> {
        var text = bytes
        if text.count >= 3, text[0] == 0xef, text[1] == 0xbb, text[2] == 0xbf { text = text.extracting(3...) }
        text = text.withoutBlanks
        guard text.starts(with: "-----BEGIN "), let begin = text.firstIndex(of: 0x0a) else { return text }
        let body = text.extracting((begin + 1)...)
        guard let end = body.firstIndex(of: 0x2d, startingLine: true) else { return text }
        return body.extracting(..<end)
    }
}

extension Span where Element == UInt8 {
    fileprivate func starts(with prefix: String) -> Bool {
        let prefix = prefix.utf8
        guard prefix.count <= count else { return false }
        return zip(prefix, 0...).allSatisfy { self[$1] == $0 }
    }

    fileprivate func firstIndex(of byte: UInt8, startingLine: Bool = false) -> Int? {
        for index in indices where self[index] == byte {
            if !startingLine || index == 0 || self[index - 1] == 0x0a { return index }
        }
        return nil
    }
}
