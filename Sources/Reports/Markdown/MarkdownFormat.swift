import Encodings
import Files
import Rules

/// Writes `--report out.md`: a page of GitHub-flavoured Markdown.
enum MarkdownFormat: DocumentFormat {
    typealias Row = MarkdownRow
    static let name = "md"

    static func parts(of document: ReportDocument) -> (before: String, after: String) {
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
        lines += chapter("Entities", document.entitySections)
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
        if let command = document.command(format: name) {
            // Indented code ends with its line, and nothing in a command of one line can end it earlier.
            lines += ["    " + command, ""]
        }
        if let run = document.runSection { lines += MarkdownTable.lines(run) }
        return lines
    }
}

extension MarkdownFormat {
    /// Returns the findings by rule, the worst first, with what to do.
    private static func findings(_ document: ReportDocument) -> [String] {
        var lines = ["## Findings", ""]
        if let section = document.overview {
            lines += MarkdownTable.lines(section)
        } else {
            lines += ["None.", ""]
        }
        if let note = document.findingsNote { lines += [MarkdownText.sentences(note), ""] }
        for section in document.findingSections {
            lines += ["### " + MarkdownText.prose(section.title), ""] + MarkdownTable.lines(section)
        }
        for group in document.findings.groups { lines += self.group(group, withChange: document.withChange) }
        let resolved = document.findings.resolved
        if resolved.count > 0 {
            lines += ["### No longer found", "", "Findings of the earlier report that this run did not make.", ""]
            lines += MarkdownTable.lines(
                [("severity", false), ("rule", false), ("subject", false), ("first seen", false)],
                resolved.rows.map {
                    [$0.severity.code, MarkdownText.code($0.rule), MarkdownText.code($0.subject), $0.firstSeen]
                })
            lines += omission(resolved)
        }
        return lines
    }

    private static func group(_ group: FindingGroup, withChange: Bool) -> [String] {
        let counts = group.severities.map { "\(grouped($0.count)) \($0.severity.code)" }.joined(separator: ", ")
        let title = group.documentation.map { MarkdownText.prose($0.title) } ?? MarkdownText.code(group.visibleRule)
        var lines = ["### \(title) (\(counts))", ""]
        if let rule = group.documentation {
            lines += [
                "Rule \(MarkdownText.code(rule.id.text)): raised when \(MarkdownText.sentences(rule.raisedWhen)).", "",
            ]
            lines += ["- **Why it matters.** " + MarkdownText.sentences(rule.why)]
            lines += ["- **What to do.** " + MarkdownText.sentences(rule.whatToDo)]
            lines += ["- **When it is wrong.** " + MarkdownText.sentences(rule.whenWrong), ""]
        }
        lines += MarkdownTable.lines(columns(withChange: withChange), group.rows.map { cells($0, withChange) })
        return lines + omission(group)
    }

    private static func columns(withChange: Bool) -> [(name: String, isNumeric: Bool)] {
        [("severity", false)] + (withChange ? [("change", false), ("first seen", false)] : [])
            + [
                ("subject", false), ("evidence", false), ("claims", true), ("devices", true), ("accounts", true),
                ("sources", false),
            ]
    }

    private static func cells(_ line: FindingLine, _ withChange: Bool) -> [String] {
        [line.severity.code] + (withChange ? [line.change, line.firstSeen] : [])
            + [MarkdownText.code(line.subject), MarkdownText.code(line.evidence)] + line.counts.map(grouped)
            + [line.sources.map(MarkdownText.code).joined(separator: " ")]
    }

    private static func omission(_ group: FindingGroup) -> [String] {
        group.omissionNote.map { ["… " + MarkdownText.sentences($0) + ".", ""] } ?? []
    }
}

/// Writes the cells of rows of a table in GitHub-flavoured Markdown.
struct MarkdownRow: RowBuffer {
    private(set) var bytes: [UInt8]
    private var column: Int

    init(_ columns: [String] = [], from column: Int = 0, appendingTo bytes: consuming [UInt8] = []) {
        self.bytes = bytes
        self.column = column
    }

    mutating func takeBytes() -> [UInt8] { bytes.take() }

    mutating func endRow() {
        bytes.append(0x0a)
        column = 0
    }

    mutating func text(_ text: String) { cell(MarkdownText.code(TextLayout.safe(text, limit: CellView.maxLength))) }
    mutating func code(_ code: String) { cell(MarkdownText.prose(code)) }
    mutating func hex(_ digits: Span<UInt8>) { cell("`" + Hex.string(digits) + "`") }
    mutating func number(_ number: Int) { cell(grouped(number)) }
    mutating func date(_ date: Instant) { cell(date.description) }
    mutating func empty() { cell("") }

    private mutating func cell(_ markdown: String) {
        if column == 0 { bytes.append(UInt8(ascii: "|")) }
        column += 1
        if !markdown.isEmpty { bytes.append(0x20) }
        bytes.append(contentsOf: markdown.utf8)
        bytes.append(contentsOf: " |".utf8)
    }
}
