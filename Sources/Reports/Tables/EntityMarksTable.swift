import Encodings
import Engine
import Rules

/// The table `entity_marks`, only in databases: the findings that concern an entity.
enum EntityMarksTable: ReportTable {
    static let name = "entity_marks"
    static let stage = RunStage.links
    static let columns: [TableColumn<EntityMark>] = [
        .code("kind", "the kind of the entity, as in `entities`", width: 12) { $0.entity.kind.code },
        .text("id", "the id of the entity, as in `entities`", width: 46) { $0.entity.id },
        .id("finding_id", "a finding that concerns the entity", width: 26) { $0.finding },
        .severity("severity", "the highest severity of its marks on these claims", width: 11) { $0.severity },
    ]
}
