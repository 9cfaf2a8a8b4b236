import Encodings
import Receipts

extension Purchase {
    /// A purchase as evidence names it: `“gold” (transaction 460000000000001, bought on …)`.
    func named(_ details: String) -> String {
        "“\(productID.boundedID)” (transaction \(transactionID.boundedID), \(details))"
    }
}

extension Array {
    /// The first ten, in words, and how many more there are.
    func listedOfAll(_ text: (Element) -> String) -> String { listed(of: String(count), text) }
}

extension Policy {
    /// A limit that counts minutes or hours, in seconds; never beyond what the limit may be.
    func seconds(of limit: RuleLimit, each unit: Int64, in rule: (some Rule).Type) -> Int64 {
        let value = value(of: limit, in: rule)
        return Int64(min(max(value, limit.range.lowerBound), limit.range.upperBound)) * unit
    }
}
