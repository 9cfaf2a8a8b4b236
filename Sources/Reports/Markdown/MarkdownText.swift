import Encodings

/// Escapes text in GitHub-flavoured Markdown.
enum MarkdownText {
    /// Escapes our own words with backslashes.
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

    /// Escapes our own sentences, with names in backticks.
    static func sentences(_ text: String) -> String {
        Prose.pieces(text).map { $0.isCode ? code($0.text) : prose($0.text) }.joined()
    }

    /// Escapes untrusted text, always as code: GitHub finds no links, mentions, issues, emoji or formulas there.
    ///
    /// Text with any special character becomes an element, and the character a number: it can end neither the element
    /// nor the cell of a table.
    static func code(_ text: String) -> String {
        let text = TerminalText.escaped(text)
        guard !text.isEmpty else { return "" }
        if isPlain(text) { return "`" + text + "`" }
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            // The comment prevents the text before the sign from being read as the name of a mail address.
            case "@": escaped.append(contentsOf: ("<!-- -->" + entity(scalar)).unicodeScalars)
            case _ where isSafe(scalar): escaped.append(scalar)
            default: escaped.append(contentsOf: entity(scalar).unicodeScalars)
            }
        }
        return "<code>" + String(escaped) + "</code>"
    }

    /// Returns whether it can be a code span: no character is special even outside one, except the underscore.
    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { isSafe($0) || $0 == "_" || $0 == ":" || $0 == "." }
            && !text.contains("://") && !text.lowercased().contains("www.") && text.first != " " && text.last != " "
    }

    /// Returns whether it is a letter, a digit, or punctuation that is not special in any dialect.
    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", " ", "-", "/", ",", ";", "(", ")", "+", "=", "%", "?": true
        default: scalar.value > 0x9f && scalar.properties.generalCategory != .format
        }
    }

    private static func entity(_ scalar: Unicode.Scalar) -> String { "&#\(scalar.value);" }
}

/// Writes tables in GitHub-flavoured Markdown.
enum MarkdownTable {
    /// - Parameters:
    ///   - columns: the names of columns, and whether their cells are numbers.
    ///   - rows: cells in Markdown.
    static func lines(_ columns: [(name: String, isNumeric: Bool)], _ rows: [[String]]) -> [String] {
        guard !rows.isEmpty else { return [] }
        return head(columns) + rows.map(line) + [""]
    }

    /// Returns the lines before the rows.
    static func head(_ columns: [(name: String, isNumeric: Bool)]) -> [String] {
        head(columns.map { MarkdownText.prose($0.name) }, isNumeric: columns.map(\.isNumeric))
    }

    /// - Parameter names: the names of columns in Markdown.
    static func head(_ names: [String], isNumeric: [Bool]) -> [String] {
        [line(names), "|" + isNumeric.map { $0 ? "--:|" : "---|" }.joined()]
    }

    /// Returns a section of the summary: its explanation, then its rows.
    static func lines(_ section: Summary.Section) -> [String] {
        var lines: [String] = []
        if !section.explanation.isEmpty { lines += [MarkdownText.sentences(section.explanation), ""] }
        if !section.terms.isEmpty {
            lines +=
                section.terms.map { term in
                    let name = MarkdownText.prose(term.name.replacing("_", with: " "))
                    return "- **\(name)**: \(MarkdownText.sentences(term.meaning))"
                } + [""]
        }
        let columns = section.columns.indices.map {
            (name: section.columns[$0].replacing("_", with: " "), isNumeric: section.isNumeric($0))
        }
        lines += self.lines(columns, section.shownRows.map { $0.map(cell) })
        if let note = section.omissionNote { lines += ["… " + MarkdownText.prose(note) + ".", ""] }
        return lines
    }

    static func cell(_ cell: Summary.Cell) -> String {
        if case .text = cell { MarkdownText.code(cell.visibleText) } else { MarkdownText.prose(cell.visibleText) }
    }

    static func line(_ cells: [String]) -> String {
        "|" + cells.map { $0.isEmpty ? " |" : " " + $0 + " |" }.joined()
    }
}
