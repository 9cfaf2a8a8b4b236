import Checks
import Encodings
import Engine
import Rules

/// The first rows of the table `entities`, as many as a person reads, and their total number.
struct TopEntities {
    /// The maximum number of cards, and the number of cards that name all kept findings of their entity; the others
    /// name few.
    static let maxRows = 200
    private static let maxFull = 20
    private static let maxFew = 10
    private static let maxEvidence = 200

    /// The entities with a card. The entities of a ring share one, that of the first.
    private(set) var rows: [EntityRow] = []
    private(set) var count = 0
    /// By the ring's finding.
    private var rings: [FindingID: Ring] = [:]
    /// The first entities of each kind, even if many others come before them, each with its card, if it has one.
    private var firstOfKind: [Entity.Kind: [(card: Int?, row: EntityRow)]] = [:]
    /// The maximum number of entities listed per kind.
    private static let maxOfKind = 5
    /// The findings that cards name, once they are found.
    private var findings: [FindingID: QueuedFinding] = [:]

    /// The other members of a ring.
    struct Ring {
        /// The index of the first member's card.
        fileprivate let card: Int
        fileprivate(set) var count = 0
        /// The first of the other members.
        fileprivate(set) var named: [EntityRow] = []
        static let maxNamed = 100
    }

    /// Where an entity is named.
    enum Place: Equatable {
        /// It has a card.
        case card(Int)
        /// It is named on the card of the first of its ring.
        case member(ofCard: Int)
        /// It is counted on the card of the first of its ring, and not named.
        case counted(onCard: Int)
        case nowhere

        var card: Int? {
            switch self {
            case .card(let card), .member(ofCard: let card), .counted(onCard: let card): card
            case .nowhere: nil
            }
        }
    }

    @discardableResult
    mutating func add(_ row: EntityRow) -> Place {
        count += 1
        let place = place(row)
        if Self.kinds.contains(where: { $0.kind == row.entity.kind }) {
            let first = firstOfKind[row.entity.kind] ?? []
            if first.count < Self.maxOfKind { firstOfKind[row.entity.kind] = first + [(place.card, row)] }
        }
        return place
    }

    private mutating func place(_ row: EntityRow) -> Place {
        if let id = row.ring, var ring = rings[id] {
            defer { rings[id] = ring }
            ring.count += 1
            guard ring.named.count < Ring.maxNamed else { return .counted(onCard: ring.card) }
            var member = row
            member.marks = []
            ring.named.append(member)
            return .member(ofCard: ring.card)
        }
        guard rows.count < Self.maxRows else { return .nowhere }
        rows.append(row)
        if let id = row.ring { rings[id] = Ring(card: rows.count - 1) }
        return .card(rows.count - 1)
    }

    /// Returns the other members of a ring, if the entity is the first.
    func ring(of index: Int) -> Ring? {
        guard let ring = rows[index].ring.flatMap({ rings[$0] }), ring.card == index, ring.count > 0 else { return nil }
        return ring
    }

    /// Returns how many entities the first cards are about.
    func shownCount(_ max: Int) -> Int {
        rows.indices.prefix(max).reduce(0) { $0 + 1 + (ring(of: $1)?.count ?? 0) }
    }

    /// The kinds with a separate table, with its title.
    static let kinds: [(kind: Entity.Kind, title: String)] = [(.account, "Worst accounts"), (.device, "Worst devices")]

    /// Returns the first entities of a kind, each with its card, if it has one.
    func first(of kind: Entity.Kind) -> [(card: Int?, row: EntityRow)] { firstOfKind[kind] ?? [] }

    /// The findings named on cards.
    var named: Set<FindingID> { Set(rows.indices.flatMap { notes(of: $0).map(\.finding) }) }

    mutating func add(named finding: FindingRow) {
        findings[finding.id] = QueuedFinding(ComparedFinding(finding), maxEvidence: Self.maxEvidence)
    }

    /// Returns the findings named on the card of an entity, the highest mark first.
    func notes(of index: Int) -> ArraySlice<EntityNote> {
        rows[index].marks.prefix(index < Self.maxFull ? Int.max : Self.maxFew)
    }

    func finding(_ id: FindingID) -> QueuedFinding? { findings[id] }

    /// The entities with cards that name a finding, by finding.
    var byFinding: [FindingID: [Int]] {
        rows.indices.reduce(into: [:]) { all, index in
            for note in notes(of: index) { all[note.finding, default: []].append(index) }
        }
    }

    /// Returns the first entities as a table.
    func section(_ max: Int = 100) -> Summary.Section {
        var explanation =
            "Accounts, devices, people, transactions, receipts and signers that findings are about: those "
        explanation += "with a claim in the 30 days before as-of first, then by score. Members of a ring are one row. "
        let shown = shownCount(max)
        if count > shown {
            explanation += "These are \(grouped(shown)) of \(grouped(count)); "
            explanation += "all are in a report of their own, `--report entities=FILE.csv`. "
        }
        return Summary.Section(
            "entities", "By score", explanation,
            columns: [
                "entity", "id", "score", "worst", "findings", "claims", "valid", "devices", "accounts", "at stake",
                "last presented", "rules",
            ],
            rows: rows.indices.prefix(max).map { cells($0) })
    }

    private func cells(_ index: Int) -> [Summary.Cell] {
        let row = rows[index]
        let others = ring(of: index).map { " and \(grouped($0.count)) more of a ring" } ?? ""
        return [
            .code(row.entity.kind.code + others), .text(row.entity.id), .code(row.visibleScore), .code(row.worst.code),
            .number(row.findings), .number(row.claims), .number(row.valid), .number(row.devices),
            .number(row.accounts), Summary.Cell(row.atStake),
            row.lastPresented.map { .code($0.date) } ?? .none,
            .code(row.rules.replacing(";", with: ", ")),
        ]
    }
}

extension EntityRow {
    /// The score in points.
    var visibleScore: String { DecimalNumber(millionths: Int128(score) * 100_000).description }
}
