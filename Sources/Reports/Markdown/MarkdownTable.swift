/// A table in GitHub-flavoured Markdown.
enum MarkdownTable {
    /// - Parameters:
    ///   - columns: our words, and whether what stands below is numbers.
    ///   - rows: cells that are Markdown already.
    static func lines(_ columns: [(name: String, isNumeric: Bool)], _ rows: [[String]]) -> [String] {
        guard !rows.isEmpty else { return [] }
        return head(columns) + rows.map(line) + [""]
    }

    /// What stands before the rows.
    static func head(_ columns: [(name: String, isNumeric: Bool)]) -> [String] {
        [
            line(columns.map { MarkdownText.prose($0.name) }),
            "|" + columns.map { $0.isNumeric ? "--:|" : "---|" }.joined(),
        ]
    }

    /// A section of the summary: what it means, then its rows.
    static func lines(_ section: Summary.Section) -> [String] {
        var lines: [String] = []
        if !section.explanation.isEmpty { lines += [MarkdownText.sentences(section.explanation), ""] }
        if !section.terms.isEmpty {
            lines +=
                section.terms.map {
                    "- **\(MarkdownText.prose($0.name.replacing("_", with: " ")))**: \(MarkdownText.sentences($0.meaning))"
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

    private static func line(_ cells: [String]) -> String {
        "|" + cells.map { $0.isEmpty ? " |" : " " + $0 + " |" }.joined()
    }
}
