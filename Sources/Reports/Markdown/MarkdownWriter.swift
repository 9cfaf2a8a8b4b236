/// `--report out.md`: the report as a page of GitHub-flavoured Markdown.
enum MarkdownWriter: DocumentWriter {
    static func text(of document: ReportDocument) -> String {
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
        if document.hasFigures {
            lines += chapter("Subscriptions", document.subscriptionSections)
            lines += chapter("Figures", document.figureSections)
        }
        if let skipped = document.summary["skipped"] { lines += ["## Skipped", ""] + MarkdownTable.lines(skipped) }
        lines += repetition(document)
        while lines.last == "" { lines.removeLast() }
        return lines.map { $0 + "\n" }.joined()
    }

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
