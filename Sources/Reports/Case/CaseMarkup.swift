import Encodings
import SQLite

/// The HTML building blocks of a case file. They escape every text.
enum CaseMarkup {
    static func text(_ text: String) -> String { HTMLText.escaped(text) }

    /// Returns a date without line breaks.
    static func date(_ text: String) -> String { text.isEmpty ? "" : "<time>\(HTMLText.escaped(text))</time>" }

    /// Returns untrusted text, which may break anywhere.
    static func code(_ text: String) -> String { text.isEmpty ? "" : "<code>\(HTMLText.escaped(text))</code>" }

    /// - Parameter severity: one of our words; any other has no colour.
    static func badge(_ severity: String) -> String { "<strong class=\"mark\">\(HTMLText.escaped(severity))</strong>" }

    static func paragraph(_ text: String, style: String = "") -> String {
        "<p\(style.isEmpty ? "" : " class=\"\(style)\"")>\(HTMLText.escaped(text))</p>\n"
    }

    /// Returns our own sentences, with names in backticks, after a bold start.
    static func prose(_ start: String, _ text: String, style: String) -> String {
        let bold = start.replacing("**", with: "").trimmed
        return "<p class=\"\(style)\"><strong>\(HTMLText.escaped(bold))</strong> \(sentences(text))</p>\n"
    }

    /// Returns our own sentences as a list.
    static func list(_ items: [String]) -> String {
        items.isEmpty ? "" : "<ul>\n\(items.map { "<li>\(sentences($0))</li>\n" }.joined())</ul>\n"
    }

    private static func sentences(_ text: String) -> String {
        Prose.pieces(text).map { $0.isCode ? code($0.text) : HTMLText.escaped($0.text) }.joined()
    }

    /// - Parameter id: the section's anchor, which takes the focus.
    static func section(_ title: String, _ content: String, id: String = "") -> String {
        "<section\(id.isEmpty ? "" : " id=\"\(id)\" tabindex=\"-1\"")>\n<h2>\(HTMLText.escaped(title))</h2>\n\(content)</section>\n"
    }

    /// - Parameter rows: cells in HTML.
    static func table(_ columns: [String], _ rows: [[String]]) -> String {
        let head = columns.map { "<th scope=\"col\">\(HTMLText.escaped($0))</th>" }.joined()
        // On a phone each cell is a line with its name.
        let body = rows.map { row in
            "<tr>" + zip(columns, row).map { "<td data-name=\"\(HTMLText.escaped($0))\">\($1)</td>" }.joined()
                + "</tr>\n"
        }.joined()
        return "<table>\n<thead><tr>\(head)</tr></thead>\n<tbody>\n\(body)</tbody>\n</table>\n"
    }

    /// Returns a note about what a list leaves out, and where it is.
    static func more(_ list: ShownSubject.List, of subject: ShownSubject) -> String {
        let omitted = list.total - list.rows.count
        guard omitted > 0 else { return "" }
        return paragraph(
            "Left out here: \(grouped(omitted)) of \(grouped(list.total)) \(list.name). They are in the tables of the "
                + "report, which docs/analysis.md shows how to query.", style: "more")
    }
}

/// The cells of rows by column, as text for people: truncated, with hidden characters shown.
struct CaseCells {
    private let limit: Int

    init(shownAtMost limit: Int) { self.limit = limit }

    subscript(row: DatabaseReader.Row, column: String) -> String {
        row.first { $0.column == column }.flatMap { text($0.value) } ?? ""
    }

    /// Returns the text of a cell; `nil` if it is empty.
    func text(_ value: DatabaseReader.Value) -> String? {
        switch value {
        case .null: nil
        case .number(let number): grouped(Int(clamping: number))
        case .real(let number): ShownText.decimal(number)
        case .text(let text): text.isEmpty ? nil : TextLayout.safe(text, limit: limit)
        }
    }
}
