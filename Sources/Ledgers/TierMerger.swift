/// Merges tiers: writes their rows into one in the order of keys, and deletes them.
struct TierMerger {
    /// The writer's.
    let connection: Connection
    /// Sees the tiers as they were before the run. To read the table that is written would cost a new search at each row.
    let earlier: Connection

    /// Merges those of a table's tiers that should be, which an earlier run wrote.
    ///
    /// - Parameter number: of the tier that they become.
    /// - Returns: the tiers that there are afterwards.
    func merge(_ tiers: [Tier], of table: TieredTable, into number: Int64) throws(LedgerError) -> [Tier] {
        let merged = TierPlan(tiers).merged
        guard !merged.isEmpty else { return tiers }
        // SQLite goes through all of them side by side; nothing is sorted.
        let selections = merged.map { "SELECT \(table.columns) FROM \(table.rawValue) WHERE tier=\($0.number)" }
        let rows = try Statement(earlier, selections.joined(separator: " UNION ALL ") + " ORDER BY \(table.key)")
        let batch = try RowBatch(connection, table, tier: number)
        // With their seals: a row that is damaged stays so, and is noticed where it is used.
        while try rows.step() { try batch.add { $0.bind(row: rows, from: $1) } }
        try batch.write()
        // What is deleted is overwritten, as everywhere: without that a merge would be a few hundredths faster.
        for tier in merged {
            try connection.execute("DELETE FROM \(table.rawValue) WHERE tier=\(tier.number)")
        }
        return tiers.filter { !merged.contains($0) } + [Tier(number: number, rows: batch.added)]
    }
}
