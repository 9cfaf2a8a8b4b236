import Engine
import Files
import Reports
import Rules

/// Groups the parts of each entity, entity by entity: rows of the tables `entities`, `refund_requests` and `unclaimed`.
struct EntityReducer {
    /// The number of bytes of one entity in memory.
    private static let budget = 1 << 20

    private let rules: RuleSet
    private let parts: EntityPartSorter
    private var rows: TableLineWriter
    private var entity = Entity(.account, "")

    init(_ settings: StreamSettings, folder: String) {
        rules = settings.rules
        parts = EntityPartSorter(Storage(memory: Self.budget, folder: folder))
        rows = TableLineWriter(withCSV: settings.withCSV)
    }

    static func write(_ part: EntityPart, of entity: Entity, to line: inout LineWriter) {
        var part = part
        line.write(.entity(entity)) { part.code(&$0) }
    }

    mutating func begin(_ entity: Entity) { self.entity = entity }

    mutating func add(_ fields: inout RecordReader) throws {
        var part = EntityPart.unread
        try part.code(&fields)
        try parts.add(entity, part)
    }

    /// Ends the entity, and writes its row.
    mutating func finish(_ output: inout LineWriter) throws {
        try parts.forEachRow(
            rules, onRequest: { rows.write($0, of: RefundRequestsTable.self, to: &output) },
            // Of any date: the summary knows which ones are too early or too late for the table.
            onUnclaimed: { rows.write($0, of: UnclaimedTable.self, to: &output) },
            { rows.write($0, of: EntitiesTable.self, to: &output) })
    }
}
