import Encodings
import Engine
import Rules

/// The money at stake.
extension Summary {
    static let atStakeID = "at_stake"
    static let appsAtStakeID = "apps_at_stake"
    static let usedRefundsID = "used_refunds"
    /// The findings of the headline.
    static let urgentLabel = "critical and high, likely or possible"

    static func money(_ result: AuditResult) -> [Section] {
        var apps = Section(
            appsAtStakeID, "", columns: ["app", "at_stake"],
            rows: result.appsAtStake.sorted { $0.key < $1.key }.map { [.text($0.key), Cell($0.value)] })
        apps.readers = .sentences
        return [
            atStake(urgent: result.urgentAtStake, all: result.atStake), apps, usedRefunds(result.usedRefundsAtStake),
        ].filter { !$0.rows.isEmpty }
    }

    /// Returns the price of the purchases that were used after their refund.
    static func usedRefunds(_ stake: (amounts: [AmountAtStake], unpriced: Int)) -> Section {
        var section = Section(
            usedRefundsID, "", columns: ["at_stake", "without_price"], rows: amounts(of: stake))
        section.readers = .sentences
        return section
    }

    /// Returns a row for each currency, with the number of transactions without a price in the first.
    private static func amounts(of stake: (amounts: [AmountAtStake], unpriced: Int)) -> [[Cell]] {
        guard !stake.amounts.isEmpty || stake.unpriced > 0 else { return [] }
        let amounts = stake.amounts.isEmpty ? [Cell.none] : stake.amounts.map { Cell($0) }
        return amounts.enumerated().map { index, amount in
            [amount, index == 0 && stake.unpriced > 0 ? .number(stake.unpriced) : .none]
        }
    }

    /// Returns the total price of the transactions that findings concern, each once, in every currency.
    static func atStake(
        urgent: (amounts: [AmountAtStake], unpriced: Int), all: (amounts: [AmountAtStake], unpriced: Int)
    ) -> Section {
        let rows = [(urgentLabel, urgent), ("all", all)].flatMap { label, stake in
            amounts(of: stake).map { [.code(label)] + $0 }
        }
        var section = Section(
            atStakeID, "Money at stake",
            "The price of the transactions that findings concern, each once, in each currency; findings that a review closed as ok put nothing at stake.",
            columns: ["findings", "at_stake", "without_price"], rows: rows)
        section.readers = .people
        return section
    }
}
