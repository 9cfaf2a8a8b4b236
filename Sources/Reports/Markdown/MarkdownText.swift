import Encodings

/// Text in GitHub-flavoured Markdown.
enum MarkdownText {
    /// Words of ours: what would be markup stands behind a backslash.
    static func prose(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in TerminalText.escaped(text).unicodeScalars {
            switch scalar {
            case "&", "<", ">", "@": escaped.append(contentsOf: entity(scalar).unicodeScalars)
            case "\\", "`", "*", "_", "[", "]", "~", "#", "|", "!", "$", "^", "{", "}":
                escaped.append("\\")
                escaped.append(scalar)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    /// Sentences of ours, in which names stand between backticks.
    static func sentences(_ text: String) -> String {
        Prose.pieces(text).map { $0.isCode ? code($0.text) : prose($0.text) }.joined()
    }

    /// A stranger's text, always as code: there GitHub looks for no links, mentions, issues, emoji or formulas.
    ///
    /// Text that holds anything with a meaning goes into an element, every such character as a number: whatever
    /// stands in it, it can end neither the element nor the cell of a table.
    static func code(_ text: String) -> String {
        let text = TerminalText.escaped(text)
        guard !text.isEmpty else { return "" }
        if isPlain(text) { return "`" + text + "`" }
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            // The comment keeps what stands before the sign from being read as the name of a mail address.
            case "@": escaped.append(contentsOf: ("<!-- -->" + entity(scalar)).unicodeScalars)
            case _ where isSafe(scalar): escaped.append(scalar)
            default: escaped.append(contentsOf: entity(scalar).unicodeScalars)
            }
        }
        return "<code>" + String(escaped) + "</code>"
    }

    /// Whether it may stand in a code span: nothing in it has a meaning even outside one, but for the underline.
    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { isSafe($0) || $0 == "_" || $0 == ":" || $0 == "." }
            && !text.contains("://") && !text.lowercased().contains("www.") && text.first != " " && text.last != " "
    }

    /// Letters, digits and the punctuation that no dialect gives a meaning to within a line.
    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", " ", "-", "/", ",", ";", "(", ")", "+", "=", "%", "?": true
        default: scalar.value > 0x9f && scalar.properties.generalCategory != .format
        }
    }

    private static func entity(_ scalar: Unicode.Scalar) -> String { "&#\(scalar.value);" }
}
