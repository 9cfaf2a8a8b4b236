/// `--report out.md`: the report as a page of GitHub-flavoured Markdown.
enum MarkdownWriter: DocumentWriter {
    typealias Row = MarkdownRow
    static let format = ReportFormat.md

    static func parts(of document: ReportDocument) -> (before: String, behind: String) {
        var lines = ["# " + MarkdownText.prose(document.title), ""]
        if !document.inputs.isEmpty {
            let inputs = document.inputs.prefix(20).map(MarkdownText.code).joined(separator: ", ")
            let more = document.inputs.count - 20
            lines += ["Audited: \(inputs)\(more > 0 ? " and \(grouped(more)) more" : "").", ""]
        }
        lines += ["## At a glance", "", MarkdownText.prose(document.verdict.joined(separator: " ")), ""]
        for id in ["verdicts", "severities"] {
            if let section = document.summary[id] { lines += MarkdownTable.lines(section) }
        }
        if document.hasFindings { lines += findings(document) }
        if document.hasSubscriptions { lines += chapter("Subscriptions", document.subscriptionSections) }
        if document.hasFigures { lines += chapter("Figures", document.figureSections) }
        var rest: [String] = []
        if document.hasReceipts {
            lines += ["## Receipts", "", MarkdownText.prose(ReportDocument.receiptsExplanation), ""]
            lines += MarkdownTable.head(ReportDocument.receiptsColumns)
            rest = [""]
            if let note = document.receiptsNote { rest += ["… " + MarkdownText.sentences(note) + ".", ""] }
        }
        if let skipped = document.summary["skipped"] { rest += ["## Skipped", ""] + MarkdownTable.lines(skipped) }
        rest += repetition(document)
        while rest.last == "" { rest.removeLast() }
        return (text(lines), text(rest))
    }

    private static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    private static func chapter(_ title: String, _ sections: [Summary.Section]) -> [String] {
        guard !sections.isEmpty else { return [] }
        return ["## " + title, ""]
            + sections.flatMap { ["### " + MarkdownText.prose($0.title), ""] + MarkdownTable.lines($0) }
    }

    private static func repetition(_ document: ReportDocument) -> [String] {
        var lines = ["## How to repeat this run", ""]
        if let command = document.command(format: .md) {
            // Indented code ends with its line, and a command has one line: nothing in it can end it earlier.
            lines += ["    " + command, ""]
        }
        if let run = document.runSection { lines += MarkdownTable.lines(run) }
        return lines
    }
}
