/// Adds rows to a table, in a tier of this run's, unless an earlier one has them.
final class TierWriter<Key: TierKey> {
    private let connection: Connection
    private let batch: RowBatch
    /// Where the earlier rows are; `nil` if there are none.
    private let search: TierSearch<Key>?
    private let earlier: [Tier]
    /// Behind all others, so that rows are written one after another.
    private let tier: Int64
    /// Whether an earlier tier was changed: then it is not as it was before the run, and is not merged.
    private var hasChanged = false

    /// - Parameter reader: sees the tiers as they were before the run.
    init(_ connection: Connection, _ tiers: TierList, _ reader: Connection?) throws(LedgerError) {
        self.connection = connection
        earlier = tiers[Key.table]
        tier = earlier.reduce(0) { max($0, $1.number) } &+ 1
        search = earlier.isEmpty ? nil : reader.map { TierSearch($0, tiers) }
        batch = try RowBatch(connection, Key.table, tier: tier)
    }

    /// Whether there are rows of earlier runs.
    var hasEarlier: Bool { search != nil }

    /// The tiers of earlier runs that have a row.
    func earlierTiers(with key: Key) throws(LedgerError) -> [Int64] { try search?.tiers(with: key) ?? [] }

    /// Adds a row of which earlier tiers know nothing, unless this run added it.
    ///
    /// - Parameter bind: binds all columns but the tier, from an index on.
    func add(_ bind: (Statement, Int32) -> Void) throws(LedgerError) { try batch.add(bind) }

    /// Puts another row in the place of one in an earlier tier.
    func replace(in tier: Int64, _ bind: (Statement, Int32) -> Void) throws(LedgerError) {
        let table = Key.table
        let values = (1...table.columns.split(separator: ",").count + 1).map { "?\($0)" }.joined(separator: ", ")
        let replacing = try Statement(
            connection, "INSERT OR REPLACE INTO \(table.rawValue)(tier, \(table.columns)) VALUES(\(values))")
        replacing.bind(tier, at: 1)
        bind(replacing, 2)
        try replacing.run()
        hasChanged = true
    }

    /// How many rows were added, when all are written.
    var added: Int64 { batch.added }

    /// The tiers that there are from now on.
    func finish(_ reader: Connection?) throws(LedgerError) -> [Tier] {
        try batch.write()
        var tiers = earlier
        if let reader, !hasChanged {
            let merger = TierMerger(connection: connection, earlier: reader)
            tiers = try merger.merge(tiers, of: Key.table, into: tier &+ 1)
        }
        return added == 0 ? tiers : tiers + [Tier(number: tier, rows: added)]
    }
}
