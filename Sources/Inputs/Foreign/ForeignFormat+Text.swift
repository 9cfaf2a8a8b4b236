extension ForeignFormat {
    /// The bytes without blanks around them, if they are text in UTF-8.
    static func text(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let marked = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes
        guard marked.allSatisfy({ $0 >= 0x20 || $0.isBlank }) else { return nil }
        guard String(validating: marked, as: UTF8.self) != nil else { return nil }
        let text = marked.drop(while: \.isBlank)
        guard let last = text.lastIndex(where: { !$0.isBlank }) else { return text }
        return text[...last]
    }

    /// The label of the first PEM armour, if the text begins with one.
    static func pemLabel(_ text: ArraySlice<UInt8>) -> String? {
        let begin = Array("-----BEGIN ".utf8)
        guard text.starts(with: begin) else { return nil }
        let label = text.dropFirst(begin.count).prefix { $0 != UInt8(ascii: "-") && !($0 < 0x20) }
        return String(decoding: label.prefix(40), as: UTF8.self)
    }

    /// Three parts in base64url, the first of which is base64 of `{"`.
    static func isToken(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.starts(with: Array("eyJ".utf8)) else { return false }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 3 && parts.allSatisfy { $0.allSatisfy(isBase64) }
    }

    /// JSON or an old-style property list, and which one.
    static func braces(_ text: ArraySlice<UInt8>) -> ForeignFormat {
        guard isOldPropertyList(text) else {
            if contains(text, "\"receipt-data\"") { return .verifyReceiptRequest }
            if contains(text, "\"signedPayload\"") { return .serverNotification }
            if contains(text, "\"status\""), contains(text, "\"receipt\"") { return .verifyReceiptResponse }
            return .json
        }
        return contains(text, "purchase-info") ? .transactionReceipt : .oldPropertyList
    }

    /// Whether the first key is followed by `=`, where JSON has `:`.
    private static func isOldPropertyList(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text.dropFirst().drop(while: \.isBlank)
        if rest.first == UInt8(ascii: "\"") {
            rest = rest.dropFirst().drop { $0 != UInt8(ascii: "\"") }.dropFirst()
        } else {
            rest = rest.drop { isBase64($0) || $0 == UInt8(ascii: ".") }
        }
        return rest.drop(while: \.isBlank).first == UInt8(ascii: "=")
    }

    static func markup(_ text: ArraySlice<UInt8>) -> ForeignFormat {
        let start = text.prefix(1000).map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 }[...]
        if contains(start, "<plist") { return .xmlPropertyList }
        return contains(start, "<html") || contains(start, "<!doctype html") ? .html : .xml
    }

    /// A digit of base64, in the standard or the URL-safe alphabet.
    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2f, 0x2d, 0x5f: true
        default: false
        }
    }

    private static func contains(_ text: ArraySlice<UInt8>, _ word: String) -> Bool {
        let word = Array(word.utf8)
        guard let first = word.first else { return true }
        var rest = text
        while let index = rest.firstIndex(of: first) {
            rest = rest[index...]
            if rest.starts(with: word) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
