import Encodings
import Rules
import Subscriptions

extension SlowFigures {
    /// Millionths a month by currency, each subscription's with all decimals that twelfths need.
    func recurring() -> [ExactText: Int] {
        var twelfths: [ExactText: Int] = [:]
        for one in all where [.trial, .intro, .active].contains(one.row.state) {
            guard let latest = one.periods.first(where: { $0.transactionID == one.row.lastTransactionID }),
                !latest.isTrial, !latest.isIntroOffer, !latest.isPromotionalOffer,
                let product = prices[latest.productID], let price = product.price, let period = product.period
            else { continue }
            let (times, over): (Int, Int) =
                switch period {
                case .day: (30, 1)
                case .week: (4, 1)
                case .month: (1, 1)
                case .twoMonths: (1, 2)
                case .quarter: (1, 3)
                case .halfYear: (1, 6)
                case .year: (1, 12)
                }
            twelfths[price.currency, default: 0] += Int(price.millionths) * 12 * times / over
        }
        return twelfths.mapValues { ($0 + 6) / 12 }
    }

    /// Gross or refunds by `2024-03 USD`.
    func revenue(ofRefunds: Bool) -> [String: Int] {
        var sums: [String: Int] = [:]
        for period in all.flatMap(\.periods) where !period.isTrial && !period.isIntroOffer {
            guard !period.isPromotionalOffer, let price = prices[period.productID]?.price,
                let date = ofRefunds ? period.refundedAt : period.purchasedAt
            else { continue }
            sums["\(Self.month(date)) \(price.currency)", default: 0] += Int(price.millionths)
        }
        return sums
    }
}
