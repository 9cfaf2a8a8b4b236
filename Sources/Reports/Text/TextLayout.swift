import Encodings

/// Lays out plain text in columns for people.
enum TextLayout {
    /// No line is longer, unless a word is: wide enough for a reason, narrow enough for half a screen.
    static let width = 100

    /// The text, padded with blanks to a width.
    static func padded(_ text: String, to width: Int) -> String { text + padding(text, to: width) }

    /// The text at the right end of a width.
    static func right(_ text: String, to width: Int) -> String { padding(text, to: width) + text }

    /// The blanks that a text lacks to a width.
    static func padding(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count))
    }

    /// The text in lines that fit behind an indentation, broken at blanks.
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

    /// A label and a text beside it, which may take several lines.
    static func field(_ label: String, _ text: String, indentation: Int = 2, labelWidth: Int = 14) -> [String] {
        let start = indentation + labelWidth
        let blank = String(repeating: " ", count: start)
        return wrapped(text, indentation: start).enumerated().map { index, line in
            index == 0
                ? String(repeating: " ", count: indentation) + padded(label, to: labelWidth) + line : blank + line
        }
    }

    static func safe(_ text: ExactText, limit: Int = 400) -> String { safe(text.text, limit: limit) }

    /// An untrusted text, safe for a terminal, and cut to a length that a person can read.
    static func safe(_ text: String, limit: Int = 400) -> String {
        let count = text.unicodeScalars.count
        guard count > limit else { return TerminalText.escaped(text) }
        return TerminalText.escaped(text.start(limit)) + "… (\(grouped(count)) characters)"
    }

    /// Octets in hex: all of them up to 32, else the first 16 and how many there are.
    static func octets(_ octets: [UInt8]) -> String {
        guard octets.count > 32 else { return Hex.string(octets.span) }
        let start = Array(octets.prefix(16))
        return Hex.string(start.span) + "… (\(grouped(octets.count)) bytes)"
    }
}
