import Encodings
import Rules

/// The revenue of subscriptions: at the prices that tokens show, and elsewhere at those of a policy; in integers.
///
/// A receipt has no price. What has none in either (trials, offers, products without a price) is counted, but has no value
/// here. Amounts of two currencies are never added.
struct MoneyFigures: Sendable, Codable {
    /// The kinds of running subscriptions; only paid and priced ones have recurring revenue.
    enum RunningCount: Hashable, CaseIterable, Sendable, Codable { case paid, priced, trial, offer, shared, unpriced }
    /// The kinds of paid periods; only paid and priced ones have revenue.
    enum PeriodCount: Hashable, CaseIterable, Sendable, Codable { case paid, priced, offer, shared, unpriced }

    struct MonthKey: Hashable, Comparable, Sendable, Codable {
        var month: Month
        /// ISO 4217.
        var currency: ExactText

        static func < (a: MonthKey, b: MonthKey) -> Bool { (a.month, a.currency) < (b.month, b.currency) }
    }

    /// What was taken in a month, in one currency.
    struct Revenue: Sendable, Codable {
        /// At whatever prices.
        fileprivate(set) var all = Amounts()
        /// Of it, what tokens show as paid.
        fileprivate(set) var paid = Amounts()

        fileprivate mutating func add(_ amounts: Amounts, _ basis: PeriodPrice.Basis) {
            all += amounts
            if basis == .paid { paid += amounts }
        }
    }

    /// In millionths of the currency's unit.
    struct Amounts: Sendable, Codable {
        /// Prices of the periods bought in the month.
        fileprivate(set) var gross: Int128 = 0
        /// What was given back for periods in the month, whenever bought. What an upgrade gives back is not in proofs.
        fileprivate(set) var refunds: Int128 = 0
        var net: Int128 { gross.subtractingSaturating(refunds) }

        fileprivate static func += (a: inout Self, b: Self) {
            a.gross = a.gross.addingSaturating(b.gross)
            a.refunds = a.refunds.addingSaturating(b.refunds)
        }
    }

    /// What renews each month in one currency.
    struct Recurring: Sendable, Codable {
        /// At whatever prices.
        var all: Monthly { paid + priced }
        /// At the prices that tokens show.
        fileprivate(set) var paid = Monthly()
        /// At the policy's prices.
        fileprivate(set) var priced = Monthly()

        fileprivate mutating func add(_ amount: Monthly, _ basis: PeriodPrice.Basis) {
            switch basis {
            case .paid: paid = paid + amount
            case .policy: priced = priced + amount
            }
        }
    }

    struct Monthly: Sendable, Codable {
        /// The number of subscriptions.
        fileprivate(set) var subscriptions = 0
        /// In twelfths of millionths, so that a year's price is divided once, after adding.
        fileprivate var twelfths: Int128 = 0
        /// In millionths of the currency's unit; half a millionth is rounded up.
        var monthly: Int128 { twelfths.addingSaturating(6) / 12 }

        fileprivate static func + (a: Self, b: Self) -> Self {
            Monthly(
                subscriptions: a.subscriptions.addingSaturating(b.subscriptions),
                twelfths: a.twelfths.addingSaturating(b.twelfths))
        }
    }

    private(set) var running = KindCounts<RunningCount>()
    private(set) var periods = KindCounts<PeriodCount>()
    @SortedByKey private(set) var revenue: [MonthKey: Revenue] = [:]
    /// By currency, ISO 4217.
    @SortedByKey private(set) var recurring: [ExactText: Recurring] = [:]

    init() {}

    mutating func add(_ subscription: Subscription, _ policy: Policy) {
        let catalogue = policy.apps[subscription.row.bundleID]?.products ?? [:]
        addRunning(subscription, catalogue)
        for period in subscription.periods where period.isPaid {
            switch PeriodValue(period, catalogue) {
            case .offer: periods.add(.offer)
            case .shared: periods.add(.shared)
            case .unpriced: periods.add(.unpriced)
            case .price(let price):
                periods.add(price.basis == .paid ? .paid : .priced)
                add(Amounts(gross: price.millionths), price, at: period.purchasedAt)
                guard let date = period.refundedAt else { continue }
                add(Amounts(refunds: price.refund(of: period)), price, at: date)
            }
        }
    }

    private mutating func add(_ amounts: Amounts, _ price: PeriodPrice, at date: Instant) {
        revenue[MonthKey(month: Month(date), currency: price.currency), default: Revenue()].add(amounts, price.basis)
    }

    private mutating func addRunning(_ subscription: Subscription, _ catalogue: [ExactText: Product]) {
        guard subscription.row.state.isRunning, let latest = subscription.periods.last else { return }
        if let product = subscription.unseen?.productID {
            // A renewal info tells the price of the next period, not of this one.
            return addRunning(catalogue[product]?.paidPrice, catalogue[product]?.period?.twelfthsOfMonths)
        }
        if latest.isTrial { return running.add(.trial) }
        switch PeriodValue(latest, catalogue) {
        case .offer: running.add(.offer)
        case .shared: running.add(.shared)
        case .unpriced: running.add(.unpriced)
        case .price(let price):
            // An offer may last longer or shorter than the product's periods.
            let product = latest.isOffer ? nil : catalogue[latest.productID]?.period?.twelfthsOfMonths
            let stated = price.basis == .paid ? RenewalSchedule(latest)?.twelfthsOfMonths : nil
            addRunning(price, product ?? stated)
        }
    }

    /// - Parameter twelfths: twelve times the number of payments in a month; `nil` if that is not known.
    private mutating func addRunning(_ price: PeriodPrice?, _ twelfths: Int128?) {
        guard let price, let twelfths else { return running.add(.unpriced) }
        running.add(price.basis == .paid ? .paid : .priced)
        recurring[price.currency, default: Recurring()]
            .add(Monthly(subscriptions: 1, twelfths: price.millionths * twelfths), price.basis)
    }

    static func += (figures: inout Self, other: Self) {
        figures.running += other.running
        figures.periods += other.periods
        for (key, revenue) in other.revenue {
            figures.revenue[key, default: Revenue()].all += revenue.all
            figures.revenue[key, default: Revenue()].paid += revenue.paid
        }
        for (currency, amount) in other.recurring {
            figures.recurring[currency, default: Recurring()].add(amount.paid, .paid)
            figures.recurring[currency, default: Recurring()].add(amount.priced, .policy)
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
