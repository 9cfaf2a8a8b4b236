import Encodings
import Engine

/// The content of a report for people, in reading order: the rows of queries. Formats differ only in their markup.
struct ReportDocument {
    let report: StoredReport
    let table: ReportRequest.Table?
    let summary: Summary
    let ruleQuality: [RuleQuality]
    let findings: FindingTotals
    let withChange: Bool
    let decided: DecidedFindings
    let resolved: [QueuedFinding]
    let entities: TopEntities
    let support: SupportRows
    private let completeness: CompletenessRows
    /// The number of rows of the table `receipts` on the page.
    let shownReceipts: Int
    /// The claims of a full page.
    let claimCounts: ClaimCounts?

    /// - Parameter table: the page's table; `nil` for a full page.
    init(_ report: StoredReport, table: ReportRequest.Table?) throws {
        self.report = report
        self.table = table
        (summary, withChange) = try StoredSections.read(report.reader)
        ruleQuality = try report.ruleQuality()
        findings = try report.findingCounts()
        decided = try report.decisions()
        resolved = try report.resolved()
        entities = table == nil || table == .entities ? try report.topEntities() : TopEntities()
        support = try report.support()
        completeness = table == nil || table == .completeness ? try report.completeness() : CompletenessRows()
        shownReceipts = table == .receipts ? try report.count(ReceiptsTable.name) : 0
        claimCounts = try table == nil ? report.byMonth(asOf: summary.asOf ?? Instant(seconds: 0)) : nil
    }

    var hasFindings: Bool { table == nil || table == .fraud }
    /// Whether the page has subscription figures with charts, as pages of metrics do.
    var hasSubscriptions: Bool {
        table.map { !Self.withoutSubscriptions.contains($0) } ?? true
    }
    private static let withoutSubscriptions: [ReportRequest.Table] = [
        .fraud, .receipts, .entities, .ruleQuality, .unclaimed, .refundRequests, .completeness,
    ]
    var hasFigures: Bool { table == nil || table == .summary }
    /// Whether the page has rows of receipts. A full page has the worst claims; a page of receipts has all rows.
    var hasReceipts: Bool { table == .receipts && shownReceipts > 0 }

    var title: String { "Receipt audit as of " + asOf + (doubts.isEmpty ? "" : " (doubtful)") }

    /// The reasons why the run is doubtful, as sentences.
    var doubts: [String] {
        // Whole: their end says what to do.
        summary["run"].map { run in
            Self.values(Summary.doubtLabel, in: run).map { TextLayout.safe($0.plainText, limit: 1000) }
        } ?? []
    }

    /// The reference time: the date, with the time unless it is midnight.
    private var asOf: String {
        let text = summary.asOf?.description ?? "an unknown date"
        return text.hasSuffix("T00:00:00Z") ? String(text.dropLast(10)) : text
    }

    /// The inputs as named on the command line.
    var inputs: [String] {
        guard let run = summary["run"] else { return [] }
        return Self.values("input", in: run).map(\.visibleText)
    }

    /// The sections about subscriptions; a page of retention has only that section.
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

    /// The sections about entities. A page of entities has those with the highest scores.
    var entitySections: [Summary.Section] { table == .entities ? [entities.section(100, "By score")] : [] }

    /// The section about how often rules were right.
    var ruleQualitySections: [Summary.Section] {
        table == nil || table == .ruleQuality ? [summary[Summary.ruleQualityID]].compactMap(\.self) : []
    }
    /// The sections about customers who paid and got nothing, and about refund requests from Apple.
    var supportSections: [Summary.Section] { support.sections(of: table) }

    /// Returns the sections about what Apple sold and nothing shows.
    ///
    /// - Parameter withDays: whether there is space for a column for each of the latest days.
    func completenessSections(withDays: Bool = false) -> [Summary.Section] {
        completeness.sections(withDays: withDays)
    }

    /// The sections about findings that the policy hid, and about an earlier report.
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

    /// The headings of the table `receipts` for people.
    static let receiptsColumns = ReceiptsTable.schema.columns.map {
        (name: $0.name.replacing("_", with: " "), isNumeric: $0.kind == .number)
    }

    /// The run without its command line, which is shown separately.
    var runSection: Summary.Section? {
        guard var run = summary["run"] else { return nil }
        run.rows.removeAll { $0.first == .code(Summary.repeatLabel) }
        return run
    }

    /// Returns a shell command that makes this report again.
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

extension Summary {
    /// The reference time of the run; `nil` if the summary has none.
    var asOf: Instant? {
        self["run"]?.rows.lazy.compactMap { row in
            if row.first == .code("as of"), case .date(let date)? = row.last { date } else { nil }
        }.first
    }
}

extension Summary.Section {
    var isOfSubscriptions: Bool { id.hasPrefix("subscription") }

    /// The maximum number of rows for people.
    private static let maxRows = 120
    /// The maximum number of months, the latest ones: as many as a chart shows.
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

    /// A note about the rows that are not shown.
    var omissionNote: String? {
        if let rest { return rest }
        let omitted = rows.count - shownRows.count
        guard omitted > 0 else { return nil }
        return "and \(grouped(omitted)) \(isByMonth ? "earlier" : "more"): see \(source)"
    }
}

extension Summary.Cell {
    /// The text for people; untrusted text is truncated, and its control characters are shown.
    var visibleText: String {
        if case .text(let text) = self { TextLayout.safe(text, limit: 200) } else { displayText }
    }

    /// The number, if the cell is a number.
    var count: Int? { if case .number(let number) = self { number } else { nil } }

    /// Whether the cell is a number, which is aligned to the right.
    var isNumeric: Bool {
        switch self {
        case .number, .tenths, .share, .knownShare, .money: true
        case .none, .text, .code, .date, .cutMonth: false
        }
    }
}
