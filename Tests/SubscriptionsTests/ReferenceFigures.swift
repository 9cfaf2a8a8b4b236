import Encodings
import Foundation
import Receipts
import Rules

@testable import Subscriptions

/// A second, slow and plain implementation of the figures: each is computed from all subscriptions by itself.
struct ReferenceFigures {
    let all: [Subscription]
    /// When the receipt that shows each was made; `nil` if only transaction tokens do. Each of those shows itself.
    let receipts: [Instant?]
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

    /// The trials, each with the periods after it; one that was changed for another trial is left out.
    private func allTrials() -> [(trial: SubscriptionPeriod, later: [SubscriptionPeriod], receipt: Instant?)] {
        zip(all, receipts).flatMap { subscription, receipt in
            subscription.periods.indices.filter { subscription.periods[$0].isTrial }.map { index in
                (subscription.periods[index], Array(subscription.periods[(index + 1)...]), receipt)
            }
        }.filter { !($0.trial.isUpgraded && $0.later.first?.isTrial == true) }
    }

    func trials() -> [String: Int] { Self.tally(allTrials().map(\.trial.purchasedAt)) }

    func refundedConversions() -> [String: Int] {
        Self.tally(
            allTrials().filter { $0.later.first { $0.wasPaid }?.refundedAt != nil }.map(\.trial.purchasedAt))
    }

    /// `converted`, `running`, `not refreshed`, `lost`.
    func trials(that wanted: String) -> [String: Int] {
        let outcomes = allTrials().map { trial, later, receipt in
            let isOpen = !later.contains { $0.wasPaid } && (Self.cut(trial) == nil || trial.isUpgraded)
            let end = min(trial.expiresAt, Self.cut(trial) ?? trial.expiresAt)
            let isRunning = isOpen && end > asOf
            // What took the place of an upgraded one may be known to nobody.
            let asked = later.isEmpty ? trial.expiresAt : end
            let isShown =
                (receipt.map { $0 >= asked } ?? false) || ([trial] + later).contains { $0.purchasedAt >= end }
            let isUnknown = isOpen && !isRunning && !isShown
            let isConverted = later.contains { $0.wasPaid }
            let outcome = isConverted ? "converted" : isRunning ? "running" : isUnknown ? "not refreshed" : "lost"
            return (outcome: outcome, date: trial.purchasedAt)
        }
        return Self.tally(outcomes.filter { $0.outcome == wanted }.map(\.date))
    }

    func paidPeriods() -> [String: Int] {
        Self.tally(all.flatMap { $0.periods.filter { $0.wasPaid }.map(\.purchasedAt) })
    }

    func refundedPeriods() -> [String: Int] {
        Self.tally(all.flatMap { $0.periods.filter { $0.wasPaid && $0.refundedAt != nil }.map(\.purchasedAt) })
    }

    func takenBackUnknown() -> [String: Int] {
        Self.tally(all.flatMap { $0.periods.filter { $0.revocation == .unknown }.map(\.purchasedAt) })
    }

    func productChanges() -> [String: Int] {
        Self.tally(
            all.flatMap { one in
                zip(one.periods, one.periods.dropFirst()).filter { $0.productID != $1.productID }.map(\.1.purchasedAt)
            })
    }

    private static func isLapse(_ end: Instant, _ start: Instant) -> Bool {
        start.milliseconds - end.milliseconds > 86_400_000
    }

    func renewals() -> [String: Int] {
        Self.tally(
            all.flatMap { one in
                one.periods.indices.dropFirst().filter { index in
                    let ends = one.periods[..<index].map { $0.isUpgraded ? $0.end : $0.expiresAt }
                    return one.periods[index].wasPaid && one.periods[index - 1].wasPaid
                        && !Self.isLapse(ends.max() ?? asOf, one.periods[index].purchasedAt)
                }.map { one.periods[$0].purchasedAt }
            })
    }

    /// The gaps between periods that were not taken back.
    private func gaps() -> [(end: Instant, start: Instant)] {
        all.flatMap { one in
            let periods = one.periods.filter { Self.cut($0) == nil || $0.isUpgraded }
            return periods.indices.dropFirst().map { index in
                (periods[..<index].map(\.end).max() ?? asOf, periods[index].purchasedAt)
            }.filter { Self.isLapse($0, $1) }
        }
    }

