import Checks
import Encodings
import Rules

/// Lays out plain text in columns for people.
enum TextLayout {
    /// The maximum length of a line, unless a word is longer.
    static let width = 100

    /// Pads the text with blanks to a width.
    static func padded(_ text: String, to width: Int) -> String { text + padding(text, to: width) }

    /// Aligns the text to the right of a width.
    static func right(_ text: String, to width: Int) -> String { padding(text, to: width) + text }

    /// Returns the blanks that pad a text to a width.
    static func padding(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count))
    }

    /// Breaks the text at blanks into lines that fit after an indentation.
    static func wrapped(_ text: String, indentation: Int, width: Int = width) -> [String] {
        var lines: [String] = []
        var line: String?
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if let start = line, indentation + start.count + 1 + word.count <= width || word.isEmpty {
                line = start + " " + word
            } else {
                if let line { lines.append(line) }
                line = String(word)
            }
        }
        return lines + [line ?? ""]
    }

    /// Returns a label with a text next to it, on one or more lines.
    static func field(
        _ label: String, _ text: String, indentation: Int = 2, labelWidth: Int = 14, width: Int = width
    ) -> [String] {
        let start = indentation + labelWidth
        let blank = String(repeating: " ", count: start)
        return wrapped(text, indentation: start, width: width).enumerated().map { index, line in
            index == 0
                ? String(repeating: " ", count: indentation) + padded(label, to: labelWidth) + line : blank + line
        }
    }

    static func safe(_ text: ExactText, limit: Int = 400) -> String { safe(text.text, limit: limit) }

    /// Makes untrusted text safe for a terminal, and truncates it.
    static func safe(_ text: String, limit: Int = 400) -> String {
        let count = text.unicodeScalars.count
        guard count > limit else { return TerminalText.escaped(text) }
        return TerminalText.escaped(text.start(limit)) + "… (\(grouped(count)) characters)"
    }

    /// Returns bytes in hex: up to 32 of them, otherwise the first 16 and their number.
    static func octets(_ octets: [UInt8]) -> String {
        guard octets.count > 32 else { return Hex.string(octets.span) }
        let start = Array(octets.prefix(16))
        return Hex.string(start.span) + "… (\(grouped(octets.count)) bytes)"
    }
}

/// Colours text for a terminal, or leaves it unchanged.
struct Paint {
    enum Color: Int {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
        case cyan = 36
    }

    let isColored: Bool

    func callAsFunction(_ text: String, _ color: Color) -> String {
        isColored ? "\u{1b}[\(color.rawValue)m\(text)\u{1b}[0m" : text
    }

    /// Colours the text, and pads it with blanks to a width.
    func callAsFunction(_ text: String, _ color: Color, to width: Int) -> String {
        self(text, color) + TextLayout.padding(text, to: width)
    }
}

extension Paint.Color {
    init(_ verdict: Verdict) {
        switch verdict {
        case .valid: self = .green
        case .invalid: self = .red
        case .unreadable: self = .yellow
        }
    }

    init(_ severity: Severity) {
        switch severity {
        case .critical, .high: self = .red
        case .medium: self = .yellow
        case .low, .info: self = .dim
        }
    }
}

/// Splits our own sentences, with names in backticks.
enum Prose {
    /// Returns the text in pieces, in order; an unpaired backtick is unchanged.
    static func pieces(_ text: String) -> [(text: String, isCode: Bool)] {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map { String($0) }
        guard parts.count % 2 == 1 else { return [(text: text, isCode: false)] }
        return parts.enumerated().map { (text: $1, isCode: $0 % 2 == 1) }.filter { !$0.text.isEmpty }
    }
}

/// Returns a number with thousands separators: `1,000,000`.
func grouped(_ number: Int) -> String { number.grouped }
