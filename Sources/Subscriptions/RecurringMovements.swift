import Encodings
import Receipts

/// What changed the monthly recurring revenue within a month, in one currency.
///
/// Only changes are stored, so what a month opens with is what the months before add up to.
struct RecurringMovements: Summable, Codable {
    enum Kind: Int, CaseIterable, Sendable { case new, expansion, reactivation, contraction, churn, unknown }

    /// A month of a subscription, in twelfths of millionths.
    struct Amount: Equatable {
        let twelfths: Int128
        let currency: ExactText
    }

    /// By kind, in twelfths of millionths; the last three take away.
    private(set) var amounts = Kind.allCases.map { _ in Int128(0) }
    /// The change in the number of subscriptions with an amount.
    private(set) var subscriptions = 0
    /// The change in the last known amounts of subscriptions that may go on, as no proof shows what followed.
    private(set) var open: Int128 = 0

    init() {}

    static func += (sum: inout Self, other: Self) {
        for (index, amount) in other.amounts.enumerated() where index < sum.amounts.count {
            sum.amounts[index] = sum.amounts[index].addingSaturating(amount)
        }
        sum.subscriptions = sum.subscriptions.addingSaturating(other.subscriptions)
        sum.open = sum.open.addingSaturating(other.open)
    }

    private mutating func add(_ kind: Kind, _ twelfths: Int128) {
        amounts[kind.rawValue] = amounts[kind.rawValue].addingSaturating(twelfths)
    }

    /// What a subscription adds to a month.
    struct Change {
        let month: Month
        let currency: ExactText
        let movements: RecurringMovements
    }

    /// Returns what changed from one month's end to the next. The last month ends at the reference time.
    ///
    /// - Parameters:
    ///   - running: the amount at the reference time; `nil` for none.
    ///   - amount: returns the amount of a paid period; `nil` if its price is not known.
    ///   - unseen: returns that of a product in a period that only a renewal info shows.
    static func changes(
        of subscription: Subscription, running: Amount?, asOf: Instant,
        amount: (SubscriptionPeriod) -> Amount?, unseen: (ExactText) -> Amount?
    ) -> [Change] {
        let paidTime = PaidTime(subscription)
        let stretches = paidTime.stretches + (paidTime.renewed.map { [$0] } ?? [])
        guard let first = stretches.first?.lowerBound, let end = stretches.last?.upperBound else { return [] }
        let paid = subscription.periods.filter(\.isPaid)
        func amountNow(at time: Instant) -> Amount? {
            guard time != asOf else { return running }
            guard stretches.contains(where: { $0.contains(time) }) else { return nil }
            if let shown = subscription.unseen, (shown.signedAt..<max(shown.signedAt, shown.end)).contains(time) {
                return unseen(shown.productID)
            }
            let begun = paid.filter { $0.purchasedAt <= time }
            return (begun.last { time < $0.end } ?? begun.last).flatMap(amount)
        }
        var changes: [Change] = []
        var state = State(isSuccessor: subscription.isSuccessor)
        var next: Month? = min(Month(first), Month(asOf))
        while let month = next, month.start <= asOf {
            next = month.next
            let time = min(next?.start ?? asOf, asOf)
            let isMoved = subscription.movedAt.map { $0 <= time } ?? false
            changes += state.advance(
                to: amountNow(at: time), paidTime.coverage(at: time), isMoved: isMoved
            ).map { Change(month: month, currency: $0, movements: $1) }
            // Nothing changes any more.
            if time >= end { break }
        }
        return changes
    }

    /// A subscription at the end of a month.
    private struct State {
        let isSuccessor: Bool
        var now: Amount?
        /// The last amount that was known.
        var last: Amount?
        /// What counts as possible still.
        var open: Amount?
        var coverage = Cohort.Coverage.lost

