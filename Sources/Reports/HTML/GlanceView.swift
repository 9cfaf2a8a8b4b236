import Encodings
import Engine
import Rules

/// The values of the template `glance`: a part of the first screen.
struct GlanceView {
    let title: String
    /// Its CSS class; empty if its position needs none.
    let style: String
    /// What its order is; empty where its title says enough.
    let order: String
    let charts: [Chart]
    let tables: [TableView]
    /// Folded tables with the numbers of a chart.
    let folded: [TableView]

    private init(
        _ title: String, style: String = "", order: String = "", charts: [Chart] = [], _ tables: [TableView] = [],
        folded: [TableView] = []
    ) {
        self.title = title
        self.style = style
        self.order = order
        self.charts = charts
        self.tables = tables
        self.folded = folded
    }

    static func all(_ document: ReportDocument) throws -> [GlanceView] {
        guard document.table == nil else { return try parts(of: document) }
        var parts: [GlanceView] = []
        if document.withChange { parts.append(try news(document)) }
        if let classes = document.classes {
            let charts = [Chart.verdicts(document)].compactMap { $0 }
            parts.append(
                GlanceView(classes.title, style: "g-classes", charts: charts, [TableView(classes)] + checks(document)))
        } else if let verdicts = document.summary["verdicts"] {
            parts.append(GlanceView(verdicts.title, [TableView(verdicts)]))
        }
        // Reviews may have cleared all.
        if document.entities.cards.contains(where: { $0.row.score > 0 }) { parts.append(entities(document)) }
        if document.findings.count > 0 { parts.append(try rules(document)) }
        if let months = document.presented {
            let charts = [Chart.of(months)].compactMap { $0 }
            let table = [TableView(months)]
            parts.append(
                GlanceView(
                    months.title, style: "g-months", charts: charts, charts.isEmpty ? table : [],
                    folded: charts.isEmpty ? [] : table))
        }
        return try parts + more(document)
    }

    /// The classes of parts with long names.
    private static let styles = ["apps_found": "g-totals", "affected_products": "g-products"]

    /// The parts after the first screen.
    private static func more(_ document: ReportDocument) throws -> [GlanceView] {
        let kinds = document.entities.sectionsOfKinds.map { section in
            let columns = section.only(["id", "worst", "score", "claims", "at stake"])
            return GlanceView(section.title, style: "g-more", [TableView(columns)])
        }
        let sections = try [document.falseAlarms, document.appTotals(), document.affectedProducts()].compactMap { $0 }
        return kinds
            + sections.map { section in
                GlanceView(
                    section.title, style: styles[section.id] ?? "g-more",
                    order: notes[section.id] ?? "", [TableView(section)])
            }
    }

    private static let notes = [
        "false_alarms": "Open findings that are doubtful. Click a rule for its false alarms.",
        "apps_found": "At stake in all findings that no review cleared, not only in urgent ones.",
    ]

    /// The number of failed checks to show next to the classes of claims.
    private static let maxChecks = 3

    /// The most frequent failed checks.
    private static func checks(_ document: ReportDocument) -> [TableView] {
        guard let section = document.summary["checks"] else { return [] }
        let sorted = section.rows.sorted { ($0.dropFirst().first?.count ?? 0) > ($1.dropFirst().first?.count ?? 0) }
        let rows = sorted.prefix(maxChecks).map { row in row.prefix(2).map { CellView($0) } }
        let more = sorted.count - rows.count
        return [
            TableView(
                section.title, columns([("failed check", false), ("claims", true)]), rows,
                note: more > 0 ? "and \(grouped(more)) more" : nil)
        ]
    }

    /// The parts of a page for one table.
    private static func parts(of document: ReportDocument) throws -> [GlanceView] {
        var parts = ["verdicts", "severities"].compactMap { document.summary[$0] }.map { section in
            GlanceView(
                section.title, charts: section.id == "verdicts" ? [Chart.verdicts(document)].compactMap { $0 } : [],
                [TableView(section)])
        }
        if document.hasFindings, document.findings.count > 0 { parts.append(try rules(document)) }
        return parts
    }

    /// The maximum length of an entity's name; its card has the full name.
    private static let maxName = 18

    private static func columns(_ names: [(String, Bool)]) -> [TableView.Column] {
        names.map { TableView.Column(text: $0.0, isNumeric: $0.1) }
    }

    /// The new findings. Every one is in the queue, or this part states how many are not.
    private static func news(_ document: ReportDocument) throws -> GlanceView {
        guard let section = try document.news(10) else {
            return GlanceView(document.findings.noNewsText, style: "g-new", [])
        }
        let left = document.findings.closedNewsCount > 0 ? " to decide about" : ""
        let counts = "\(grouped(document.findings.newsCount)) new\(left): \(document.newsCounts)"
        // Nearly all rows are one finding; the space is for subjects.
        let place = section.columns.firstIndex(of: "findings")
        let isMerged = section.rows.contains { row in place.map { row[$0] != .number(1) } ?? false }
        let columns = ["severity", "rule", "subject"] + (isMerged ? ["findings"] : [])
        return GlanceView(counts, style: "g-new", [TableView(section.only(columns))])
    }

    private static func entities(_ document: ReportDocument) -> GlanceView {
        let section = document.entities.section(10)
            .only(["id", "kind", "worst", "score", "last presented", "at stake"])
        // Without the reason a low entity above a critical one looks like an error.
        let order = "Accounts, devices and persons come first; then by score."
        return GlanceView(
            "Top entities", style: "g-entities", order: order, [TableView(section, maxName: maxName)])
    }

    private static func rules(_ document: ReportDocument) throws -> GlanceView {
        let table = try document.appRules(5)
        let columns = table.columns.enumerated().map {
            TableView.Column(text: $1.visibleText, isNumeric: $0 > 0)
        }
        let rows = table.rows.map { row -> [CellView] in
            row.enumerated().map { column, cell in
                column == 0 ? .rule(cell.visibleText) : CellView(cell)
            }
        }
        return GlanceView("Rules and apps", style: "g-apps", [TableView("Findings by rule and app", columns, rows)])
    }
}
