import Encodings
import Rules

@testable import Subscriptions

/// A second, slow and plain implementation of the figures: each is computed from all subscriptions by itself.
struct ReferenceFigures {
    let all: [Subscription]
    let asOf: Instant
    let prices: [ExactText: Product]

    /// `2024-03`, for dates that can be written.
    static func month(_ instant: Instant) -> String { String(instant.description.prefix(7)) }

    /// Each of these months, `2023-01` to `2026-12`, with its first instant and that of the next.
    static let months: [(name: String, start: Instant, end: Instant)] = (0..<48).compactMap { number in
        func name(_ number: Int) -> String {
            let month = number % 12 + 1
            return "\(2023 + number / 12)-\(month < 10 ? "0" : "")\(month)"
        }
        guard let start = Instant(rfc3339: name(number) + "-01T00:00:00Z"),
            let end = Instant(rfc3339: name(number + 1) + "-01T00:00:00Z")
        else { return nil }
        return (name(number), start, end)
    }

    /// The months, with multiplicity, in which something happened.
    static func tally(_ dates: [Instant]) -> [String: Int] {
        dates.reduce(into: [:]) { $0[month($1), default: 0] += 1 }
    }

    // MARK: What happened

    func started() -> [String: Int] { Self.tally(all.map(\.row.startedAt)) }

    func trials() -> [String: Int] {
        Self.tally(all.flatMap { $0.periods.filter(\.isTrial).map(\.purchasedAt) })
    }

    /// `converted`, `running`, `not refreshed`, `lost`.
    func trials(that wanted: String) -> [String: Int] {
        Self.tally(
            all.flatMap { subscription in
                subscription.periods.indices.filter { subscription.periods[$0].isTrial }.filter { index in
                    let trial = subscription.periods[index]
                    let isConverted = subscription.periods[(index + 1)...].contains { !$0.isTrial }
                    let isRunning = !isConverted && trial.refundedAt == nil && trial.expiresAt > asOf
                    let isUnknown =
                        !isConverted && trial.refundedAt == nil && !isRunning
                        && subscription.row.evidenceAt < trial.expiresAt
                    let outcome =
                        isConverted ? "converted" : isRunning ? "running" : isUnknown ? "not refreshed" : "lost"
                    return outcome == wanted
                }.map { subscription.periods[$0].purchasedAt }
            })
    }

    func paidPeriods() -> [String: Int] {
        Self.tally(all.flatMap { $0.periods.filter { !$0.isTrial }.map(\.purchasedAt) })
    }

    func refunds() -> [String: Int] {
        Self.tally(all.flatMap { $0.periods.filter { !$0.isTrial }.compactMap(\.refundedAt) })
    }

    func productChanges() -> [String: Int] {
        Self.tally(
            all.flatMap { one in
                zip(one.periods, one.periods.dropFirst()).filter { $0.productID != $1.productID }.map(\.1.purchasedAt)
            })
    }

    /// Every period but the first, with the greatest expiry of those before.
    private func laterPeriods() -> [(end: Instant, period: SubscriptionPeriod)] {
        all.flatMap { one in
            one.periods.indices.dropFirst().map { index in
                (one.periods[..<index].map(\.expiresAt).max() ?? asOf, one.periods[index])
            }
        }
    }

    private static func isLapse(_ end: Instant, _ start: Instant) -> Bool {
        start.milliseconds - end.milliseconds > 86_400_000
    }

    func renewals() -> [String: Int] {
        Self.tally(
            laterPeriods().filter { !Self.isLapse($0.end, $0.period.purchasedAt) && !$0.period.isTrial }
                .map(\.period.purchasedAt))
    }

    func lapses() -> [String: Int] {
        Self.tally(laterPeriods().filter { Self.isLapse($0.end, $0.period.purchasedAt) }.map(\.end))
    }

    func winBacks() -> [String: Int] {
        Self.tally(laterPeriods().filter { Self.isLapse($0.end, $0.period.purchasedAt) }.map(\.period.purchasedAt))
    }

    // MARK: Money

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

    // MARK: Paid time

    /// When a period's paid time ends; `nil` if there is none.
    private static func end(_ period: SubscriptionPeriod) -> Instant? {
        let end = min(period.expiresAt, period.refundedAt ?? period.expiresAt)
        return period.isTrial || end <= period.purchasedAt ? nil : end
    }

    /// Whether an instant is in paid time: in a period, or in a gap of at most a day between periods.
    private static func isPaid(_ one: Subscription, at moment: Instant) -> Bool {
        let times = one.periods.compactMap { period in end(period).map { (start: period.purchasedAt, end: $0) } }
        if times.contains(where: { $0.start <= moment && moment < $0.end }) { return true }
        guard let before = times.filter({ $0.end <= moment }).map(\.end).max(),
            let after = times.filter({ $0.start > moment }).map(\.start).min()
        else { return false }
        return after.milliseconds - before.milliseconds <= 86_400_000
    }

    /// The instants at which paid time begins or ends: those whose preceding millisecond differs.
    private static func edges(_ one: Subscription, isBeginning: Bool) -> [Instant] {
        let candidates = one.periods.flatMap { [$0.purchasedAt, end($0) ?? $0.purchasedAt] }
        return Set(candidates).filter { moment in
            let before = isPaid(one, at: Instant(milliseconds: moment.milliseconds - 1))
            return isBeginning ? !before && isPaid(one, at: moment) : before && !isPaid(one, at: moment)
        }.sorted()
    }

    func activeAtStart() -> [String: Int] {
        var counts: [String: Int] = [:]
        for month in Self.months where month.start <= asOf {
            let active = all.count { one in
                // What begins after as-of is no part of it.
                Self.isPaid(one, at: month.start)
            }
            if active > 0 { counts[month.name] = active }
        }
        return counts
    }

    func firstPaid() -> [String: Int] {
        Self.tally(all.compactMap { Self.edges($0, isBeginning: true).first }.filter { $0 <= asOf })
    }

    func resubscribed() -> [String: Int] {
        Self.tally(all.flatMap { Self.edges($0, isBeginning: true).dropFirst() }.filter { $0 <= asOf })
    }

    /// The ends of paid time until as-of: those that a receipt from then or later shows, or the others.
    func ended(isSeen: Bool) -> [String: Int] {
        Self.tally(
            all.flatMap { one in
                let ends = Self.edges(one, isBeginning: false)
                return ends.filter { end in
                    let isLast = end == ends.last
                    return end <= asOf && (!isLast || one.row.evidenceAt >= end) == isSeen
                }
            })
    }

    /// Of the cohort of a month, at the start of another: paid, lost, not refreshed.
    func cohort(_ cohort: String, at moment: Instant) -> [Int] {
        let members = all.filter { one in
            guard let first = Self.edges(one, isBeginning: true).first else { return false }
            return first <= asOf && Self.month(first) == cohort
        }
        let paid = members.count { Self.isPaid($0, at: moment) }
        let unknown = members.count { one in
            guard let end = Self.edges(one, isBeginning: false).last else { return false }
            return moment >= end && one.row.evidenceAt < end
        }
        return [paid, members.count - paid - unknown, unknown]
    }
}
