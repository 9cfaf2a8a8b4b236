import Encodings
import Receipts
import Rules

/// The revenue of subscriptions in integers, at prices from tokens, or at those of a policy if there are none.
///
/// A receipt has no price. Periods without any price (trials, offers, products without a price) are counted, but have
/// no value here. Amounts in different currencies are never added.
struct MoneyFigures: Sendable, Codable {
    /// The maximum number of parts with their own amounts.
    private static let maxParts = 100_000

    /// The kinds of running subscriptions; only paid and priced ones have recurring revenue.
    enum RunningCount: Hashable, CaseIterable, Sendable, Codable {
        case paid, priced, trial, offer, shared, assigned, unpriced
    }
    /// The kinds of paid periods, and of additions to one; only paid and priced ones have revenue.
    enum PeriodCount: Hashable, CaseIterable, Sendable, Codable { case paid, priced, offer, shared, assigned, unpriced }

    struct MonthKey: Hashable, Comparable, Sendable, Codable {
        var month: Month
        /// ISO 4217.
        var currency: ExactText

        static func < (a: MonthKey, b: MonthKey) -> Bool { (a.month, a.currency) < (b.month, b.currency) }
    }

    /// The revenue of a month, in one currency.
    struct Revenue: Summable, Codable {
        /// At all kinds of prices.
        fileprivate(set) var all = Amounts()
        /// The part of it that tokens show as paid.
        fileprivate(set) var paid = Amounts()

        fileprivate mutating func add(_ amounts: Amounts, _ basis: PeriodPrice.Basis) {
            all += amounts
            if basis == .paid { paid += amounts }
        }

        static func += (a: inout Self, b: Self) {
            a.all += b.all
            a.paid += b.paid
        }
    }

    /// In millionths of the currency's unit.
    struct Amounts: Sendable, Codable {
        /// The prices of the periods bought in the month.
        fileprivate(set) var gross: Int128 = 0
        /// The refunds in the month, for periods bought at any time. Proofs do not show what an upgrade gives back.
        fileprivate(set) var refunds: Int128 = 0
        /// The bounds of the refunds: proofs do not show which seats were refunded.
        fileprivate(set) var refundsLow: Int128 = 0
        fileprivate(set) var refundsHigh: Int128 = 0
        var net: Int128 { gross.subtractingSaturating(refunds) }
        /// Whether the refunds are known exactly.
        var isExact: Bool { refundsLow == refundsHigh }
        var isEmpty: Bool { gross == 0 && refunds == 0 }

        fileprivate init(gross: Int128) { self.gross = gross }

        fileprivate init(_ refund: PurchaseAmount.Refund) {
            refunds = refund.amount
            refundsLow = refund.low
            refundsHigh = refund.high
        }

        fileprivate init() {}

        fileprivate static func += (a: inout Self, b: Self) {
            a.gross = a.gross.addingSaturating(b.gross)
            a.refunds = a.refunds.addingSaturating(b.refunds)
            a.refundsLow = a.refundsLow.addingSaturating(b.refundsLow)
            a.refundsHigh = a.refundsHigh.addingSaturating(b.refundsHigh)
        }
    }

    /// The monthly recurring revenue in one currency.
    struct Recurring: Sendable, Codable {
        /// At all kinds of prices.
        var all: Monthly { paid + priced }
        /// At prices from tokens.
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
        /// In millionths of the currency's unit, rounded to the nearest, half a millionth up.
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
    /// Undated refunds, by currency, ISO 4217.
    @SortedByKey private(set) var undated: [ExactText: Revenue] = [:]
    /// By currency, ISO 4217.
    @SortedByKey private(set) var recurring: [ExactText: Recurring] = [:]

    /// The revenue of each app, and of its products, countries and lengths of periods.
    private(set) var parts = BoundedTable<MoneyPart, Revenue>(limit: maxParts)
    /// What changed the recurring revenue, of all apps and of each.
    private(set) var movements = BoundedTable<MoneyPart, RecurringMovements>(limit: maxParts)

    init() {}

    mutating func add(_ subscription: Subscription, _ policy: Policy, asOf: Instant) {
        let catalogue = policy.apps[subscription.row.bundleID]?.products ?? [:]
        let app = subscription.row.bundleID
        addRunning(subscription, catalogue)
        addMovements(of: subscription, catalogue, asOf: asOf)
        for period in subscription.memberPeriods where period.isPaid {
            if subscription.isBuyerSeen { periods.add(.shared) } else { add(period, of: app, catalogue) }
        }
        for period in subscription.periods where period.isPaid {
            if period.parts.isEmpty { add(period, of: app, catalogue) }
            for part in period.parts { add(part, of: app, catalogue) }
        }
    }

    private mutating func add(
        _ period: SubscriptionPeriod, of app: ExactText, _ catalogue: [ExactText: Product]
    ) {
        switch PeriodValue(period, catalogue) {
        case .offer: periods.add(.offer)
        case .shared: periods.add(.shared)
        case .assigned: periods.add(.assigned)
        case .unpriced: periods.add(.unpriced)
        case .price(let price):
            periods.add(price.basis == .paid ? .paid : .priced)
            let slices = MoneyPart.slices(of: period, app)
            add(Amounts(gross: price.millionths), price, at: period.purchasedAt, slices)
            for found in period.refunds(of: price) { add(Amounts(found.refund), price, at: found.date, slices) }
        }
    }

