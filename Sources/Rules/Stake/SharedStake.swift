import Encodings

/// The stake of a finding that very many others share: its sum with a small stake takes no copy of it.
package struct SharedStake: Sendable {
    package let stake: Stake
    /// The transactions in order.
    private let items: [(transaction: Stake.Transaction, item: Stake.Item)]
    private let totals: StakeTotals

    package init(_ stake: Stake, _ rules: RuleSet) {
        self.stake = stake
        items = stake.items
        totals = stake.totals(rules)
    }

    /// Returns what ``Stake/amount(_:)`` returns for the sum with another stake.
    package func amount(with other: Stake, _ rules: RuleSet) -> (amount: AmountAtStake?, unpriced: Int) {
        var totals = totals
        var (shown, added): ([(place: Int, item: Stake.Item)], [(transaction: Stake.Transaction, item: Stake.Item)]) =
            ([], [])
        for (transaction, item) in other.items {
            let place = items.firstPlace { $0.transaction >= transaction }
            if place < items.count, items[place].transaction == transaction {
                shown.append((place, item))
            } else if stake.isComplete || place < items.count {
                added.append((transaction, item))
            }
        }
        // The sum keeps the least transactions, up to the limit.
        var kept = items.count
        let isAll = stake.isComplete && other.isComplete && kept + added.count <= Stake.limit
        while kept + added.count > Stake.limit {
            if let last = added.last, kept == 0 || items[kept - 1].transaction < last.transaction {
                added.removeLast()
            } else {
                kept -= 1
                totals.count(items[kept].item, of: items[kept].transaction, -1, rules)
            }
        }
        for (transaction, item) in added { totals.count(item, of: transaction, 1, rules) }
        for (place, item) in shown where place < kept {
            var both = items[place].item
            both.add(item)
            totals.count(items[place].item, of: items[place].transaction, -1, rules)
            totals.count(both, of: items[place].transaction, 1, rules)
        }
        return totals.amount(rules, isLeast: !isAll)
    }
}
