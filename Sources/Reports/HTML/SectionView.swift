/// A section of the summary as the template `section` sees it.
struct SectionView {
    let title: String
    let hasExplanation: Bool
    let explanation: [CellView]
    let hasTerms: Bool
    let terms: [Term]
    /// Beside the table, where there is room.
    let charts: [Chart]
    let tables: [TableView]
    /// Above its table, which says the same and opens on demand.
    let heatMaps: [Chart]
    let foldedTables: [TableView]

    struct Term {
        let name: String
        let meaning: [CellView]

        init(_ term: Summary.Term) {
            name = term.name.replacing("_", with: " ")
            meaning = CellView.sentences(term.meaning)
        }
    }

    init(_ section: Summary.Section) {
        title = section.title
        explanation = CellView.sentences(section.explanation)
        hasExplanation = !section.explanation.isEmpty
        hasTerms = !section.terms.isEmpty
        terms = section.terms.map { Term($0) }
        charts = Chart.of(section)
        heatMaps = [Chart.heatMap(of: section)].compactMap { $0 }
        let all = section.rows.isEmpty ? [] : [TableView(section)]
        tables = heatMaps.isEmpty ? all : []
        foldedTables = heatMaps.isEmpty ? [] : all
    }
}
