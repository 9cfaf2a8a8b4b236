import Encodings
import Subscriptions

extension ReportDocument {
    /// The state of subscriptions in a sentence: how many are active, the recurring revenue, and the latest churn.
    var subscriptionsSentence: String? {
        guard table == nil, let states = summary["subscription_states"] else { return nil }
        let count = { (names: Set<String>) in
            states.rows.filter { names.contains($0.first?.plainText ?? "") }.compactMap { $0.dropFirst().first?.count }
                .reduce(0, +)
        }
        let running = count(["trial", "intro", "active", "grace-period"])
        var parts = ["\(counted(running, "subscription", grouped)) active"]
        let unknown = count(["not-refreshed"])
        if unknown > 0 { parts.append("\(grouped(unknown)) not refreshed, so that their state is not known") }
        let revenue = recurringRevenue
        if !revenue.isEmpty { parts.append("MRR " + revenue.joined(separator: ", ")) }
        if let churn = latestChurn { parts.append(churn) }
        return parts.joined(separator: "; ") + "."
    }

    /// Monthly recurring revenue by currency: the sum of what is paid and what the policy prices.
    private var recurringRevenue: [String] {
        var sums: [(currency: ExactText, millionths: Int64)] = []
        for row in summary["subscription_recurring_revenue"]?.rows ?? [] {
            guard case .money(let millionths, let currency)? = row.last else { continue }
            if let place = sums.firstIndex(where: { $0.currency == currency }) {
                sums[place].millionths = sums[place].millionths.addingClamped(millionths)
            } else {
                sums.append((currency, millionths))
            }
        }
        return sums.prefix(3).map { Summary.Cell.money($0.millionths, currency: $0.currency).displayText }
    }

    /// The churn of the latest month that has one, with its bounds: subscriptions that are not refreshed may be lost.
    private var latestChurn: String? {
        guard let churn = summary["subscription_churn"], let place = churn.columns.firstIndex(of: "churn"),
            let row = churn.rows.last(where: { place < $0.count && $0[place].hasWhole })
        else { return nil }
        let bounds = ["churn_low", "churn_high"].compactMap { churn.columns.firstIndex(of: $0) }
            .compactMap { $0 < row.count && row[$0].hasWhole ? row[$0].displayText : nil }
        let range = bounds.count == 2 && bounds[0] != bounds[1] ? " (\(bounds[0]) to \(bounds[1]))" : ""
        return "churn \(row[place].displayText)\(range) in \(row[0].plainText)"
    }
}

extension Summary.Cell {
    /// Whether it is a share with a whole.
    fileprivate var hasWhole: Bool { if case .share(_, let whole) = self { whole > 0 } else { false } }
}

extension Int64 {
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, isBeyond) = addingReportingOverflow(other)
        return isBeyond ? (other < 0 ? .min : .max) : sum
    }
}
