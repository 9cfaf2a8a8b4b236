public import Encodings

/// Texts that mean nothing in the place of an id, as written by databases, languages and spreadsheets.
///
/// Such a text names nobody, so two claims with it have nothing in common.
public enum Placeholder {
    /// Whether a text without surrounding blanks is a placeholder for an id.
    public static func matches(_ text: ExactText) -> Bool { matches(text.utf8.span) }

    /// Whether a text is a placeholder for an account: including a number in the E notation of spreadsheets, `1E+15`,
    /// the remains of many long numbers. Hexadecimal ids, such as `12e34`, have neither a plus sign nor a decimal one.
    public static func matchesAccount(_ text: ExactText) -> Bool {
        let text = text.utf8.span
        return matches(text) || isScientific(text)
    }

    static func matches(_ text: Span<UInt8>) -> Bool {
        guard text.count > 0 else { return false }
        switch text[0] {
        case UInt8(ascii: "0"), UInt8(ascii: ":"), UInt8(ascii: "."): return isZeros(text)
        case UInt8(ascii: "-"): return text.count == 2 && text[1] == UInt8(ascii: "1") || isZeros(text)
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): return isEmptyJSON(text)
        default: return words.contains { text.isLowercased($0) }
        }
    }

    /// Whether a text matches `^\d([.,]\d+)?E\+\d{2,}$` or `^\d[.,]\d+E\d{2,}$`.
    static func isScientific(_ text: Span<UInt8>) -> Bool {
        func digits(from start: Int) -> Int {
            var end = start
            while end < text.count, (0x30...0x39).contains(text[end]) { end += 1 }
            return end - start
        }
        guard digits(from: 0) == 1 else { return false }
        var position = 1
        var hasFraction = false
        if position < text.count, text[position] == UInt8(ascii: ".") || text[position] == UInt8(ascii: ",") {
            let count = digits(from: 2)
            guard count > 0 else { return false }
            (position, hasFraction) = (2 + count, true)
        }
        guard text.count - position >= 3, text[position] == UInt8(ascii: "E") else { return false }
        position += 1
        if text[position] == UInt8(ascii: "+") { position += 1 } else if !hasFraction { return false }
        return text.count - position >= 2 && digits(from: position) == text.count - position
    }

    private static let words: [[UInt8]] = [
        "null", "(null)", "nil", "none", "undefined", "unknown", "anonymous", "nan", "#n/a", "#name?", "#value!",
        "#ref!", "#null!", "#num!", "#div/0!",
    ].map { Array($0.utf8) }

    /// Whether there are only zeros, at least one, and the separators of UUIDs, MAC addresses and decimal numbers.
    private static func isZeros(_ text: Span<UInt8>) -> Bool {
        var hasZero = false
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "0"): hasZero = true
            case UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "."): break
            default: return false
            }
        }
        return hasZero
    }

    /// Whether a text is `{}`, `[]` or `""`, with or without blanks inside.
    private static func isEmptyJSON(_ text: Span<UInt8>) -> Bool {
        guard text.count >= 2 else { return false }
        let last = text[text.count - 1]
        let isClosed =
            switch text[0] {
            case UInt8(ascii: "{"): last == UInt8(ascii: "}")
            case UInt8(ascii: "["): last == UInt8(ascii: "]")
            default: last == UInt8(ascii: "\"")
            }
        return isClosed && text.extracting(1..<(text.count - 1)).withoutBlanks.count == 0
    }
}

extension Span<UInt8> {
    /// Whether a text equals a lower-case word, ignoring case.
    func isLowercased(_ word: borrowing [UInt8]) -> Bool {
        let word = word.span
        guard count == word.count else { return false }
        for index in indices {
            let byte = self[index]
            guard (0x41...0x5a).contains(byte) ? byte | 0x20 == word[index] : byte == word[index] else { return false }
        }
        return true
    }
}
