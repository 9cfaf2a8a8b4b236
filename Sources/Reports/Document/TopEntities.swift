import Checks
import Encodings
import Engine
import Rules

/// The first rows of the table `entities`, as many as a person reads, and how many there are.
struct TopEntities {
    /// How many entities have a card, and how many of these name as many findings as an entity keeps; the others name few.
    static let maxRows = 200
    private static let maxFull = 20
    private static let maxFew = 10
    private static let maxEvidence = 200

    private(set) var rows: [EntityRow] = []
    private(set) var count = 0
    /// The first of each kind, however many others come before them, each with its place among all.
    private var firstOfKind: [Entity.Kind: [(place: Int, row: EntityRow)]] = [:]
    /// How many entities of a kind are named by themselves.
    private static let maxOfKind = 5
    /// What is named in cards, once it was found.
    private var findings: [FindingID: QueuedFinding] = [:]

    mutating func add(_ row: EntityRow) {
        count += 1
        if rows.count < Self.maxRows { rows.append(row) }
        guard Self.kinds.contains(where: { $0.kind == row.entity.kind }) else { return }
        let first = firstOfKind[row.entity.kind] ?? []
        if first.count < Self.maxOfKind { firstOfKind[row.entity.kind] = first + [(count - 1, row)] }
    }

    /// The kinds that have a table of their own, with its title.
    static let kinds: [(kind: Entity.Kind, title: String)] = [(.account, "Worst accounts"), (.device, "Worst devices")]

    /// Returns the first entities of a kind, each with its place among all.
    func first(of kind: Entity.Kind) -> [(place: Int, row: EntityRow)] { firstOfKind[kind] ?? [] }

    /// The findings that cards name.
    var named: Set<FindingID> { Set(rows.indices.flatMap { notes(of: $0).map(\.finding) }) }

    mutating func add(named finding: FindingRow) {
        findings[finding.id] = QueuedFinding(ComparedFinding(finding), maxEvidence: Self.maxEvidence)
    }

    /// Returns the findings that the card of an entity names, the highest mark first.
    func notes(of index: Int) -> ArraySlice<EntityNote> {
        rows[index].marks.prefix(index < Self.maxFull ? Int.max : Self.maxFew)
    }

    func finding(_ id: FindingID) -> QueuedFinding? { findings[id] }

    /// The entities whose cards name a finding, by finding.
    var byFinding: [FindingID: [Int]] {
        rows.indices.reduce(into: [:]) { all, index in
            for note in notes(of: index) { all[note.finding, default: []].append(index) }
        }
    }

    /// Returns the first entities as a table.
    func section(_ max: Int = 100) -> Summary.Section {
        var explanation = "Accounts, devices, persons, transactions, receipts and signers that findings are about, "
        explanation += "highest score first. "
        if count > min(max, rows.count) {
            explanation += "These are \(grouped(min(max, rows.count))) of \(grouped(count)); "
            explanation += "all are in a report of their own, `--report entities=FILE.csv`. "
        }
        return Summary.Section(
            "entities", "By score", explanation,
            columns: [
                "entity", "id", "score", "worst", "findings", "claims", "valid", "devices", "accounts", "at stake",
                "rules",
            ],
            rows: rows.prefix(max).map { Self.cells($0) })
    }

    private static func cells(_ row: EntityRow) -> [Summary.Cell] {
        [
            .code(row.entity.kind.code), .text(row.entity.id), .code(row.visibleScore), .code(row.worst.code),
            .number(row.findings), .number(row.claims), .number(row.valid), .number(row.devices),
            .number(row.accounts), Summary.Cell(row.atStake), .code(row.rules.replacing(";", with: ", ")),
        ]
    }
}

extension EntityRow {
    /// The score in points.
    var visibleScore: String { DecimalNumber(millionths: Int128(score) * 100_000).description }
}
