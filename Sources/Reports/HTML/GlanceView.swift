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
        (self.title, self.style, self.order) = (title, style, order)
        (self.charts, self.tables, self.folded) = (charts, tables, folded)
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
        if !document.entities.cards.isEmpty { parts.append(entities(document)) }
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
        let kinds = TopEntities.kinds.compactMap { kind, title in
            let rows = document.entities.first(of: kind)
            return rows.isEmpty ? nil : GlanceView(title, style: "g-more", [named(title, rows)])
        }
        let sections = try [document.falseAlarms, document.appTotals(), document.affectedProducts()].compactMap { $0 }
        return kinds
            + sections.map { section in
                GlanceView(
                    section.title, style: styles[section.id] ?? "g-more",
                    order: section.id == "false_alarms" ? alarmNote : "",
                    [section.id == "false_alarms" ? alarms(section) : TableView(section)])
            }
    }

    private static let alarmNote = "Open findings that are doubtful. Click a rule for its false alarms."

    /// Returns the rules with links to what is known of their false alarms.
    private static func alarms(_ section: Summary.Section) -> TableView {
        let headings = section.columns.map { ($0, $0 != "rule") }
        return TableView(
            section.title, columns(headings),
            section.rows.map { row in
                row.enumerated().map { column, cell in
                    if column == 0, case .code(let rule) = cell {
                        .link(rule, to: "wrong-" + rule)
                    } else {
                        CellView(cell)
                    }
                }
            })
    }

    private static func named(_ title: String, _ entities: [(card: Int?, row: EntityRow)]) -> TableView {
        TableView(
            title,
            columns([("entity", false), ("worst", false), ("score", false), ("claims", true), ("at stake", true)]),
            entities.map { card, row in
                let id = TextLayout.safe(row.entity.id, limit: CellView.maxLength)
                return [
                    card == nil ? .untrusted(id) : .link(id, to: PageAnchor.of(row.entity)),
                    .badge(row.worst.code), CellView(.code(row.visibleScore)), .number(row.claims),
                    CellView(Summary.Cell(row.atStake)),
                ]
            })
    }

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

    private static let maxNews = 10

    /// The new findings. Every one is in the queue, or this part states how many are not.
    private static func news(_ document: ReportDocument) throws -> GlanceView {
        let groups = try document.report.newSinceLast(maxNews)
        guard !groups.isEmpty else { return GlanceView(document.findings.noNewsText, style: "g-new", []) }
        let rows = groups.prefix(maxNews).map { group -> [CellView] in
            let line = group.lines[0]
            let subject = line.subject.hasPrefix("claim:") && !line.presenter.isEmpty ? line.presenter : line.subject
            let others = group.count > 1 ? " and \(grouped(group.count - 1)) more" : ""
            return [.badge(line.severity.code), .rule(line.rule), .link(subject + others, to: PageAnchor.of(line.id))]
        }
        let shown = groups.prefix(maxNews).reduce(0) { $0 + $1.count }
        let more = document.findings.newsCount - shown
        let table = TableView(
            "New", columns([("severity", false), ("rule", false), ("about", false)]), Array(rows),
            note: more > 0
                ? "and \(grouped(more)) more: below, and in `--report fraud=FILE.csv` with `new` in `change`" : nil)
        let left = document.findings.closedNewsCount > 0 ? " to decide about" : ""
        let counts = "\(grouped(document.findings.newsCount)) new\(left): \(document.newsCounts)"
        return GlanceView(counts, style: "g-new", [table])
    }

    private static func entities(_ document: ReportDocument) -> GlanceView {
        let rows = document.entities.cards.prefix(10).map { card -> [CellView] in
            let row = card.row
            let id = TextLayout.safe(row.entity.id, limit: CellView.maxLength)
            let name = id.count > maxName ? id.prefix(maxName) + "…" : id
            let others = card.ring.map { " and \(grouped($0.count)) of a ring" } ?? ""
            return [
                .link(name, to: PageAnchor.of(row.entity)), .plain(row.entity.kind.code + others),
                .badge(row.worst.code),
                CellView(.code(row.visibleScore)), .plain(row.lastPresented?.date ?? ""),
                CellView(Summary.Cell(row.atStake)),
            ]
        }
        let names = [
            ("entity", false), ("kind", false), ("worst", false), ("score", false), ("presented", false),
            ("at stake", true),
        ]
        // Without the reason a low entity above a critical one looks like an error.
        let order = "Accounts, devices and persons come first; then by score."
        return GlanceView(
            "Top entities", style: "g-entities", order: order, [TableView("Top entities", columns(names), rows)])
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
