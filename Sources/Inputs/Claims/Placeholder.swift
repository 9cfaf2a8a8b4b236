public import Encodings

/// Texts that mean nothing in the place of an id, as written by databases, languages and spreadsheets.
///
/// Such a text names nobody, so two claims with it have nothing in common. A person may choose some of these texts as a
/// name (``Form``): they are no account only where an export has them in many rows.
public enum Placeholder {
    /// Whether a text without surrounding blanks is a placeholder for an id.
    public static func matches(_ text: ExactText) -> Bool { matches(text.utf8.span) }

    /// Whether a text without surrounding blanks is a placeholder for a device.
    public static func matchesDevice(_ text: ExactText) -> Bool { matchesDevice(text.utf8.span) }

    /// Whether a text is a placeholder for an account, however many rows have it.
    public static func matchesAccount(_ text: ExactText) -> Bool { matches(text) && Form(account: text) == nil }

    /// A form of texts that stand for many accounts at once, and that a person may also choose as a name.
    public enum Form: String, CaseIterable, Codable, Sendable {
        /// A number in the E notation of spreadsheets, `1E+15`, the remains of many long numbers. Hexadecimal ids, such
        /// as `12e34`, have neither a plus sign nor a decimal one.
        case number = "1E+15"
        /// Nothing but asterisks.
        case stars = "***"
        case unknown
        case anonymous
        case guest
        case hidden
        case masked
        case redacted
        case notAvailable = "n/a"

        private static let words: [(form: Form, word: [UInt8])] =
            (allCases.map { ($0, $0.rawValue) }
            + ["n.a.", "k.a.", "-", "--", ".", "?", "missing", "empty", "nat", "not available", "true", "false"].map {
                (.notAvailable, $0)
            })
            .map { ($0, Array($1.utf8)) }

        /// The form of a word for no value.
        fileprivate init?(word: Span<UInt8>) {
            guard let found = Self.words.first(where: { word.isLowercased($0.word) }) else { return nil }
            self = found.form
        }

        /// The form of an account; `nil` if it has none.
        public init?(account: ExactText) {
            let text = account.utf8.span
            guard text.count > 0, text.count <= 64 else { return nil }
            if text.indices.allSatisfy({ text[$0] == UInt8(ascii: "*") }) {
                self = .stars
            } else if Placeholder.exponent(of: text) != nil {
                self = .number
            } else {
                self.init(word: text)
            }
        }
    }

    /// The exponent of an account of the form ``Form/number``; `nil` if it has another form or none.
    public static func exponent(of account: ExactText) -> Int? { exponent(of: account.utf8.span) }

    static func matches(_ text: Span<UInt8>) -> Bool {
        guard text.count > 0 else { return false }
        switch text[0] {
        case UInt8(ascii: "0"), UInt8(ascii: ":"), UInt8(ascii: "."): return isZeros(text)
        case UInt8(ascii: "-"): return text.count == 2 && text[1] == UInt8(ascii: "1") || isZeros(text)
        case UInt8(ascii: "{"), UInt8(ascii: "\""): return isEmptyJSON(text)
        case UInt8(ascii: "["): return isEmptyJSON(text) || words.contains { text.isLowercased($0) }
        default: return words.contains { text.isLowercased($0) }
        }
    }

    /// The exponent of a text that matches `^\d([.,]\d+)?[Ee]\+\d{2,3}$` or `^\d[.,]\d+[Ee]\d{2,3}$`; `nil` for any
    /// other text.
    static func exponent(of text: Span<UInt8>) -> Int? {
        func digits(from start: Int) -> Int {
            var end = start
            while end < text.count, (0x30...0x39).contains(text[end]) { end += 1 }
            return end - start
        }
        guard digits(from: 0) == 1 else { return nil }
        var position = 1
        var hasFraction = false
        if position < text.count, text[position] == UInt8(ascii: ".") || text[position] == UInt8(ascii: ",") {
            let count = digits(from: 2)
            guard count > 0 else { return nil }
            position = 2 + count
            hasFraction = true
        }
        guard text.count - position >= 3, text[position] | 0x20 == UInt8(ascii: "e") else { return nil }
        position += 1
        if text[position] == UInt8(ascii: "+") { position += 1 } else if !hasFraction { return nil }
        let count = text.count - position
        guard (2...3).contains(count), digits(from: position) == count else { return nil }
        return (position..<text.count).reduce(0) { 10 * $0 + Int(text[$1] & 0xf) }
    }

    private static let words: [[UInt8]] = [
        "null", "(null)", "nil", "none", "undefined", "unknown", "anonymous", "nan", "#n/a", "#name?", "#value!",
        "#ref!", "#null!", "#num!", "#div/0!", "[filtered]", "[redacted]", "[null]", "<null>", "<nil>", "<none>",
        "<na>", "<unset>", "<empty>", "(nil)", "(none)", "(empty)", "[object object]",
    ].map { Array($0.utf8) }

    /// A word for no value may be a person's name, but is no device.
    static func matchesDevice(_ text: Span<UInt8>) -> Bool { matches(text) || Form(word: text) == .notAvailable }

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

/// The forms of texts that are no accounts in a run, because many of its claims have them.
public struct AccountPlaceholders: Sendable {
    private let forms: Set<Placeholder.Form>

    public init(_ forms: Set<Placeholder.Form> = []) { self.forms = forms }

    /// Whether an account is a text of one of the forms.
    public func contains(_ account: ExactText) -> Bool {
        !forms.isEmpty && Placeholder.Form(account: account).map(forms.contains) == true
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
