import Encodings
import Files
import Rules

/// Writes `--report out.md`: a page of GitHub-flavoured Markdown.
///
/// A full page is at most ``maxBytes`` long for any run, because GitHub limits the length of comments.
enum MarkdownFormat: DocumentFormat {
    typealias Row = MarkdownRow
    static let name = "md"

    /// The maximum length of a full page, in bytes.
    static let maxBytes = 60_000

    static func write(_ document: ReportDocument, to page: PageWriter) throws {
        if document.table == nil { return try page.write(MarkdownOverview.text(of: document)) }
        var lines = heading(document)
        lines += ["## At a glance", "", MarkdownText.prose(document.verdict.joined(separator: " ")), ""]
        for id in ["verdicts", "severities"] {
            if let section = document.summary[id] { lines += MarkdownTable.lines(section) }
        }
        if document.hasFindings { lines += try findings(document) }
        lines += chapter("Entities", document.entitySections)
        lines += chapter("Support", document.supportSections)
        lines += chapter("Completeness", document.completenessSections())
        lines += chapter("Reviews by rule", document.ruleQualitySections)
        if document.hasSubscriptions { lines += chapter("Subscriptions", document.subscriptionSections) }
        if document.hasFigures { lines += chapter("Figures", document.figureSections) }
        var rest: [String] = []
        if document.hasReceipts {
            lines += ["## Receipts", "", MarkdownText.prose(ReportDocument.receiptsExplanation), ""]
            lines += MarkdownTable.head(ReportDocument.receiptsColumns)
            try page.write(text(lines))
            try page.writeReceipts(of: document.report, as: MarkdownFormat.self)
            lines = []
            rest = [""]
        }
        if let skipped = document.summary["skipped"] { rest += ["## Skipped", ""] + MarkdownTable.lines(skipped) }
        rest += repetition(document)
        try page.write(text(lines + rest))
    }

    /// Returns the lines without empty ones at the end.
    static func text(_ lines: [String], isLast: Bool = false) -> String {
        var lines = lines
        while isLast, lines.last == "" { lines.removeLast() }
        return lines.map { $0 + "\n" }.joined()
    }

    static func heading(_ document: ReportDocument) -> [String] {
        var lines = ["# " + MarkdownText.prose(document.title), ""]
        if !document.inputs.isEmpty {
            let inputs = document.inputs.prefix(20).map(MarkdownText.code).joined(separator: ", ")
            let more = document.inputs.count - 20
            lines += ["Audited: \(inputs)\(more > 0 ? " and \(grouped(more)) more" : "").", ""]
        }
        return lines
    }

    private static func chapter(_ title: String, _ sections: [Summary.Section]) -> [String] {
        sections.isEmpty ? [] : ["## " + title, ""] + sections.flatMap(Self.section)
    }

    static func section(_ section: Summary.Section) -> [String] {
        ["### " + MarkdownText.prose(section.title), ""] + MarkdownTable.lines(section)
    }

    static func repetition(_ document: ReportDocument) -> [String] {
        var lines = ["## How to repeat this run", ""]
        if let command = document.command(format: name) {
            // Indented code ends with its line, and a one-line command cannot end it earlier.
            lines += ["    " + command, ""]
        }
        if let run = document.runSection { lines += MarkdownTable.lines(run) }
        while lines.last == "" { lines.removeLast() }
        return lines
    }
}

extension MarkdownFormat {
    /// Returns the queue, and the documentation of its rules.
    private static func findings(_ document: ReportDocument) throws -> [String] {
        var lines = ["## Findings", ""]
        let groups = try document.report.queue()
        if groups.isEmpty { lines += [MarkdownText.prose(document.findings.noneText), ""] }
        if document.findings.count > 0 { lines += try rules(document, apps: 4) }
        for section in document.findingSections { lines += Self.section(section) }
        if let decisions = document.decided.section(100) { lines += Self.section(decisions) }
        if !groups.isEmpty { lines += ["### The queue", "", ReportDocument.queueExplanation, ""] }
        if let note = document.queueNote(groups) { lines += [MarkdownText.sentences(note), ""] }
        lines += MarkdownTable.lines(
            queueColumns(withChange: document.withChange), groups.map { queueCells($0, document.withChange) })
        lines += resolved(document, max: .max)
        for rule in document.findings.byRule {
            guard let text = rule.documentation else { continue }
            lines += ["<details>", "<summary>" + HTMLText.escaped(text.title) + "</summary>", ""]
            lines += [
                "Rule \(MarkdownText.code(text.id.text)): raised when \(MarkdownText.sentences(text.raisedWhen)).", "",
            ]
            lines += text.details.map { "- " + MarkdownText.sentences($0) }
            lines += ["- **Why it matters.** " + MarkdownText.sentences(text.why)]
            lines += ["- **What to do.** " + MarkdownText.sentences(text.whatToDo)]
            lines += ["- **When it is wrong.** " + MarkdownText.sentences(text.whenWrong)]
            if let quality = document.quality(of: rule.rule) {
                lines += ["- **How often it was right.** " + MarkdownText.prose(quality)]
            }
            lines += ["", "</details>", ""]
        }
        return lines
    }

    /// Returns the findings by rule and app.
    static func rules(_ document: ReportDocument, apps: Int) throws -> [String] {
        let table = try document.appRules(apps)
        let names = table.columns.map(MarkdownTable.cell)
        let numeric = table.columns.indices.map { $0 > 0 }
        return MarkdownTable.head(names, isNumeric: numeric)
            + table.rows.map { MarkdownTable.line($0.map(MarkdownTable.cell)) } + [""]
    }

    /// Returns the findings of an earlier run that this one did not make.
    static func resolved(_ document: ReportDocument, max: Int) -> [String] {
        guard document.findings.resolvedCount > 0 else { return [] }
        let rows = document.resolved.prefix(max)
        var lines = [
            "### No longer found", "",
            "Earlier findings that this run did not make, although it has claims of their subjects.", "",
        ]
        lines += MarkdownTable.lines(
            [("severity", false), ("rule", false), ("subject", false), ("first seen", false)],
            rows.map {
                [$0.severity.code, MarkdownText.code($0.rule), MarkdownText.code($0.subject), $0.firstSeen]
            })
        let more = document.findings.resolvedCount - rows.count
        if more > 0 { lines += ["… and \(grouped(more)) more: all are in `--report fraud=FILE.csv`.", ""] }
        return lines
    }

    static func queueColumns(withChange: Bool) -> [(name: String, isNumeric: Bool)] {
        [("severity", false), ("rule", false)] + (withChange ? [("change", false), ("first seen", false)] : [])
            + [
                ("subject", false), ("evidence", false), ("claims", true), ("devices", true), ("accounts", true),
                ("at stake", true), ("last presented", false), ("confidence", false), ("status", false),
            ]
    }

    private static func presenter(of line: QueuedFinding) -> String {
        line.presenter.isEmpty ? "" : " (" + MarkdownText.code(line.presenter) + ")"
    }

    /// Returns the cells of a group: its first finding, and the number of others with the same text.
    static func queueCells(_ group: FindingGroup, _ withChange: Bool) -> [String] {
        let line = group.lines[0]
        let more = group.count > 1 ? " and \(grouped(group.count - 1)) more" : ""
        return [line.severity.code, MarkdownText.code(line.rule)] + (withChange ? [line.change, line.firstSeen] : [])
            + [MarkdownText.code(line.subject) + Self.presenter(of: line) + more, MarkdownText.code(line.evidence)]
            + line.counts.map(grouped)
            + [MarkdownTable.cell(line.atStake), line.lastPresented, line.confidence, line.status]
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
