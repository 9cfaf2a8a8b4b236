import Checks
import Encodings
import Engine
import Rules
import SQLite

extension ReportQuery {
    /// The order of entities: accounts, devices and persons first, then that of the table.
    private static let order = "e.kind NOT IN ('account', 'device', 'person'), e.rowid"

    static let topEntities = ReportQuery(
        name: "top_entities",
        meaning:
            "The accounts, devices and persons with findings, then transactions, receipts and signers, each by score; a ring is one row.",
        columns: [
            ("place", "INTEGER", "its place; 1 is the worst"),
            ("others", "INTEGER", "how many other members its ring has"),
        ],
        tables: [("e", "entities")],
        sql: """
            SELECT row_number() OVER (ORDER BY \(order)) AS place, m.others, e.*
            FROM (
                SELECT e.rowid AS line, row_number() OVER (PARTITION BY coalesce(e.ring, e.rowid) ORDER BY \(order)) AS member,
                    count(*) OVER (PARTITION BY coalesce(e.ring, e.rowid)) - 1 AS others
                FROM entities AS e) AS m
            JOIN entities AS e ON e.rowid = m.line
            WHERE m.member = 1 ORDER BY place
            """)

    /// Returns the query for the findings that concern an entity, the highest mark first.
    ///
    /// - Parameters:
    ///   - columns: those of the finding `f`, and of its mark `m` here.
    ///   - kind: the kind of the entity in SQL.
    ///   - id: its id in SQL.
    static func findings(_ columns: String, of kind: String, _ id: String) -> String {
        """
        SELECT \(columns) FROM entity_marks AS m JOIN severities AS s ON s.severity = m.severity
        JOIN fraud AS f ON f.finding_id = m.finding_id
        WHERE m.kind = \(kind) AND m.id = \(id) ORDER BY s.rank DESC, f.rule, f.subject, f.finding_id
        """
    }

    /// The query for the other members of a ring.
    fileprivate static let members = """
        SELECT * FROM entities AS e WHERE e.ring = ?1 ORDER BY \(order) LIMIT \(TopEntities.Ring.maxNamed) OFFSET 1
        """
}

/// The first entities, as many as a person reads, each with its findings, and their total number.
struct TopEntities {
    /// The maximum number of cards, and the number of cards that name all kept findings of their entity; the others
    /// name few.
    static let maxRows = 200
    private static let maxFull = 20
    private static let maxAll = 50
    private static let maxFew = 10
    fileprivate static let maxEvidence = 200
    /// The maximum number of entities listed per kind.
    fileprivate static let maxOfKind = 5

    /// An entity with a card. The entities of a ring share one, that of the first.
    struct Card {
        let row: EntityRow
        /// The findings, the highest mark first.
        fileprivate(set) var notes: [(mark: Severity, finding: QueuedFinding)] = []
        /// The other members of its ring; `nil` if there are none.
        fileprivate(set) var ring: Ring?
    }

    /// The other members of a ring.
    struct Ring {
        let count: Int
        /// The first of them.
        fileprivate(set) var named: [EntityRow] = []
        static let maxNamed = 100
    }

    fileprivate(set) var cards: [Card] = []
    fileprivate(set) var count = 0
    /// The first entities of each kind that reviews did not clear, even if many others come before them, each with its
    /// card, if it has one.
    fileprivate(set) var firstOfKind: [Entity.Kind: [(card: Int?, row: EntityRow)]] = [:]

    /// The kinds with a separate table, with its title.
    fileprivate static let kinds: [(kind: Entity.Kind, title: String)] = [
        (.account, "Worst accounts"), (.device, "Worst devices"),
    ]

    /// Returns how many entities the first cards are about.
    func shownCount(_ max: Int) -> Int { cards.prefix(max).reduce(0) { $0 + 1 + ($1.ring?.count ?? 0) } }

    fileprivate static func maxNotes(ofCard index: Int) -> Int { index < maxFull ? maxAll : maxFew }

    /// The entities with cards that name a finding, by finding.
    var byFinding: [FindingID: [Int]] {
        cards.indices.reduce(into: [:]) { all, index in
            for note in cards[index].notes { all[note.finding.id, default: []].append(index) }
        }
    }

    /// Returns the first entities as a table.
    ///
    /// - Parameter rest: says where the others are.
    func section(
        _ max: Int = 100, _ title: String = "Top entities",
        rest: String = "all are in a report of their own, `--report entities=FILE.csv`"
    ) -> Summary.Section {
        var explanation = "Accounts, devices and people that findings are about, then transactions, receipts and "
        explanation += "signers, each by score. Members of a ring are one row. "
        let shown = shownCount(max)
        if count > shown {
            explanation += "These are \(grouped(shown)) of \(grouped(count)); \(rest). "
        }
        let shownCards = cards.prefix(max)
        return Self.section(
            title, explanation, shownCards.map { (row: $0.row, others: $0.ring?.count ?? 0, hasCard: true) })
    }

