import Encodings
import Rules

/// A page of Markdown with everything in short, never longer than ``MarkdownFormat/maxBytes``.
///
/// Each part has a maximum size. Long parts are folded, and whatever does not fit is counted.
struct MarkdownOverview {
    private let document: ReportDocument
    private var lines: [String] = []
    /// The number of bytes left.
    private var left = MarkdownFormat.maxBytes

    static func text(of document: ReportDocument) throws -> String {
        var page = MarkdownOverview(document: document)
        let end = page.repetition()
        page.left -= size(end) + size(page.more)
        try page.write()
        return MarkdownFormat.text(page.lines + page.more + end)
    }

    private init(document: ReportDocument) { self.document = document }

    private static func size(_ lines: [String]) -> Int { lines.reduce(0) { $0 + $1.utf8.count + 1 } }

    /// The places where the rest is.
    private let more = [
        "All rows are in other reports of the same run: `--report report.html`, `report.xlsx`, `report.sqlite`, or "
            + "`--report fraud=FILE.csv`.", "",
    ]

    /// Adds lines if they fit.
    @discardableResult
    private mutating func add(_ lines: [String], max: Int = .max) -> Bool {
        let size = Self.size(lines)
        guard size <= min(max, left) else { return false }
        left -= size
        self.lines += lines
        return true
    }

    /// Adds a table between other lines, with as many rows as fit into a number of bytes.
    ///
    /// - Parameters:
    ///   - count: the total number of things.
    ///   - weights: the number of things in each row; one by default.
    private mutating func addTable(
        _ before: [String], _ table: [String], count: Int, max: Int, title: String? = nil, weights: [Int] = []
    ) {
        let (head, rows) = (Array(table.prefix(2)), table.dropFirst(2).filter { !$0.isEmpty })
        guard !rows.isEmpty else { return }
        let fold = title.map { ["<details>", "<summary>\(HTMLText.escaped($0))</summary>", ""] } ?? []
        let end = title == nil ? [] : ["</details>", ""]
        var space = min(max, left) - Self.size(before + fold + head + end) - 40
        var shown: [String] = []
        for row in rows {
            space -= row.utf8.count + 1
            guard space >= 0 else { break }
            shown.append(row)
        }
        let omitted = count - (weights.isEmpty ? shown.count : weights.prefix(shown.count).reduce(0, +))
        let note = omitted > 0 ? ["… and \(grouped(omitted)) more.", ""] : []
        add(before + fold + (shown.isEmpty ? [] : head + shown + [""]) + note + end)
    }

    /// Adds customers who paid and got nothing, and refund requests from Apple.
    private mutating func support() {
        let counts = [
            "refund_requests": document.support.requestCount, "unclaimed": document.support.unclaimedCount,
        ]
        for section in document.supportSections {
            let table = MarkdownTable.lines(section)
            let start = table.firstIndex { $0.hasPrefix("|") } ?? table.endIndex
            addTable(
                ["## " + section.title, ""] + table[..<start], Array(table[start...]), count: counts[section.id] ?? 0,
                max: 6000)
        }
    }

    private mutating func write() throws {
        if !add(MarkdownFormat.heading(document), max: 3000) { add(["# " + MarkdownText.prose(document.title), ""]) }
        add(["## At a glance", "", MarkdownText.prose(document.verdict.joined(separator: " ")), ""], max: 2000)
        if let classes = document.classes { add(MarkdownTable.lines(classes), max: 1000) }
        let groups = try document.report.queue(QueueLimits(max: 100, share: 3))
        try news()
        entities()
        support()
        for section in document.completenessSections() { fold(section, max: 4000) }
        if document.findings.count > 0 {
            let table = try MarkdownFormat.rules(document, apps: 4)
            let explanation =
                "Findings of each rule, in total and for the apps with the most. `audit rules` explains each."
            addTable(
                ["## Rules and apps", "", explanation, ""], table, count: document.findings.byRule.count, max: 8000)
        } else {
            add(["## Findings", "", "None.", ""])
        }
        if let section = try document.appTotals() { fold(section, max: 3000) }
        if let section = document.falseAlarms { fold(section, max: 3000) }
        if let section = document.presented { fold(section, max: 3000) }
        if !groups.isEmpty {
            let severe = document.findings.byRule.reduce(0) { $0 + $1.count(of: .critical) + $1.count(of: .high) }
            let note =
                "This page is short: of \(counted(severe, "high or critical finding", grouped)) it has some. What is not "
                + "here is not cleared: `audit show REPORT.sqlite SUBJECT`."
            addTable(
                ["## Findings", "", ReportDocument.queueExplanation + " " + note, ""],
                MarkdownTable.lines(
                    MarkdownFormat.queueColumns(withChange: document.withChange),
                    groups.map { MarkdownFormat.queueCells($0, document.withChange) }),
                count: document.findings.openCount, max: 12_000, title: "The most urgent",
                weights: groups.map(\.count))
        }
        add(document.findingSections.flatMap(MarkdownFormat.section), max: 4000)
        decisions()
        try claims()
        figures("Subscriptions", document.subscriptionSections)
        figures("Figures", document.figureSections)
        if let skipped = document.summary["skipped"],
            !add(["## Skipped", ""] + MarkdownTable.lines(skipped), max: 2500)
        {
            add(["## Skipped", "", "See `--report summary=FILE.csv`.", ""])
        }
    }