    private mutating func add(_ amounts: Amounts, _ price: PeriodPrice, at date: Instant?, _ slices: [MoneyPart]) {
        if let date {
            let key = MonthKey(month: Month(date), currency: price.currency)
            var added = Revenue()
            added.add(amounts, price.basis)
            revenue[key, default: Revenue()] += added
            for slice in slices { parts.add(added, at: slice.at(key.month, key.currency)) }
        } else {
            undated[price.currency, default: Revenue()].add(amounts, price.basis)
        }
    }

    private mutating func addRunning(_ subscription: Subscription, _ catalogue: [ExactText: Product]) {
        switch value(of: subscription, catalogue) {
        case .some(.missing(let count)): running.add(count)
        case .some(.amount(let twelfths, let price)):
            running.add(price.basis == .paid ? .paid : .priced)
            recurring[price.currency, default: Recurring()]
                .add(Monthly(subscriptions: 1, twelfths: twelfths), price.basis)
        case nil: break
        }
    }

    /// The value of a subscription's month.
    private enum RunningValue {
        case missing(RunningCount)
        case amount(twelfths: Int128, PeriodPrice)

        var amount: RecurringMovements.Amount? {
            guard case .amount(let twelfths, let price) = self else { return nil }
            return RecurringMovements.Amount(twelfths: twelfths, currency: price.currency)
        }
    }

    /// Adds what changed a subscription's recurring revenue from month to month.
    private mutating func addMovements(
        of subscription: Subscription, _ catalogue: [ExactText: Product], asOf: Instant
    ) {
        let running = value(of: subscription, catalogue)?.amount
        let changes = RecurringMovements.changes(of: subscription, running: running, asOf: asOf) {
            value(of: $0, next: nil, catalogue).amount
        } unseen: {
            catalogue[$0].flatMap { product in
                value(product.paidPrice().map { ($0, $0.millionths) }, product.period?.twelfthsOfMonths).amount
            }
        }
        let app = MoneyPart(bundleID: subscription.row.bundleID)
        for change in changes {
            for part in [MoneyPart(), app] {
                movements.add(change.movements, at: part.at(change.month, change.currency))
            }
        }
    }

    /// - Returns: `nil` if it does not run.
    private func value(of subscription: Subscription, _ catalogue: [ExactText: Product]) -> RunningValue? {
        guard subscription.row.state.isRunning, let latest = subscription.periods.last else { return nil }
        if let product = subscription.unseen?.productID {
            // A renewal info has the price of the next period, not of this one. It at least gives the price of seats
            // then.
            if let next = subscription.nextSeats, product == latest.productID {
                return value((next, next.millionths), twelfths(of: latest, .paid, catalogue))
            }
            let price = catalogue[product]?.paidPrice()
            return value(price.map { ($0, $0.millionths) }, catalogue[product]?.period?.twelfthsOfMonths)
        }
        if latest.isTrial { return .missing(.trial) }
        return value(of: latest, next: subscription.nextSeats, catalogue)
    }

    /// - Parameter next: the price of the next period, if that is known.
    private func value(
        of latest: SubscriptionPeriod, next: PeriodPrice?, _ catalogue: [ExactText: Product]
    ) -> RunningValue {
        let holding = latest.transactions.filter(\.holds)
        var sum: (price: PeriodPrice, millionths: Int128)?
        for transaction in holding.isEmpty ? [latest] : holding {
            switch PeriodValue(transaction, catalogue) {
            case .offer: return .missing(.offer)
            case .shared: return .missing(.shared)
            case .assigned: return .missing(.assigned)
            case .unpriced: return .missing(.unpriced)
            case .price(let price):
                guard sum.map({ ($0.price.currency, $0.price.basis) == (price.currency, price.basis) }) ?? true else {
                    return .missing(.unpriced)
                }
                let refunded = price.amount.refund(ofSeats: transaction.details?.seats?.revoked ?? 0)
                sum = (price, (sum?.millionths ?? 0) + price.millionths - refunded.amount)
            }
        }
        // The price of the next period takes precedence over that of this one.
        if !latest.isOffer, let next { sum = (next, next.millionths) }
        return value(sum, twelfths(of: latest, sum?.price.basis, catalogue))
    }

    /// Returns twelve times the number of payments in a month. An offer may be longer or shorter than the product's
    /// periods, and so may be periods of a separate billing plan; only a token shows their price.
    private func twelfths(
        of latest: SubscriptionPeriod, _ basis: PeriodPrice.Basis?, _ catalogue: [ExactText: Product]
    ) -> Int128? {
        let stated = basis == .paid ? RenewalSchedule(latest)?.twelfthsOfMonths : nil
        if basis == .paid, latest.details?.billingPlan != nil { return stated }
        let product = latest.isOffer ? nil : catalogue[latest.productID]?.period?.twelfthsOfMonths
        return product ?? stated
    }

    /// - Parameter twelfths: twelve times the number of payments in a month; `nil` if that is not known.
    private func value(_ sum: (price: PeriodPrice, millionths: Int128)?, _ twelfths: Int128?) -> RunningValue {
        guard let (price, millionths) = sum, let twelfths else { return .missing(.unpriced) }
        return .amount(twelfths: millionths * twelfths, price)
    }

    static func += (figures: inout Self, other: Self) {
        figures.running += other.running
        figures.periods += other.periods
        figures.parts += other.parts
        figures.movements += other.movements
        figures.revenue += other.revenue
        figures.undated += other.undated
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