    /// The first entities of each kind as tables.
    var sectionsOfKinds: [Summary.Section] {
        Self.kinds.compactMap { kind, title in
            let rows = (firstOfKind[kind] ?? []).map { (row: $0.row, others: 0, hasCard: $0.card != nil) }
            return rows.isEmpty ? nil : Self.section(title, "", rows)
        }
    }

    private static func section(
        _ title: String, _ explanation: String, _ entities: [(row: EntityRow, others: Int, hasCard: Bool)]
    ) -> Summary.Section {
        var section = Summary.Section(
            "entities", title, explanation,
            columns: [
                "kind", "id", "score", "worst", "findings", "claims", "valid", "devices", "accounts", "at stake",
                "last presented", "rules",
            ],
            rows: entities.map { row, others, _ in
                let ring = others > 0 ? " and \(grouped(others)) more of a ring" : ""
                return [
                    .code(row.entity.kind.code + ring), .text(row.entity.id), .tenths(row.score), .code(row.worst.code),
                    .number(row.findings), .number(row.claims), .number(row.valid), .number(row.devices),
                    .number(row.accounts), Summary.Cell(row.atStake),
                    row.lastPresented.map { .code($0.date) } ?? .none,
                    .code(row.rules.replacing(";", with: ", ")),
                ]
            })
        section.leads = entities.map { .entity($0.row.entity, hasCard: $0.hasCard) }
        section.leadColumn = 1
        return section
    }
}

extension StoredReport {
    func topEntities() throws -> TopEntities {
        var top = TopEntities()
        top.count = try count("entities")
        var cardOf: [String: Int] = [:]
        try reader.forEachRow("SELECT * FROM top_entities LIMIT \(TopEntities.maxRows)") { row in
            let others = row.number("others")
            top.cards.append(
                TopEntities.Card(row: EntityRow(row), ring: others > 0 ? TopEntities.Ring(count: others) : nil))
        }
        for index in top.cards.indices {
            let row = top.cards[index].row
            cardOf[row.subject] = index
            top.cards[index].notes = try notes(of: row.entity, max: TopEntities.maxNotes(ofCard: index))
            guard let ring = row.ring, top.cards[index].ring != nil else { continue }
            try reader.forEachRow(ReportQuery.members, [ring.description]) { member in
                top.cards[index].ring?.named.append(EntityRow(member))
            }
            for member in top.cards[index].ring?.named ?? [] { cardOf[member.subject] = index }
        }
        for (kind, _) in TopEntities.kinds {
            try reader.forEachRow(
                "SELECT * FROM entities WHERE kind = ?1 AND score > 0 ORDER BY rowid LIMIT \(TopEntities.maxOfKind)",
                [kind.code]
            ) { row in
                let entity = EntityRow(row)
                top.firstOfKind[kind, default: []].append((cardOf[entity.subject], entity))
            }
        }
        return top
    }

    /// Returns the findings of an entity, the highest mark first.
    private func notes(
        of entity: Entity, max: Int
    ) throws -> [(mark: Severity, finding: QueuedFinding)] {
        var notes: [(mark: Severity, finding: QueuedFinding)] = []
        try reader.forEachRow(
            ReportQuery.findings("m.severity AS mark, f.*", of: "?1", "?2") + " LIMIT \(max)",
            [entity.kind.code, entity.id.text]
        ) { row in
            notes.append(
                (
                    Severity(code: ExactText(row.text("mark"))) ?? .info,
                    QueuedFinding(ComparedFinding(row), maxEvidence: TopEntities.maxEvidence)
                ))
        }
        return notes
    }

    /// Visits the first entities that no card names, in the order of the table, each with the finding with its highest
    /// mark.
    func forEachEntity(besides top: TopEntities, _ max: Int, _ body: (EntityRow, FindingID?) throws -> Void) throws {
        let named = Set(top.cards.flatMap { [$0.row.subject] + ($0.ring?.named ?? []).map(\.subject) })
        try reader.forEachRow(
            """
            SELECT e.*, (\(ReportQuery.findings("m.finding_id", of: "e.kind", "e.id")) LIMIT 1) AS worst_finding
            FROM entities AS e ORDER BY e.rowid LIMIT \(max)
            """
        ) { row in
            let entity = EntityRow(row)
            if !named.contains(entity.subject) { try body(entity, FindingID(ExactText(row.text("worst_finding")))) }
        }
    }
}

extension EntityRow {
    /// The entity as in subjects of findings.
    var subject: String { entity.kind.code + ":" + entity.id.text }
}
