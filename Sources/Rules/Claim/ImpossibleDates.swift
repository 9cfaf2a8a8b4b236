public import Checks
import Encodings
import Receipts

/// Dates that contradict each other.
public struct ImpossibleDates: ClaimRule {
    public static let documentation = RuleDocumentation(
        id: "impossible-dates",
        title: "The dates in the receipt cannot be true",
        severity: .high,
        raisedWhen: """
            signature and chain hold, and, by more than \(tolerance.standard) minutes, a purchase is later than the receipt, \
            expires before it was bought, was refunded before it was bought, or was bought before its original purchase; \
            or a subscription in production lasts less than \(shortest.standard) hours
            """,
        why: """
            Apple writes all of these dates, and they fit together. If they do not, the receipt was made by something \
            that signs as Apple does without being the App Store, or Apple's data are wrong; either way the dates cannot be \
            relied on. Periods of minutes are those of test environments.
            """,
        whenWrong: """
            Restored subscriptions do this. Sandbox receipts of Apple's list earlier periods with the date of the restore, as \
            purchase date (until 2014) or as original purchase date (2019 and later). Apple also renews up to a day \
            ahead: the next period may be in the receipt before it begins. An upgrade changes the product inside one original \
            transaction, and may cut a period short. Receipts from App Review and TestFlight have short periods, but say \
            that they are from the sandbox and are not raised for that.
            """,
        whatToDo: """
            Ask the App Store Server API for the transaction and compare. If Apple gives the same dates, the receipt is \
            right; allow the claim (`source:…`), or a greater tolerance.
            """,
        limits: [tolerance, shortest])

    private static let tolerance = RuleLimit(
        "tolerance-minutes", standard: 5, "dates contradict each other by more than so many minutes")
    private static let shortest = RuleLimit(
        "shortest-period-hours", standard: 24, "a subscription in production lasts less than so many hours")

    private let tolerance: Int64
    private let shortest: Int64

    public init(_ policy: Policy) {
        tolerance = policy.seconds(of: Self.tolerance, each: 60, in: Self.self)
        shortest = policy.seconds(of: Self.shortest, each: 3600, in: Self.self)
    }

    public func hit(in facts: Facts) -> Hit? {
        guard facts.isGenuine, let receipt = facts.receipt else { return nil }
        // A test environment's periods are short.
        let shortest = receipt.environment.map { $0 == "Production" } ?? true ? shortest : 0
        guard receipt.purchases.holds(forAny: { isImpossible($0, in: receipt, shortest) }) else { return nil }
        let impossible = receipt.purchases.filter { isImpossible($0, in: receipt, shortest) }
        return Hit(
            impossible.listedOfAll { $0.named(faults(of: $0, in: receipt, shortest).joined(separator: "; ")) })
    }

    private func isImpossible(_ purchase: borrowing Purchase, in receipt: Receipt, _ shortest: Int64) -> Bool {
        let bought = purchase.purchaseDate
        return isLater(bought, than: receipt.createdAt)
            || purchase.expiresDate.map { isLater(bought, than: $0) || Self.isShort(from: bought, to: $0, shortest) }
                ?? false
            || purchase.cancellationDate.map { isLater(bought, than: $0) } ?? false
            || purchase.originalPurchaseDate.map { isLater($0, than: bought) } ?? false
    }

    /// What contradicts what, each with both dates.
    private func faults(of purchase: Purchase, in receipt: Receipt, _ shortest: Int64) -> [String] {
        let bought = purchase.purchaseDate
        var faults: [String] = []
        if isLater(bought, than: receipt.createdAt) {
            faults.append("bought on \(bought), after the receipt was created on \(receipt.createdAt)")
        }
        if let expires = purchase.expiresDate {
            if isLater(bought, than: expires) {
                faults.append("expires on \(expires), before it was bought on \(bought)")
            } else if Self.isShort(from: bought, to: expires, shortest) {
                faults.append("lasts only from \(bought) to \(expires)")
            }
        }
        if let refunded = purchase.cancellationDate, isLater(bought, than: refunded) {
            faults.append("refunded on \(refunded), before it was bought on \(bought)")
        }
        if let original = purchase.originalPurchaseDate, isLater(original, than: bought) {
            faults.append("bought on \(bought), before its original purchase on \(original)")
        }
        return faults
    }

    private func isLater(_ date: Instant, than other: Instant) -> Bool { date > other.adding(seconds: tolerance) }

    /// Whether a period has fewer seconds than any that the App Store sells.
    private static func isShort(from start: Instant, to end: Instant, _ shortest: Int64) -> Bool {
        end > start && end < start.adding(seconds: shortest)
    }
}
