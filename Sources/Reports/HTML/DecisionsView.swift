/// The values of the template `decisions`: the decisions about findings, by whom and why.
struct DecisionsView {
    let explanation: [CellView]
    let table: [TableView]

    /// - Returns: `nil` if there are no decisions.
    init?(_ decided: DecidedFindings) {
        guard let section = decided.section(.max) else { return nil }
        let more = decided.count - section.rows.count
        explanation = CellView.sentences(section.explanation)
        table = [
            TableView(
                section.title, isWide: true, style: "rows",
                section.columns.map { TableView.Column(text: $0, isNumeric: false) },
                section.rows.map { row in row.enumerated().map { CellView($1, isBadge: $0 == 0) } },
                note: more > 0 ? "and \(grouped(more)) more, not on this page: `audit history --reviews` has all" : nil)
        ]
    }
}
