/// A chart as the template `chart` sees it.
struct Chart {
    let title: String
    /// Whether it is shown at its own size, and scrolls.
    let isWide: Bool
    /// Markup, made by ``SVG``.
    let svg: String
    let hasNote: Bool
    let note: String

    init(_ title: String, isWide: Bool = false, _ svg: SVG, note: String = "") {
        self.title = title
        self.isWide = isWide
        self.svg = svg.markup
        self.note = note
        hasNote = !note.isEmpty
    }

    static func verdicts(_ document: ReportDocument) -> [Chart] {
        [document.summary["verdicts"].flatMap(VerdictBar.chart)].compactMap { $0 }
    }

    static func rules(_ document: ReportDocument) -> [Chart] {
        guard document.hasFindings else { return [] }
        return [document.summary["findings"].flatMap(RuleBars.chart)].compactMap { $0 }
    }

    /// What stands above a section's table.
    static func of(_ section: Summary.Section) -> [Chart] {
        if section.id == "months" {
            return [MonthColumns.chart(section, isStacked: true)].compactMap { $0 }
        }
        guard section.isOfSubscriptions else { return [] }
        return [MonthColumns.chart(section, isStacked: false)].compactMap { $0 }
    }

    static func heatMap(of section: Summary.Section) -> Chart? {
        section.isOfSubscriptions ? HeatMap.chart(section) : nil
    }
}
