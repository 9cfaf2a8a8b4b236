import Encodings
import SQLite

/// The money of the transactions that Apple signed for a subject, in every currency, and how many others its claims
/// name.
struct ShownMoney {
    /// A row for each currency, and one for what has none.
    private let sums: [DatabaseReader.Row]
    private let others: [(word: WordOf, count: Int)]

    init() { (sums, others) = ([], []) }

    init(_ queries: ShownQueries, _ id: String, _ reader: DatabaseReader) throws {
        sums = try reader.rows(queries.sums, [id])
        others = try reader.rows(queries.words, [id]).compactMap { row in
            WordOf(rawValue: row.text("word") ?? "").map { (word: $0, count: row.number("transactions")) }
        }
    }

    /// Says it in sentences; `nil` if the claims show no transaction.
    var sentence: String? {
        guard !sums.isEmpty || !others.isEmpty else { return nil }
        let parts = sums.map { row -> String in
            let transactions = counted(row.number("transactions"), "transaction", grouped)
            guard let paid = row.amount("paid") else { return "\(transactions) without a price" }
            let refunds = row.number("refunds")
            let refunded =
                refunds > 0
                ? ", including \(row.amount("refunded") ?? "") in \(counted(refunds, "refund", grouped))" : ""
            return "\(paid) in \(transactions)\(refunded)"
        }
        let proven = parts.isEmpty ? "none" : parts.joined(separator: "; ")
        let prices = parts.isEmpty ? nil : "Prices come from signed tokens, or without one from the policy."
        return
            (["Purchases of its own that Apple signed: \(proven)."]
            + [WordOf.exclusions(others), prices].compactMap(\.self))
            .joined(separator: " ")
    }
}

extension ShownQueries {
    /// The prices of the transactions that Apple signed for it, in all and of refunded ones.
    fileprivate var sums: String {
        """
        SELECT currency, count(*) AS transactions, sum(price) AS paid, count(refunded_at) AS refunds,
            total(CASE WHEN refunded_at IS NOT NULL THEN price END) AS refunded
        FROM (\(purchases)) WHERE word = '\(WordOf.apple.rawValue)' GROUP BY currency ORDER BY currency IS NULL, currency
        """
    }

    /// How many transactions there are of each word.
    fileprivate var words: String {
        "SELECT word, count(*) AS transactions FROM (\(purchases)) GROUP BY word ORDER BY word"
    }
}

extension DatabaseReader.Row {
    func text(_ column: String) -> String? { first { $0.column == column }?.value.text }

    func number(_ column: String) -> Int { Int(clamping: first { $0.column == column }?.value.number ?? 0) }

    /// Returns an amount with the currency of the row and its decimals; `nil` if there is none.
    func amount(_ column: String) -> String? {
        guard let millionths = first(where: { $0.column == column })?.value.millionths, let currency = text("currency")
        else { return nil }
        let least = text("at_stake_at_least") == "true" && column == "at_stake" ? "at least " : ""
        return least + CurrencyDecimals.text(millionths, ExactText(currency))
    }
}
