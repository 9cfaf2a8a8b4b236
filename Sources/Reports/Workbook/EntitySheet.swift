import Encodings
import Engine
import Rules

/// The sheet `Entities`: the table, and for the first entities what was found, as on their cards on a page. The members of a
/// ring that begins among the first are one row, that of the first of them.
enum EntitySheet: ReportTable {
    struct Row {
        let entity: EntityRow
        /// The findings, one per line.
        var evidence: [String] = []
        /// The other members of its ring, one a line.
        var members: [String] = []
    }

    static let name = "Entities"
    static let stage = RunStage.entities
    static let columns: [TableColumn<Row>] = {
        var columns: [TableColumn<Row>] = EntitiesTable.columns.map { $0.of { $0.entity } }
        let worst = columns.firstIndex { $0.name == "worst" } ?? 0
        columns.insert(
            .textIfAny("evidence", "the findings, one a line", width: 90, wraps: true) {
                ExactText($0.evidence.joined(separator: "\n"))
            },
            at: worst + 1)
        let ring = columns.firstIndex { $0.name == "ring" } ?? 0
        columns.insert(
            .textIfAny("members", "the other members of its ring, one a line", width: 50, wraps: true) {
                ExactText($0.members.joined(separator: "\n"))
            },
            at: ring + 1)
        return columns
    }()

    /// Returns the other members of a ring, one a line.
    fileprivate static func members(of ring: TopEntities.Ring) -> [String] {
        let named = ring.named.map { row in
            "\(row.worst.code) \(row.entity.kind.code):\(TextLayout.safe(row.entity.id, limit: CellView.maxLength)), "
                + counted(row.findings, "finding", grouped)
        }
        let rest = ring.count - named.count
        return named + (rest > 0 ? ["and \(grouped(rest)) more, each in a row of its own: filter ring"] : [])
    }
}

extension EntitySheet.Row {
    /// Returns the row of an entity with a card.
    init(_ card: TopEntities.Card) {
        let lines = card.notes.map { "\($0.mark.code) \($0.finding.rule): \($0.finding.evidence)" }
        let omitted = card.row.findings - lines.count
        let more = omitted > 0 && !lines.isEmpty ? ["and \(counted(omitted, "more finding", grouped))"] : []
        self.init(
            entity: card.row, evidence: lines + more, members: card.ring.map(EntitySheet.members(of:)) ?? [])
    }
}