        mutating func advance(
            to amount: Amount?, _ coverage: Cohort.Coverage, isMoved: Bool
        ) -> [ExactText: RecurringMovements] {
            var found: [ExactText: RecurringMovements] = [:]
            func add(_ kind: Kind, _ amount: Amount, _ sign: Int128 = 1) {
                found[amount.currency, default: RecurringMovements()].add(kind, sign * amount.twelfths)
            }
            switch (now, amount) {
            case (nil, nil): break
            case (let before?, let after?) where before.currency == after.currency:
                let more = after.twelfths - before.twelfths
                if more != 0 { found[after.currency] = RecurringMovements(more > 0 ? .expansion : .contraction, more) }
            case (let before?, let after?):
                add(.contraction, before)
                add(.expansion, after)
            case (nil, let after?):
                if last == nil {
                    add(isSuccessor ? .expansion : .new, after)
                } else if self.coverage == .lost {
                    add(.reactivation, after)
                } else {
                    add(.unknown, after, -1)
                }
            case (let before?, nil):
                add(isMoved ? .contraction : coverage == .lost ? .churn : .unknown, before)
            }
            if let now { found[now.currency, default: RecurringMovements()].subscriptions -= 1 }
            if let amount { found[amount.currency, default: RecurringMovements()].subscriptions += 1 }
            last = amount ?? last
            let possible = amount == nil && coverage == .unknown ? last : nil
            if let open { found[open.currency, default: RecurringMovements()].open -= open.twelfths }
            if let possible { found[possible.currency, default: RecurringMovements()].open += possible.twelfths }
            now = amount
            open = possible
            self.coverage = coverage
            return found.filter { !$0.value.isEmpty }
        }
    }

    private init(_ kind: Kind, _ change: Int128) { add(kind, change < 0 ? -change : change) }

    private var isEmpty: Bool { subscriptions == 0 && open == 0 && amounts.allSatisfy { $0 == 0 } }
}

extension MoneyFigures {
    /// Calls a body with the movements of each month that has an amount, of all apps and then of each, to as-of.
    func forEachMovement<Failure: Error>(
        asOf: Instant, _ body: (MetricRow) throws(Failure) -> Void
    ) throws(Failure) {
        let entries = movements.entries
        var sum = RecurringMovements()
        for (index, (key, change)) in entries.enumerated() {
            if movements.isCut, key.bundleID == entries.last?.key.bundleID { break }
            if index == 0 || !key.isSameSeries(as: entries[index - 1].key) { sum = RecurringMovements() }
            let following = index + 1 < entries.count ? entries[index + 1].key : nil
            let until = following.flatMap { key.isSameSeries(as: $0) ? $0.month : nil }
            var (month, change) = (key.month, change)
            while let current = month, current.start <= asOf, until.map({ current < $0 }) ?? true {
                let before = sum
                sum += change
                for row in RecurringMovements.rows(from: before, to: sum) {
                    try body(row.of(key.at(current, key.currency)))
                }
                if sum.subscriptions == 0, sum.open == 0 { break }
                change = RecurringMovements()
                month = current.next
            }
        }
    }
}

extension RecurringMovements {
    private static func millionths(_ twelfths: Int128) -> Int128 {
        twelfths < 0 ? twelfths.subtractingSaturating(6) / 12 : twelfths.addingSaturating(6) / 12
    }

    /// Returns the rows of a month. Rounded sums are subtracted from each other, so that what a month opens with and
    /// its movements add up to what it closes with.
    fileprivate static func rows(from before: Self, to after: Self) -> [MetricRow] {
        func row(_ name: String, _ millionths: Int128) -> MetricRow {
            MetricRow(name, DecimalNumber(millionths: millionths))
        }
        func closing(_ sums: Self) -> Int128 {
            Kind.allCases.reduce(0) { sum, kind in
                let amount = millionths(sums.amounts[kind.rawValue])
                return kind.rawValue < Kind.contraction.rawValue
                    ? sum.addingSaturating(amount) : sum.subtractingSaturating(amount)
            }
        }
        let end = closing(after)
        let open = millionths(after.open)
        var rows = [row("mrr_opening", closing(before))]
        for kind in Kind.allCases {
            let change = millionths(after.amounts[kind.rawValue]) - millionths(before.amounts[kind.rawValue])
            if change != 0 { rows.append(row("mrr_\(kind)", change)) }
        }
        rows.append(
            row("mrr_closing", end).with {
                $0.bounds = MetricRow.Bounds(
                    low: DecimalNumber(millionths: end), high: DecimalNumber(millionths: end.addingSaturating(open)))
                $0.count = after.subscriptions
            })
        guard after.subscriptions > 0 else { return rows }
        rows.append(row("arpu", end / Int128(after.subscriptions)).with { $0.count = after.subscriptions })
        return rows
    }
}
