/// What a report for people says, in the order in which it is read. Formats differ only in how they write it.
struct ReportDocument {
    let table: ReportRequest.Table?
    let summary: Summary
    let findings: FindingGroups
    let withChange: Bool
    /// How many rows of the table `receipts` the page has.
    var shownReceipts = 0

    /// A page that holds everything has so many, the first ones; one that is about receipts has all.
    static let maxReceipts = 1000

    var hasFindings: Bool { table == nil || table == .fraud }
    var hasSubscriptions: Bool { table != .fraud && table != .receipts }
    var hasFigures: Bool { table == nil || table == .summary }
    var hasReceipts: Bool { (table == nil || table == .receipts) && shownReceipts > 0 }

    var title: String { "Receipt audit as of " + asOf }

    /// The as-of date, with its time unless that is midnight.
    private var asOf: String {
        let text = summary["run"].flatMap { Self.values("as of", in: $0).first?.plainText } ?? "an unknown date"
        return text.hasSuffix("T00:00:00Z") ? String(text.dropLast(10)) : text
    }

    /// What was audited, as it was named on the command line.
    var inputs: [String] {
        guard let run = summary["run"] else { return [] }
        return Self.values("input", in: run).map(\.visibleText)
    }

    /// Subscriptions, a page of their own.
    var subscriptionSections: [Summary.Section] { summary.pages.filter { $0.isOfSubscriptions } }

    /// All that has no other place.
    var figureSections: [Summary.Section] {
        let elsewhere = ["run", "verdicts", "severities", "findings", "allowed", "allow_list", "changes", "skipped"]
        guard table != .subscriptions else { return [] }
        return summary.pages.filter { !elsewhere.contains($0.id) && !$0.isOfSubscriptions }
    }

    /// The rules that found something.
    var overview: Summary.Section? {
        var section = summary["findings"]
        section?.title = "Rules that found something"
        return section
    }

    /// What to say first if not all findings are on the page.
    var findingsNote: String? {
        guard findings.omitted > 0 else { return nil }
        let shown = grouped(findings.count - findings.omitted)
        return
            "This page shows \(shown) of \(grouped(findings.count)) findings, at most \(FindingGroups.maxPerRule) of a "
            + "rule. All are in a report of their own, `--report fraud=FILE.csv`."
    }

    /// What the policy hid, and what an earlier report says.
    var findingSections: [Summary.Section] { ["allowed", "allow_list", "changes"].compactMap { summary[$0] } }

    /// What the rows of the table `receipts` are.
    static let receiptsExplanation =
        "One row for each claim, in the order of the claims: its verdict, what failed, and what the rules found."

    /// What to say of claims without a row on the page.
    var receiptsNote: String? {
        let omitted = claims - shownReceipts
        guard omitted > 0 else { return nil }
        return "and \(grouped(omitted)) more: all are in a report of their own, `--report receipts=FILE.csv`"
    }

    /// How many claims there are.
    var claims: Int {
        (summary["verdicts"]?.rows ?? []).compactMap { $0.count > 1 ? $0[1].count : nil }.reduce(0, +)
    }

    /// The columns of the table `receipts`, as people read them.
    static let receiptsColumns = ReceiptsTable.columns.map {
        (name: $0.replacing("_", with: " "), isNumeric: $0 == "purchases")
    }

    /// The run without its command line, which is shown apart.
    var runSection: Summary.Section? {
        guard var run = summary["run"] else { return nil }
        run.rows.removeAll { $0.first == .code(Summary.repeatLabel) }
        return run
    }

    /// The command that makes this report again, for a shell.
    func command(format: ReportFormat) -> String? {
        guard let run = summary["run"], let command = Self.values(Summary.repeatLabel, in: run).first else {
            return nil
        }
        let name = table.map { $0.rawValue + "=" } ?? ""
        return command.plainText + " --report " + name + "report." + format.rawValue
    }

    private static func values(_ label: String, in section: Summary.Section) -> [Summary.Cell] {
        section.rows.filter { $0.first == .code(label) }.compactMap(\.last)
    }
}

extension Summary.Section {
    var isOfSubscriptions: Bool { id.hasPrefix("subscription") }

    /// No table for people is longer.
    private static let maxRows = 120
    /// Of months, the latest: as many as a chart shows.
    private static let maxMonths = 24

    var isByMonth: Bool { columns.first == "month" || columns.first == "cohort" }

    /// The rows that a person reads.
    var shownRows: [[Summary.Cell]] {
        isByMonth ? rows.suffix(Self.maxMonths) : Array(rows.prefix(Self.maxRows))
    }

    /// Whether a column holds numbers and nothing else.
    func isNumeric(_ column: Int) -> Bool {
        let cells = rows.compactMap { column < $0.count && !$0[column].isNone ? $0[column] : nil }
        return !cells.isEmpty && cells.allSatisfy(\.isNumeric)
    }

    /// What to say of the rows that are not shown.
    var omissionNote: String? {
        let omitted = rows.count - shownRows.count
        guard omitted > 0 else { return nil }
        return "and \(grouped(omitted)) \(isByMonth ? "earlier" : "more"): see a summary report in CSV or JSON"
    }
}

extension Summary.Cell {
    /// As a person reads it; strangers' text is cut to a length, and shows its control characters.
    var visibleText: String {
        if case .text(let text) = self { TextLayout.safe(text, limit: 200) } else { displayText }
    }

    /// Whether it is aligned to the right.
    var isNumeric: Bool {
        switch self {
        case .number, .share, .money: true
        case .none, .text, .code, .date: false
        }
    }
}
