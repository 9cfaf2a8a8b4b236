/// A part of a table that one run wrote, or that several such parts were merged into.
///
/// Keys are hashes: the few new rows of a night would touch nearly every page of a large table. So they are written side by
/// side, and who looks for a row looks through all tiers. A row is in one of them.
struct Tier: Equatable {
    /// Where its rows stand: behind those of all tiers with smaller numbers.
    let number: Int64
    /// How many rows it had when it was written.
    let rows: Int64
}

/// A table whose rows stand in tiers, by its name.
enum TieredTable: String, CaseIterable {
    case claim
    case observation
    case signature

    /// What the table is sorted by in a tier.
    var key: String {
        switch self {
        case .claim: "id"
        case .observation: "key, claim"
        case .signature: "digest"
        }
    }

    /// All columns but the tier; those of the key are first.
    var columns: String {
        switch self {
        case .claim: "id, run, seal, record"
        case .observation: "key, claim, seal"
        case .signature: "digest, run, seal, verdict"
        }
    }
}

/// The tiers of all tables, as the ledger lists them.
struct TierList: Equatable {
    private var tiers: [TieredTable: [Tier]] = [:]

    /// The tiers of a table, the largest first: what is looked for is most likely there.
    subscript(table: TieredTable) -> [Tier] {
        get { tiers[table] ?? [] }
        set {
            tiers[table] =
                newValue.isEmpty ? nil : newValue.sorted { ($1.rows, $0.number) < ($0.rows, $1.number) }
        }
    }

    /// The numbers of a table's tiers.
    func numbers(_ table: TieredTable) -> [Int64] { self[table].map(\.number) }

    init() {}

    /// Reads what the ledger says.
    init(_ meta: LedgerMeta) throws(LedgerError) {
        for table in TieredTable.allCases {
            let numbers = try meta.numbers(Self.name(table))
            self[table] = stride(from: 0, to: numbers.count - 1, by: 2).map {
                Tier(number: numbers[$0], rows: numbers[$0 + 1])
            }
        }
    }

    /// Counts what is there.
    init(counting connection: Connection) throws(LedgerError) {
        for table in TieredTable.allCases {
            let statement = try Statement(connection, "SELECT tier, count(*) FROM \(table.rawValue) GROUP BY tier")
            var found: [Tier] = []
            while try statement.step() { found.append(Tier(number: statement.number(0), rows: statement.number(1))) }
            self[table] = found
        }
    }

    func write(to meta: LedgerMeta) throws(LedgerError) {
        for table in TieredTable.allCases {
            try meta.set(Self.name(table), self[table].flatMap { [$0.number, $0.rows] })
        }
    }

    private static func name(_ table: TieredTable) -> String { "\(table.rawValue)_tiers" }
}
