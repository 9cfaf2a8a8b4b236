import Encodings
import Engine

/// The sheet `Entities`: the table, and for the first entities the findings, as on their cards on a page.
enum EntitySheet: ReportTable {
    struct Row {
        let entity: EntityRow
        /// The findings, one per line.
        var evidence: [String] = []
    }

    static let name = "Entities"
    static let stage = RunStage.entities
    static let columns: [TableColumn<Row>] = {
        var columns: [TableColumn<Row>] = EntitiesTable.columns.map { $0.of { $0.entity } }
        let worst = columns.firstIndex { $0.name == "worst" } ?? 0
        columns.insert(
            .textIfAny("evidence", width: 90, wraps: true) { ExactText($0.evidence.joined(separator: "\n")) },
            at: worst + 1)
        return columns
    }()
}
