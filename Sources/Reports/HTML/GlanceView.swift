import Encodings
import Engine
import Rules

/// The values of the template `glance`: a part of the first screen.
struct GlanceView {
    let title: String
    /// Its class; empty where it has its place by itself.
    let style: String
    let charts: [Chart]
    let tables: [TableView]
    /// Tables that say the same as a chart, folded.
    let folded: [TableView]

    private init(
        _ title: String, style: String = "", charts: [Chart] = [], _ tables: [TableView] = [],
        folded: [TableView] = []
    ) {
        (self.title, self.style, self.charts, self.tables, self.folded) = (title, style, charts, tables, folded)
    }

    static func all(_ document: ReportDocument, _ queue: QueueView) -> [GlanceView] {
        guard document.table == nil else { return parts(of: document) }
        var parts: [GlanceView] = []
        if document.withChange { parts.append(news(queue)) }
        if let classes = document.classes {
            let charts = [Chart.verdicts(document)].compactMap { $0 }
            parts.append(
                GlanceView(classes.title, style: "g-classes", charts: charts, [TableView(classes)] + checks(document)))
        } else if let verdicts = document.summary["verdicts"] {
            parts.append(GlanceView(verdicts.title, [TableView(verdicts)]))
        }
        if !document.entities.rows.isEmpty { parts.append(entities(document)) }
        if document.findings.count > 0 { parts.append(rules(document)) }
        if let months = document.presented {
            let charts = [Chart.of(months)].compactMap { $0 }
            let table = [TableView(months)]
            parts.append(
                GlanceView(
                    months.title, style: "g-months", charts: charts, charts.isEmpty ? table : [],
                    folded: charts.isEmpty ? [] : table))
        }
        return parts + more(document)
    }

    /// What follows the first screen.
    private static func more(_ document: ReportDocument) -> [GlanceView] {
        let kinds = TopEntities.kinds.compactMap { kind, title in
            let rows = document.entities.first(of: kind)
            return rows.isEmpty ? nil : GlanceView(title, style: "g-more", [named(title, rows)])
        }
        let products = document.affectedProducts.map { section in
            GlanceView(section.title, style: "g-more", [TableView(section)])
        }
        return kinds + [products].compactMap { $0 }
    }

    private static func named(_ title: String, _ entities: [(place: Int, row: EntityRow)]) -> TableView {
        TableView(
            title,
            columns([("entity", false), ("worst", false), ("score", false), ("claims", true), ("at stake", true)]),
            entities.map { place, row in
                let id = TextLayout.safe(row.entity.id, limit: CellView.maxLength)
                return [
                    place < TopEntities.maxRows ? .link(id, to: "e-\(place + 1)") : .untrusted(id),
                    .badge(row.worst.code), CellView(.code(row.visibleScore)), .number(row.claims),
                    CellView(Summary.Cell(row.atStake)),
                ]
            })
    }

    /// How many failed checks stand beside the classes of claims.
    private static let maxChecks = 3

    /// Why claims failed: the most frequent checks.
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

    /// A page with one part has what concerns it.
    private static func parts(of document: ReportDocument) -> [GlanceView] {
        var parts = ["verdicts", "severities"].compactMap { document.summary[$0] }.map { section in
            GlanceView(
                section.title, charts: section.id == "verdicts" ? [Chart.verdicts(document)].compactMap { $0 } : [],
                [TableView(section)])
        }
        if document.hasFindings, document.findings.count > 0 { parts.append(rules(document)) }
        return parts
    }

    /// The longest name of an entity; its card has all of it.
    private static let maxName = 18

    private static func columns(_ names: [(String, Bool)]) -> [TableView.Column] {
        names.map { TableView.Column(text: $0.0, isNumeric: $0.1) }
    }

    private static func news(_ queue: QueueView) -> GlanceView {
        let new = queue.rows.filter { $0.change == "new" || $0.status == "reopened" }
        let rows = new.prefix(10).map { row -> [CellView] in
            [
                .badge(row.severity), row.rule,
                .link(row.first.presenterOrSubject, to: "f-" + row.first.id),
            ]
        }
        let more = new.count - rows.count
        let table = TableView(
            "New", columns([("severity", false), ("rule", false), ("about", false)]), Array(rows),
            note: more > 0 ? "and \(grouped(more)) more below" : nil)
        return GlanceView(rows.isEmpty ? "Nothing is new" : "New", style: "g-new", rows.isEmpty ? [] : [table])
    }

    private static func entities(_ document: ReportDocument) -> GlanceView {
        let rows = document.entities.rows.prefix(10).enumerated().map { index, row -> [CellView] in
            let id = TextLayout.safe(row.entity.id, limit: CellView.maxLength)
            let name = id.count > maxName ? id.prefix(maxName) + "…" : id
            return [
                .link(name, to: "e-\(index + 1)"), .plain(row.entity.kind.code), .badge(row.worst.code),
                CellView(.code(row.visibleScore)), .number(row.findings), .number(row.claims),
                CellView(Summary.Cell(row.atStake)),
            ]
        }
        let names = [
            ("entity", false), ("kind", false), ("worst", false), ("score", false), ("findings", true),
            ("claims", true), ("at stake", true),
        ]
        return GlanceView("Top entities", style: "g-entities", [TableView("Top entities", columns(names), rows)])
    }

    private static func rules(_ document: ReportDocument) -> GlanceView {
        let table = document.appRules(4)
        let columns = table.columns.enumerated().map {
            TableView.Column(text: $1.visibleText, isNumeric: $0 > 1)
        }
        let rows = table.rows.map { row -> [CellView] in
            row.enumerated().map { column, cell in
                switch column {
                case 0: .rule(cell.visibleText)
                case 1: .badge(cell.plainText)
                default: CellView(cell)
                }
            }
        }
        return GlanceView("Rules and apps", style: "g-apps", [TableView("Findings by rule and app", columns, rows)])
    }
}
