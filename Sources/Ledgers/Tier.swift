/// The rows of a table that one run wrote, or that several tiers were merged into.
///
/// Keys are hashes: a few new rows would touch nearly every page of a large table. So each run writes a tier of its
/// own, and a lookup searches all tiers. A row is in one of them.
struct Tier: Equatable {
    /// The first column of the table's key: a tier stands behind those with smaller numbers.
    let number: Int64
    /// The number of rows when it was written.
    let rows: Int64
}

/// A table with tiers, by its name.
enum TieredTable: String, CaseIterable {
    case claim
    case observation
    case signature
    case statement

    /// The columns by which the rows of a tier are sorted.
    var key: String {
        switch self {
        case .claim: "id"
        case .observation: "key, claim"
        case .signature: "digest"
        case .statement: "key, record"
        }
    }

    /// All columns but the tier; those of the key come first.
    var columns: String {
        switch self {
        case .claim: "id, run, seal, record"
        case .observation: "key, claim, seal"
        case .signature: "digest, run, seal, verdict"
        case .statement: "key, record, claim, run, seal"
        }
    }

    var columnCount: Int32 {
        switch self {
        case .observation: 3
        case .claim, .signature: 4
        case .statement: 5
        }
    }
}

/// The tiers of all tables, as listed in the table `meta`.
struct TierList: Equatable {
    private var tiers: [TieredTable: [Tier]] = [:]

    /// The tiers of a table, the largest first, as it is the most likely to have a row.
    subscript(table: TieredTable) -> [Tier] {
        get { tiers[table] ?? [] }
        set {
            tiers[table] =
                newValue.isEmpty ? nil : newValue.sorted { ($1.rows, $0.number) < ($0.rows, $1.number) }
        }
    }

    /// Returns the numbers of a table's tiers.
    func numbers(_ table: TieredTable) -> [Int64] { self[table].map(\.number) }

    init() {}

    /// Reads the list.
    init(_ meta: LedgerMeta) throws(LedgerError) {
        for table in TieredTable.allCases {
            let numbers = try meta.numbers(Self.name(table))
            self[table] = stride(from: 0, to: numbers.count - 1, by: 2).map {
                Tier(number: numbers[$0], rows: numbers[$0 + 1])
            }
        }
    }

    /// Counts the rows in the tables.
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

/// Chooses the tiers of a table that are merged into one.
///
/// Eight of one order of magnitude become one of the next, as in a log-structured merge tree. So there are at most a
/// few dozen, a row is rewritten only a few times, and a large tier stays until there are others of its size.
struct TierPlan {
    /// The number of tiers of one size that are merged.
    private static let fanIn = 8
    /// Tiers with fewer rows have the same size.
    private static let minRows: Int64 = 4096

    /// The tiers to merge; empty if there are not too many of any size.
    let merged: [Tier]

    init(_ tiers: [Tier]) {
        var merged: [Tier] = []
        var rest = tiers.map { (tier: $0, size: Self.size($0.rows)) }
        var result: (rows: Int64, size: Int)?
        while let size = Self.fullSize(rest.map(\.size) + (result.map { [$0.size] } ?? [])) {
            // Smaller ones go with them at little cost.
            merged += rest.filter { $0.size <= size }.map(\.tier)
            rest.removeAll { $0.size <= size }
            let rows = merged.reduce(0) { $0 &+ $1.rows }
            // At least one size larger, so that the loop ends.
            result = (rows, max(Self.size(rows), size + 1))
        }
        self.merged = merged
    }

    /// Returns the smallest size that too many tiers have.
    private static func fullSize(_ sizes: [Int]) -> Int? {
        Dictionary(grouping: sizes) { $0 }.filter { $0.value.count >= fanIn }.keys.min()
    }

    /// Returns the order of magnitude.
    private static func size(_ rows: Int64) -> Int {
        var (rest, size) = (rows, 0)
        while rest >= minRows { (rest, size) = (rest / Int64(fanIn), size + 1) }
        return size
    }
}
