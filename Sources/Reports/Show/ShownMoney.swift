import Encodings
import Ledgers

/// The money of all transactions that the claims of a subject show, in every currency.
struct ShownMoney {
    /// A row for each currency, and one for what has none.
    let sums: [DatabaseReader.Row]

    /// Says it in a sentence; `nil` if the claims show no transaction.
    func sentence(_ text: (DatabaseReader.Row, String) -> String) -> String? {
        guard !sums.isEmpty else { return nil }
        let parts = sums.map { row -> String in
            let count = Int(clamping: number(row, "transactions"))
            let transactions = counted(count, "transaction", grouped)
            let currency = text(row, "currency")
            guard !currency.isEmpty else { return "\(transactions) without a price" }
            let refunds = Int(clamping: number(row, "refunds"))
            let refunded =
                refunds > 0 ? ", including \(text(row, "refunded")) in \(counted(refunds, "refund", grouped))" : ""
            return "\(text(row, "paid")) \(currency) in \(transactions)\(refunded)"
        }
        return
            "All transactions that the claims show: \(parts.joined(separator: "; ")). Prices come from signed tokens, or "
            + "without one from the policy."
    }

    private func number(_ row: DatabaseReader.Row, _ column: String) -> Int64 {
        row.first { $0.column == column }?.value.number ?? 0
    }
}

extension ShownQueries {
    /// The prices of its transactions, in all and of refunded ones.
    var sums: String {
        """
        SELECT currency, count(*) AS transactions, sum(price) AS paid, count(refunded_at) AS refunds,
            total(CASE WHEN refunded_at IS NOT NULL THEN price END) AS refunded
        FROM (\(purchases)) GROUP BY currency ORDER BY currency IS NULL, currency
        """
    }
}
