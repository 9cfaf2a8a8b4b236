import Checks
import Rules

/// The values of the template `decisions`: the decisions about findings, by whom and why.
struct DecisionsView {
    let explanation: [CellView]
    let table: [TableView]

    /// - Returns: `nil` if there are no decisions.
    ///
    /// - Parameter placed: the findings that already have a place on the page; those of the rows are added.
    init?(_ decided: DecidedFindings, _ placed: inout Set<FindingID>) {
        guard let section = decided.section(.max) else { return nil }
        let more = decided.count - section.rows.count
        explanation = CellView.sentences(section.explanation)
        var anchors: [String?] = []
        for id in decided.findings {
            anchors.append(id.flatMap { placed.insert($0).inserted ? PageAnchor.of($0) : nil })
        }
        table = [
            TableView(
                section.title, isWide: true, style: "rows",
                section.columns.map { TableView.Column(text: $0, isNumeric: false) },
                section.rows.map { row in row.enumerated().map { CellView($1, isBadge: $0 == 0) } },
                note: more > 0 ? "and \(grouped(more)) more, not on this page: `audit history --reviews` has all" : nil,
                anchors: anchors, recorded: decided.recorded)
        ]
    }
}
