import Encodings
import Receipts

extension Purchase {
    /// A purchase as evidence names it: product and transaction.
    var named: String { "“\(productID.boundedID)” (transaction \(transactionID.boundedID))" }
}

extension Policy {
    /// A limit that counts minutes or hours, in seconds; never beyond what the limit may be.
    func seconds(of limit: RuleLimit, each unit: Int64, in rule: (some Rule).Type) -> Int64 {
        let value = value(of: limit, in: rule)
        return Int64(min(max(value, limit.range.lowerBound), limit.range.upperBound)) * unit
    }
}
