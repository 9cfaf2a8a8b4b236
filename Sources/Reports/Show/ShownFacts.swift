import SQLite

/// The facts about a subject in words for people.
struct ShownFacts {
    /// The names of columns for people, where they are other words than the column's.
    private static let labels = [
        "at_stake": "money at stake", "worst": "worst mark", "new": "new since the last run",
        "active": "presented in the last 30 days", "ring": "part of the ring",
        "unpriced": "transactions without a price",
        "apps": "apps of genuine claims", "failed_checks": "failed checks", "risk": "worst finding",
        "guid": "device hash", "receipt_sha256": "SHA-256 of the signed content", "receipts": "rows of this run",
        "claimed_product_id": "product asked for", "bundle_id": "app", "product_id": "product",
        "account_id": "account", "device_id": "device", "finding_id": "finding", "claim_id": "claim",
        "change": "since the last run", "events": "times presented",
    ]
    /// The columns that are elsewhere, or part of another fact.
    private static let hidden: Set<String> = ["kind", "id", "evidence", "currency", "at_stake_at_least"]

    private static let amounts = ["at_stake", "price"]

    /// Returns each fact that is known.
    ///
    /// - Parameter text: returns the text of a cell; `nil` if it is empty.
    static func all(
        of row: DatabaseReader.Row, _ text: (DatabaseReader.Value) -> String?
    ) -> [(label: String, text: String)] {
        row.compactMap { cell in
            let amount = amounts.contains(cell.column) ? row.amount(cell.column) : nil
            guard !hidden.contains(cell.column), let text = amount ?? text(cell.value) else { return nil }
            // Nobody knows when undated claims were presented.
            if cell.column == "active", row.text("last_presented") == nil { return nil }
            let label = labels[cell.column] ?? cell.column.replacing("_", with: " ")
            let isFlag = ["new", "active"].contains(cell.column)
            return (label, isFlag ? (text == "true" ? "yes" : "no") : text.replacing(";", with: "; "))
        }
    }
}
