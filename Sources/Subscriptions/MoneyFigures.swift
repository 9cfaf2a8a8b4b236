import Encodings
import Rules

/// The revenue of subscriptions at the prices of a policy, in integers.
///
/// A receipt has no price. Periods whose price is not the catalogue's (trials, introductory and promotional offers,
/// products without a price) are counted, but have no value here.
struct MoneyFigures: Sendable, Codable {
    /// The kinds of running subscriptions; only priced ones have recurring revenue.
    enum RunningCount: Hashable, CaseIterable, Sendable, Codable { case priced, trial, offer, unpriced }
    /// The kinds of paid periods; only priced ones have revenue.
    enum PeriodCount: Hashable, CaseIterable, Sendable, Codable { case priced, offer, unpriced }

    struct MonthKey: Hashable, Comparable, Sendable, Codable {
        var month: Month
        /// ISO 4217.
        var currency: ExactText

        static func < (a: MonthKey, b: MonthKey) -> Bool { (a.month, a.currency) < (b.month, b.currency) }
    }

    /// In millionths of the currency's unit.
    struct Revenue: Sendable, Codable {
        /// Prices of the periods bought in the month.
        fileprivate(set) var gross: Int128 = 0
        /// Prices of the periods refunded in the month, whenever bought. What an upgrade gives back is not in receipts.
        fileprivate(set) var refunds: Int128 = 0
        var net: Int128 { gross.subtractingSaturating(refunds) }

        fileprivate mutating func add(gross: Int128 = 0, refunds: Int128 = 0) {
            self.gross = self.gross.addingSaturating(gross)
            self.refunds = self.refunds.addingSaturating(refunds)
        }
    }

    /// What renews each month in one currency.
    struct Recurring: Sendable, Codable {
        /// The number of subscriptions.
        fileprivate(set) var subscriptions = 0
        /// In twelfths of millionths, so that a year's price is divided once, after adding.
        fileprivate var twelfths: Int128 = 0
        /// In millionths of the currency's unit; half a millionth is rounded up.
        var monthly: Int128 { twelfths.addingSaturating(6) / 12 }

        fileprivate mutating func add(_ subscriptions: Int, _ twelfths: Int128) {
            self.subscriptions = self.subscriptions.addingSaturating(subscriptions)
            self.twelfths = self.twelfths.addingSaturating(twelfths)
        }
    }

    private(set) var running = Counts<RunningCount>()
    private(set) var periods = Counts<PeriodCount>()
    @SortedByKey private(set) var revenue: [MonthKey: Revenue] = [:]
    /// By currency, ISO 4217.
    @SortedByKey private(set) var recurring: [ExactText: Recurring] = [:]

    init() {}

    mutating func add(_ subscription: Subscription, _ policy: Policy) {
        let catalogue = policy.apps[subscription.row.bundleID]?.products ?? [:]
        addRunning(subscription, catalogue)
        for period in subscription.periods where period.isPaid {
            guard !period.isOffer else {
                periods.add(.offer)
                continue
            }
            guard let price = catalogue[period.productID]?.price, price.millionths >= 0 else {
                periods.add(.unpriced)
                continue
            }
            periods.add(.priced)
            let amount = Int128(price.millionths)
            revenue[MonthKey(month: Month(period.purchasedAt), currency: price.currency), default: Revenue()]
                .add(gross: amount)
            guard let date = period.refundedAt else { continue }
            revenue[MonthKey(month: Month(date), currency: price.currency), default: Revenue()].add(refunds: amount)
        }
    }

    private mutating func addRunning(_ subscription: Subscription, _ catalogue: [ExactText: Product]) {
        guard subscription.row.state.isRunning,
            let latest = subscription.periods.last
        else { return }
        if latest.isTrial { return running.add(.trial) }
        if latest.isOffer { return running.add(.offer) }
        guard let product = catalogue[latest.productID], let price = product.price, price.millionths >= 0,
            let period = product.period
        else { return running.add(.unpriced) }
        running.add(.priced)
        recurring[price.currency, default: Recurring()].add(1, Int128(price.millionths) * period.twelfthsOfMonths)
    }

    static func += (figures: inout Self, other: Self) {
        figures.running += other.running
        figures.periods += other.periods
        for (key, revenue) in other.revenue {
            figures.revenue[key, default: Revenue()].add(gross: revenue.gross, refunds: revenue.refunds)
        }
        for (currency, amount) in other.recurring {
            figures.recurring[currency, default: Recurring()].add(amount.subscriptions, amount.twelfths)
        }
    }
}

extension Product.Period {
    /// Twelve times the number of payments in a month: 30 for a day, 4 for a week, a twelfth for a year.
    fileprivate var twelfthsOfMonths: Int128 {
        switch self {
        case .day: 360
        case .week: 48
        case .month: 12
        case .twoMonths: 6
        case .quarter: 4
        case .halfYear: 2
        case .year: 1
        }
    }
}
