/// A section of the summary as the template `section` sees it.
struct SectionView {
    let title: String
    let hasExplanation: Bool
    let explanation: [CellView]
    let charts: [Chart]
    let tables: [TableView]

    init(_ section: Summary.Section) {
        title = section.title
        explanation = CellView.sentences(section.explanation)
        hasExplanation = !section.explanation.isEmpty
        charts = Chart.of(section)
        tables = section.rows.isEmpty ? [] : [TableView(section)]
    }
}
