import Encodings
import Rules
import Subscriptions

/// The figures once more, as plainly as can be: each is a question asked of all subscriptions from the beginning.
struct SlowFigures {
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

    /// Every period but the first, with the end of what was had before.
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
}
