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
        if unknown > 0 { parts.append("\(grouped(unknown)) not refreshed: their state is unknown") }
        parts += [RecurringRevenue(summary).sentence(isLeast: unknown > 0), latestChurn].compactMap(\.self)
        return parts.joined(separator: "; ") + "."
    }

    /// The churn of the last whole month that has one, with its bounds: subscriptions that are not refreshed may be
    /// lost. A month that as-of cuts is not over.
    private var latestChurn: String? {
        guard let churn = summary["subscription_churn"], let place = churn.columns.firstIndex(of: "churn"),
            let row = churn.rows.last(where: { row in
                if case .cutMonth? = row.first { return false }
                return place < row.count && row[place].hasWhole
            })
        else { return nil }
        let bounds = ["churn_low", "churn_high"].compactMap { churn.columns.firstIndex(of: $0) }
            .compactMap { $0 < row.count && row[$0].hasWhole ? row[$0].displayText : nil }
        let range =
            bounds.count == 2 && bounds[0] != bounds[1]
            ? " (\(bounds[0]) to \(bounds[1]) with those not refreshed)" : ""
        // A share of few is no trend.
        guard case .share(_, let decided) = row[place] else { return nil }
        let known = counted(decided, "known subscription", grouped)
        return "churn \(row[place].displayText) of \(known)\(range) in \(row[0].plainText)"
    }
}

/// The monthly recurring revenue of a run by currency: what is paid and what the policy prices.
private struct RecurringRevenue {
    private var sums: [(currency: ExactText, millionths: Int64, subscriptions: Int)] = []
    /// The number of running subscriptions that pay something, and nothing says how much.
    private var unpriced = 0

    /// The maximum number of currencies that are named.
    private static let maxNamed = 8
    /// The kinds of running subscriptions whose price is not known. Trials, and members whose buyer is seen, pay nothing.
    private static let unknownKinds: Set<String> = ["offer", "assigned", "unpriced"]

    init(_ summary: Summary) {
        for row in summary["subscription_recurring_revenue"]?.rows ?? [] where row.count > 2 {
            let subscriptions = row[2].count ?? 0
            guard case .money(let millionths, let currency)? = row.last else {
                if Self.unknownKinds.contains(row[0].plainText) { unpriced += subscriptions }
                continue
            }
            if let place = sums.firstIndex(where: { $0.currency == currency }) {
                sums[place].millionths = sums[place].millionths.addingSaturating(millionths)
                sums[place].subscriptions += subscriptions
            } else {
                sums.append((currency, millionths, subscriptions))
            }
        }
        sums.sort { ($1.subscriptions, $0.currency) < ($0.subscriptions, $1.currency) }
    }

    /// - Parameter isLeast: whether there are subscriptions that may run, too.
    /// - Returns: `nil` if no subscription has a known price.
    func sentence(isLeast: Bool) -> String? {
        guard !sums.isEmpty else { return nil }
        let named = sums.prefix(Self.maxNamed).map { sum in
            "\(CurrencyDecimals.text(sum.millionths, sum.currency)) of \(counted(sum.subscriptions, "subscription", grouped))"
        }
        var text = "MRR " + (sums.count > 1 ? "by currency, the one with most subscriptions first, " : "")
        if isLeast || unpriced > 0 { text += "at least " }
        text += named.joined(separator: ", ")
        let more = sums.count - named.count
        if more > 0 { text += " and amounts in \(grouped(more)) more currencies" }
        guard unpriced > 0 else { return text }
        return text + ", and \(grouped(unpriced)) more whose price is unknown"
    }
}

extension Summary.Cell {
    /// Whether it is a share with a whole.
    fileprivate var hasWhole: Bool { if case .share(_, let whole) = self { whole > 0 } else { false } }
}