    /// Adds the decisions, by whom, and how often they confirmed a rule.
    private mutating func decisions() {
        if let section = document.decided.section(20) {
            addTable(
                ["### Decisions", "", MarkdownText.sentences(section.explanation), ""],
                MarkdownTable.lines(columns(of: section), section.rows.map { $0.map(MarkdownTable.cell) }),
                count: document.decided.count, max: 5000)
        }
        for section in document.ruleQualitySections { fold(section, max: 4000) }
    }

    /// Adds new, reopened and resolved findings.
    private mutating func news() throws {
        guard document.withChange else { return }
        let new = try document.report.newSinceLast(20)
        let columns = MarkdownFormat.queueColumns(withChange: true)
        if new.isEmpty {
            add(["## New", "", document.findings.noNewsText + ".", ""])
        } else {
            let rows = new.map { MarkdownFormat.queueCells($0, true) }
            addTable(
                ["## New", ""], MarkdownTable.lines(columns, rows),
                count: document.findings.newsCount, max: 9000,
                weights: new.map(\.count))
        }
        add(MarkdownFormat.resolved(document, max: 10), max: 3000)
    }

    private mutating func entities() {
        let section = document.entities.section(20)
        guard !section.rows.isEmpty else { return }
        let explanation = MarkdownText.sentences(section.explanation)
        let table = MarkdownTable.lines(columns(of: section), section.rows.map { $0.map(MarkdownTable.cell) })
        addTable(["## Entities", "", explanation, ""], table, count: section.rows.count, max: 12_000)
    }

    /// Adds the worst claims, but no valid ones without findings.
    private mutating func claims() throws {
        guard let claims = document.claimCounts, claims.classes.notClean > 0 else { return }
        let rows = try document.report.worstClaims(20).prefix(30).map { claim in
            [MarkdownText.code(claim.source), claim.verdict, claim.risk]
                + [claim.failedChecks, claim.rules].map { MarkdownText.prose($0.replacing(";", with: ", ")) }
                + [claim.account, claim.device].map(MarkdownText.code)
        }
        let names = ["source", "verdict", "risk", "failed checks", "rules", "account", "device"]
        let table = MarkdownTable.lines(names.map { (name: $0, isNumeric: false) }, Array(rows))
        addTable(
            ["## Claims", "", "Those with findings or failures, the worst first.", ""], table,
            count: claims.classes.notClean, max: 7000, title: "The worst")
    }

    private func columns(of section: Summary.Section) -> [(name: String, isNumeric: Bool)] {
        section.columns.indices.map {
            (name: section.columns[$0].replacing("_", with: " "), isNumeric: section.isNumeric($0))
        }
    }

    private mutating func fold(_ section: Summary.Section, max: Int) {
        let lines = ["<details>", "<summary>\(HTMLText.escaped(section.title))</summary>", ""]
        add(lines + MarkdownTable.lines(section) + ["</details>", ""], max: max)
    }

    /// Adds as many folded sections as fit.
    private mutating func figures(_ title: String, _ sections: [Summary.Section]) {
        guard !sections.isEmpty else { return }
        let end = ["</details>", ""]
        let reserve = Self.size(end) + 200
        guard
            add([
                "## " + title, "", "<details>", "<summary>\(counted(sections.count, "table"))</summary>", "",
            ])
        else { return }
        left -= reserve
        var omitted = 0
        for section in sections where !add(MarkdownFormat.section(section), max: 6000) { omitted += 1 }
        left += reserve
        if omitted > 0 {
            add(["… and \(counted(omitted, "longer table")): see `--report summary=FILE.csv`.", ""])
        }
        add(end)
    }

    /// Returns the command and its inputs, unless they are too long.
    private func repetition() -> [String] {
        let whole = MarkdownFormat.repetition(document)
        guard Self.size(whole) > 8000 else { return whole }
        return [
            "## How to repeat this run", "",
            "The command and its inputs are too long for this page: the section `run` of "
                + "`--report summary=FILE.csv` has them.",
        ]
    }
}