    func lapses() -> [String: Int] { Self.tally(gaps().map(\.end)) }

    func winBacks() -> [String: Int] { Self.tally(gaps().map(\.start)) }

    // MARK: Paid time

    /// When a cancellation ended access to a period; a refund of some items does not.
    static func cut(_ period: SubscriptionPeriod) -> Instant? {
        period.revocation == .partialRefund ? nil : period.cancelledAt
    }

    /// When a period's paid time ends; `nil` if there is none.
    private static func end(_ period: SubscriptionPeriod) -> Instant? {
        let end = min(period.expiresAt, cut(period) ?? period.expiresAt)
        return !period.wasPaid || end <= period.purchasedAt ? nil : end
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

    /// A subscription's state at a moment after the first paid time began: `kept`, `lost`, `unknown`.
    private static func coverage(_ one: Subscription, _ receipt: Instant?, at moment: Instant) -> String {
        if isPaid(one, at: moment) { return "kept" }
        guard let end = edges(one, isBeginning: false).last, moment >= end else { return "lost" }
        let isTakenBack = one.periods.contains { $0.wasPaid && cut($0) == end }
        let isShown = (receipt.map { $0 >= end } ?? false) || one.periods.contains { $0.purchasedAt >= end }
        return isTakenBack || isShown ? "lost" : "unknown"
    }

    /// Those that were active at the starts of months, by how they stand at the ends.
    func active(that wanted: [String]) -> [String: Int] {
        var counts: [String: Int] = [:]
        for month in Self.months where month.start <= asOf {
            let active = zip(all, receipts).filter { Self.isPaid($0.0, at: month.start) }
            let found = active.count { wanted.contains(Self.coverage($0.0, $0.1, at: min(month.end, asOf))) }
            if found > 0 { counts[month.name] = found }
        }
        return counts
    }

    func firstPaid() -> [String: Int] {
        Self.tally(all.compactMap { Self.edges($0, isBeginning: true).first }.filter { $0 <= asOf })
    }

    func resubscribed() -> [String: Int] {
        Self.tally(all.flatMap { Self.edges($0, isBeginning: true).dropFirst() }.filter { $0 <= asOf })
    }

    // MARK: Retention

    /// The first period at the full price, if it was bought until as-of and has a length.
    private func beginning(_ one: Subscription) -> SubscriptionPeriod? {
        one.periods.first { $0.wasPaid && !$0.isIntroOffer }
            .flatMap { $0.purchasedAt <= asOf && $0.expiresAt > $0.purchasedAt ? $0 : nil }
    }

    /// A subscription with its receipt and the period with which it begins.
    typealias Member = (one: Subscription, receipt: Instant?, first: SubscriptionPeriod)

    /// The subscriptions that began in each month.
    func cohorts() -> [String: [Member]] {
        let members = zip(all, receipts).compactMap { one, receipt in
            beginning(one).map { (one: one, receipt: receipt, first: $0) }
        }
        return Dictionary(grouping: members) { Self.month($0.first.purchasedAt) }
    }

    /// Of a cohort, at a renewal: kept, lost, unknown. Periods of whole months are not among these.
    func coverages(of cohort: [Member], at renewal: Int) -> [Int] {
        let coverages = cohort.compactMap { one, receipt, first -> String? in
            let length = first.expiresAt.milliseconds - first.purchasedAt.milliseconds
            let moment = first.purchasedAt.milliseconds + length * Int64(renewal) + min(length / 10, 259_200_000)
            guard moment <= asOf.milliseconds else { return nil }
            return Self.coverage(one, receipt, at: Instant(milliseconds: moment))
        }
        return ["kept", "lost", "unknown"].map { wanted in coverages.count { $0 == wanted } }
    }
}

extension SubscriptionPeriod {
    /// Neither a trial nor given for nothing by an offer that is none.
    var wasPaid: Bool {
        if isTrial { return false }
        guard let details, details.offerType != nil, details.price == 0 else { return true }
        return details.seats.map { !$0.tiers.isEmpty } ?? false
    }
}
