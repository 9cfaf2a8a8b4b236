import Encodings

/// The content of a report for people, in reading order. Formats differ only in how they write it.
struct ReportDocument {
    let table: ReportRequest.Table?
    var summary: Summary
    let findings: FindingQueue
    let withChange: Bool
    /// The number of rows of the table `receipts` on the page.
    var shownReceipts = 0
    var entities = TopEntities()
    var support = SupportRows()
    /// Of a page that has everything.
    var pageClaims: PageClaims? { didSet { claimCounts = pageClaims?.counts } }
    var claimCounts: ClaimCounts?
    /// What the index holds, if the page has one.
    var indexCounts: IndexCounts?

    var hasFindings: Bool { table == nil || table == .fraud }
    /// A page of metrics has the figures of subscriptions, with their charts.
    var hasSubscriptions: Bool {
        table.map { ![.fraud, .receipts, .entities, .ruleQuality, .unclaimed, .refundRequests].contains($0) } ?? true
    }
    var hasFigures: Bool { table == nil || table == .summary }
    /// A page that has everything has the worst claims; a page of receipts has all rows.
    var hasReceipts: Bool { table == .receipts && shownReceipts > 0 }

    var title: String { "Receipt audit as of " + asOf }

    /// The as-of date, with its time unless that is midnight.
    private var asOf: String {
        let text = asOfDate ?? "an unknown date"
        return text.hasSuffix("T00:00:00Z") ? String(text.dropLast(10)) : text
    }

    /// The as-of date; `nil` if the summary has none.
    var asOfDate: String? { summary["run"].flatMap { Self.values("as of", in: $0).first?.plainText } }

    /// The inputs as they were named on the command line.
    var inputs: [String] {
        guard let run = summary["run"] else { return [] }
        return Self.values("input", in: run).map(\.visibleText)
    }

    /// The sections of subscriptions; a page of retention has that alone.
    var subscriptionSections: [Summary.Section] {
        summary.pages.filter { $0.isOfSubscriptions && (table != .retention || $0.id == Summary.retentionID) }
    }

    /// The sections that belong to no other chapter.
    var figureSections: [Summary.Section] {
        let elsewhere = [
            "run", "verdicts", "severities", "findings", "allowed", "allow_list", "changes", "reviews", "skipped",
            Summary.ruleQualityID,
        ]
        guard table == nil || table == .summary else { return [] }
        return summary.pages.filter { !elsewhere.contains($0.id) && !$0.isOfSubscriptions }
    }

    /// A page of entities has those with the highest scores.
    var entitySections: [Summary.Section] { table == .entities ? [entities.section()] : [] }

    /// How often rules were right.
    var ruleQualitySections: [Summary.Section] {
        table == nil || table == .ruleQuality ? [summary[Summary.ruleQualityID]].compactMap(\.self) : []
    }
    /// Who paid and got nothing, and which refunds Apple asks about.
    var supportSections: [Summary.Section] { support.sections(of: table) }

    /// The sections about what the policy hid, and about an earlier report.
    var findingSections: [Summary.Section] {
        ["allowed", "allow_list", "changes", "reviews"].compactMap { summary[$0] }
    }

    /// Explains the rows of the table `receipts`.
    static let receiptsExplanation =
        "One row for each claim, in the order of the claims: its verdict, what failed, and what the rules found."

    /// The number of claims.
    var claims: Int {
        (summary["verdicts"]?.rows ?? []).compactMap { $0.count > 1 ? $0[1].count : nil }.reduce(0, +)
    }

    /// The columns of the table `receipts`, as people read them.
    static let receiptsColumns = ReceiptsTable.schema.columns.map {
        (name: $0.name.replacing("_", with: " "), isNumeric: $0.kind == .number)
    }

    /// The run without its command line, which is shown separately.
    var runSection: Summary.Section? {
        guard var run = summary["run"] else { return nil }
        run.rows.removeAll { $0.first == .code(Summary.repeatLabel) }
        return run
    }

    /// Returns the command that makes this report again, for a shell.
    ///
    /// - Parameter format: the extension of the report.
    func command(format: String) -> String? {
        guard let run = summary["run"], let command = Self.values(Summary.repeatLabel, in: run).first else {
            return nil
        }
        let name = table.map { $0.rawValue + "=" } ?? ""
        return command.plainText + " --report " + name + "report." + format
    }

    private static func values(_ label: String, in section: Summary.Section) -> [Summary.Cell] {
        section.rows.filter { $0.first == .code(label) }.compactMap(\.last)
    }
}

extension Summary.Section {
    var isOfSubscriptions: Bool { id.hasPrefix("subscription") }

    /// The longest table for people.
    private static let maxRows = 120
    /// The longest table of months, the latest ones: as many as a chart shows.
    private static let maxMonths = 24

    var isByMonth: Bool { columns.first == "month" || columns.first == "cohort" }

    /// The rows on a page.
    var shownRows: [[Summary.Cell]] {
        isByMonth ? rows.suffix(Self.maxMonths) : Array(rows.prefix(Self.maxRows))
    }

    /// Returns whether a column has only numbers.
    func isNumeric(_ column: Int) -> Bool {
        let cells = rows.compactMap { column < $0.count && !$0[column].isNone ? $0[column] : nil }
        return !cells.isEmpty && cells.allSatisfy(\.isNumeric)
    }

    /// A note for the rows that are not shown.
    var omissionNote: String? {
        let omitted = rows.count - shownRows.count
        guard omitted > 0 else { return nil }
        return "and \(grouped(omitted)) \(isByMonth ? "earlier" : "more"): see a summary report in CSV or JSON"
    }
}

extension Summary.Cell {
    /// The text for people; untrusted text is cut, and its control characters are shown.
    var visibleText: String {
        if case .text(let text) = self { TextLayout.safe(text, limit: 200) } else { displayText }
    }

    /// The number, if it is one.
    var count: Int? { if case .number(let number) = self { number } else { nil } }

    /// Whether it is a number, which is aligned to the right.
    var isNumeric: Bool {
        switch self {
        case .number, .share, .knownShare, .money: true
        case .none, .text, .code, .date: false
        }
    }
}
