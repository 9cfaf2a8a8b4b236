public import Encodings
import Rules

/// What subscriptions bring in at the prices of a policy, in whole numbers.
///
/// A receipt has no price. What a catalogue's price is not known to hold for (trials, introductory and
/// promotional offers, products without a price) is counted, and is worth nothing here.
public struct MoneyFigures: Equatable, Sendable, Codable {
    /// What the recurring revenue at as-of is of. Only subscriptions that run.
    public enum RunningCount: Hashable, CaseIterable, Sendable, Codable { case priced, trial, offer, unpriced }
    /// What revenue is of. Only paid periods.
    public enum PeriodCount: Hashable, CaseIterable, Sendable, Codable { case priced, offer, unpriced }

    public struct MonthKey: Hashable, Sendable, Codable {
        public var month: Month
        /// ISO 4217.
        public var currency: ExactText
    }

    /// In millionths of the currency's unit.
    public struct Revenue: Equatable, Sendable, Codable {
        /// Prices of the periods bought in the month.
        public fileprivate(set) var gross: Int128 = 0
        /// Prices of the periods refunded in the month, whenever bought.
        public fileprivate(set) var refunds: Int128 = 0
        public var net: Int128 { gross.subtractingSaturating(refunds) }

        fileprivate mutating func add(gross: Int128 = 0, refunds: Int128 = 0) {
            self.gross = self.gross.addingSaturating(gross)
            self.refunds = self.refunds.addingSaturating(refunds)
        }
    }

    /// What renews each month.
    public struct Recurring: Equatable, Sendable, Codable {
        /// Of how many subscriptions.
        public fileprivate(set) var subscriptions = 0
        /// In twelfths of millionths, so that a year's price is divided once, after adding.
        fileprivate var twelfths: Int128 = 0
        /// In millionths of the currency's unit; half a millionth is rounded up.
        public var monthly: Int128 { twelfths.addingSaturating(6) / 12 }

        fileprivate mutating func add(_ subscriptions: Int, _ twelfths: Int128) {
            self.subscriptions = self.subscriptions.addingSaturating(subscriptions)
            self.twelfths = self.twelfths.addingSaturating(twelfths)
        }
    }

    public private(set) var running = Counts<RunningCount>()
    public private(set) var periods = Counts<PeriodCount>()
    public private(set) var revenue: [MonthKey: Revenue] = [:]
    /// By currency, ISO 4217.
    public private(set) var recurring: [ExactText: Recurring] = [:]

    init() {}

    mutating func take(_ subscription: Subscription, _ policy: Policy) {
        let catalogue = policy.apps[subscription.row.bundleID]?.products ?? [:]
        takeRunning(subscription, catalogue)
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
            revenue[MonthKey(month: Month(date), currency: price.currency), default: Revenue()].add(
                refunds: amount)
        }
    }

    private mutating func takeRunning(_ subscription: Subscription, _ catalogue: [ExactText: Product]) {
        guard subscription.row.state.isRunning,
            let latest = subscription.periods.max(by: SubscriptionPeriod.ends)
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
    /// How often it is paid a month, times twelve: a day 30 times, a week 4 times, a year a twelfth of a time.
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
