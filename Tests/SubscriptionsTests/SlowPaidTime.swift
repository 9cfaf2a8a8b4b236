import Encodings
import Rules
import Subscriptions

extension SlowFigures {
    /// When a period's paid time ends; `nil` if there is none.
    private static func end(_ period: SubscriptionPeriod) -> Instant? {
        let end = min(period.expiresAt, period.refundedAt ?? period.expiresAt)
        return period.isTrial || end <= period.purchasedAt ? nil : end
    }

    /// Whether an instant is in paid time: in a period, or in a gap of a day at most between what covers.
    private static func isPaid(_ one: Subscription, at moment: Instant) -> Bool {
        let times = one.periods.compactMap { period in end(period).map { (start: period.purchasedAt, end: $0) } }
        if times.contains(where: { $0.start <= moment && moment < $0.end }) { return true }
        guard let before = times.filter({ $0.end <= moment }).map(\.end).max(),
            let after = times.filter({ $0.start > moment }).map(\.start).min()
        else { return false }
        return after.milliseconds - before.milliseconds <= 86_400_000
    }

    /// The instants at which paid time begins and ends: those at which it is otherwise a millisecond before.
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
