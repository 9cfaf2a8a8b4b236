import Encodings
import Engine
import Rules

/// The table `entity_marks`, only in databases: the findings that concern an entity.
enum EntityMarksTable: ReportTable {
    static let name = "entity_marks"
    static let stage = RunStage.links
    static let columns: [TableColumn<EntityMark>] = [
        .code("kind", width: 12) { $0.entity.kind.code },
        .text("id", width: 46) { $0.entity.id },
        .id("finding_id", width: 26) { $0.finding },
        .severity("severity", width: 11) { $0.severity },
    ]
}
