import Checks
import Encodings
import Receipts

/// Finds genuine receipts whose dates contradict each other.
struct ImpossibleDates: ClaimRule {
    static let documentation = RuleDocumentation(
        id: "impossible-dates",
        title: "The dates in the receipt cannot be true",
        severity: .high,
        exceptions: [
            .init(.low, "if the only fault is renewals that begin up to \(earlyRenewal) hours after the receipt")
        ],
        raisedWhen: """
            signature and chain hold, and one of two things is wrong. First: by more than \(tolerance.standard) \
            minutes, a purchase is later than the receipt, expires or was refunded before it was bought, or was \
            bought before its original purchase. Second: a subscription in production lasts less than \
            \(minPeriod.standard) hours or expires when it was bought, and was neither cancelled nor upgraded
            """,
        details: """
            A renewal that an upgrade cancelled may be cancelled up to \(earlyRenewal) hours before it begins.
            Production is attribute 0 with Production or ProductionVPP, absent or empty.
            A subscription was upgraded if another product of its original transaction was bought within five \
            minutes of its end.
            A renewal is a purchase with an expiry whose transaction is not its original one.
            """,
        why: """
            Apple writes all of these dates consistently. If they contradict each other, the signer is not the App \
            Store, or Apple's data are wrong; either way the dates are unreliable. Periods of minutes belong to test \
            environments.
            """,
        whenWrong: """
            Restored subscriptions do this. Apple's sandbox receipts list earlier periods with the date of the \
            restore, as purchase date (until 2014) or as original purchase date (2019 and later). Where that alone is \
            wrong in a receipt of a sandbox, confidence is doubtful. Apple also renews up to a day ahead: the next \
            period may be in the receipt before it begins. Where only that is wrong, the severity is low and \
            confidence doubtful, also in production. An upgrade changes the product inside one original transaction, \
            may cut a period short, and cancels a renewal that was charged ahead before it begins. Receipts from App Review and TestFlight have short periods, but name the \
            sandbox as their environment and are not raised for that.
            """,
        whatToDo: """
            Ask the App Store Server API for the transaction and compare. If Apple gives the same dates, the receipt \
            is right; allow the claim (`claim:…`), or a greater tolerance.
            """,
        limits: [tolerance, minPeriod])

    /// The maximum number of hours between Apple's charge for a renewal and its start. Receipts show such a renewal
    /// before it begins.
    private static let earlyRenewal: Int64 = 24

    static let examples: [RuleExample] = [
        .raised(
            "a renewal is in the receipt a day before it begins", .low,
            claim(
                ExamplePurchase(
                    "gold", "460000000000002", of: "460000000000001", bought: "2026-03-02", expires: "2026-04-02"))),
        .raised(
            "a renewal is in the receipt more than a day before it begins", .high,
            claim(
                ExamplePurchase(
                    "gold", "460000000000002", of: "460000000000001", bought: "2026-03-02T00:00:01Z",
                    expires: "2026-04-02"))),
        .raised(
            "bought more than five minutes after the receipt was made", .high,
            claim(ExamplePurchase(bought: "2026-03-01T00:05:01Z"))),
        .clear(
            "bought exactly five minutes after the receipt was made",
            claim(ExamplePurchase(bought: "2026-03-01T00:05:00Z"))),
        .raised(
            "expired before it was bought", .high,
            claim(ExamplePurchase(bought: "2026-02-01", expires: "2026-01-31"))),
        .raised(
            "expires when it was bought, in production", .high,
            claim(ExamplePurchase(bought: "2026-02-01", expires: "2026-02-01"))),
        .clear(
            "expires when it was bought, in the sandbox",
            claim(environment: "ProductionSandbox", ExamplePurchase(bought: "2026-02-01", expires: "2026-02-01"))),
        .clear(
            "a short period that was cancelled",
            claim(
                ExamplePurchase(bought: "2026-02-01", expires: "2026-02-01T02:00:00Z", refunded: "2026-02-01T02:00:00Z")
            )),
        .clear(
            "a short period that an upgrade ended",
            claim(
                ExamplePurchase("silver", bought: "2026-02-01", expires: "2026-02-01T02:00:00Z"),
                ExamplePurchase(
                    "gold", "460000000000002", of: "460000000000001", bought: "2026-02-01T01:59:00Z",
                    expires: "2026-03-01"))),
        .raised(
            "refunded before it was bought", .high,
            claim(ExamplePurchase(bought: "2026-02-01", refunded: "2026-01-31T23:54:59Z"))),
        .clear(
            "refunded five minutes before it was bought",
            claim(ExamplePurchase(bought: "2026-02-01", refunded: "2026-01-31T23:55:00Z"))),
        .clear(
            "an upgrade cancelled a renewal before it begins", claim(monthly, renewal(cancelled: yearBought), yearly)),
        .raised(
            "a renewal was cancelled before it begins, and nothing took its place", .high,
            claim(monthly, renewal(cancelled: yearBought))),
        .raised(
            "an upgrade cancelled a renewal before it begins, and the receipt is older", .low,
            ExampleClaim(
                receipt: ExampleReceipt(
                    created: "2026-02-01T18:00:00Z", purchases: [monthly, renewal(cancelled: yearBought), yearly]))),
        .raised(
            "bought before its original purchase", .high,
            claim(ExamplePurchase(bought: "2026-02-01", originallyBought: "2026-02-01T00:05:01Z"))),
        .clear(
            "bought five minutes before its original purchase",
            claim(ExamplePurchase(bought: "2026-02-01", originallyBought: "2026-02-01T00:05:00Z"))),
        .raised(
            "a period of minutes in production", .high,
            claim(ExamplePurchase(bought: "2026-02-01", expires: "2026-02-01T00:05:00Z"))),
        .raised(
            "a period of a second less than a day", .high,
            claim(ExamplePurchase(bought: "2026-02-01", expires: "2026-02-01T23:59:59Z"))),
        .clear(
            "a period of a day", claim(ExamplePurchase(bought: "2026-02-01", expires: "2026-02-02"))),
        .clear(
            "a period of minutes in the sandbox",
            claim(
                environment: "ProductionSandbox", ExamplePurchase(bought: "2026-02-01", expires: "2026-02-01T00:05:00Z")
            )),
        .clear(
            "the policy tolerates an hour", policy: tolerant,
            claim(ExamplePurchase(bought: "2026-03-01T01:00:00Z"))),
        .clear(
            "the receipt is forged, so that its dates prove nothing",
            claim(failed: [.signatureInvalid], ExamplePurchase(bought: "2026-02-01", expires: "2026-01-31"))),
        .clear(
            "a subscription of two months",
            claim(
                ExamplePurchase(bought: "2026-01-01", expires: "2026-02-01"),
                ExamplePurchase(
                    "gold", "460000000000002", of: "460000000000001", bought: "2026-02-01",
                    originallyBought: "2026-01-01", expires: "2026-03-01"))),
    ]

    private static func claim(
        environment: ExactText = "Production", failed: CheckSet = [], _ purchases: ExamplePurchase...
    ) -> ExampleClaim {
        ExampleClaim(
            failed: failed,
            receipt: ExampleReceipt(environment: environment, created: "2026-03-01", purchases: purchases))
    }

    private static let yearBought = "2026-02-01T17:28:31Z"
    private static let monthly = ExamplePurchase(
        "monthly", bought: "2026-01-01T20:55:43Z", expires: "2026-02-01T20:55:43Z")
    private static let yearly = ExamplePurchase(
        "yearly", "460000000000003", of: "460000000000001", bought: yearBought, expires: "2027-02-01T17:28:31Z")

    /// Returns the second month, which Apple charged ahead.
    private static func renewal(cancelled: String) -> ExamplePurchase {
        ExamplePurchase(
            "monthly", "460000000000002", of: "460000000000001", bought: "2026-02-01T20:55:43Z",
            expires: "2026-03-01T20:55:43Z", refunded: cancelled)
    }

    private static let tolerant: Policy = {
        var policy = Policy()
        var settings = Policy.RuleSettings()
        settings.limits["tolerance-minutes"] = 60
        policy.rules["impossible-dates"] = settings
        return policy
    }()

    private static let tolerance = RuleLimit(
        "tolerance-minutes", standard: 5, "dates contradict each other by more than this many minutes")
    private static let minPeriod = RuleLimit(
        "shortest-period-hours", standard: 24, "a subscription in production lasts less than this many hours")

    private let tolerance: Int64
    private let minPeriod: Int64

    init(_ policy: Policy) {
        tolerance = policy.seconds(of: Self.tolerance, each: 60, in: Self.self)
        minPeriod = policy.seconds(of: Self.minPeriod, each: 3600, in: Self.self)
    }

    func hit(in facts: Facts) -> Hit? {
        guard facts.isGenuine, let receipt = facts.receipt else { return nil }
        var context = Context(receipt)
        guard receipt.purchases.hasAny({ isImpossible($0, &context) }) else { return nil }
        let impossible = receipt.purchases.filter { isImpossible($0, &context) }
        let isTest = EnvironmentClass(receipt.environment ?? "") != .production
        let isEarly = impossible.allSatisfy { isEarlyRenewal($0, &context) }
        let isRestored = isTest && impossible.allSatisfy { isRestoredOnly($0, in: receipt) }
        return Hit(
            impossible.listedOfAll { $0.named(faults(of: $0, &context).joined(separator: "; ")) },
            severity: isEarly ? .low : nil, confidence: isEarly || isRestored ? .doubtful : nil)
    }

    /// Whether the only anomaly is a renewal that was charged before it begins, as Apple does.
    private func isEarlyRenewal(_ purchase: Purchase, _ context: inout Context) -> Bool {
        guard purchase.expiresDate != nil, purchase.original != purchase.transactionID,
            purchase.purchaseDate <= context.createdAt.adding(seconds: Self.earlyRenewal * 3600)
        else { return false }
        return isLater(purchase.purchaseDate, than: context.createdAt) && faults(of: purchase, &context).count == 1
    }

    /// Whether the only anomaly is what Apple's sandbox does to restored periods: they expire before they were bought,
    /// or were bought before their original purchase.
    private func isRestoredOnly(_ purchase: Purchase, in receipt: Receipt) -> Bool {
        !isLater(purchase.purchaseDate, than: receipt.createdAt)
            && purchase.cancellationDate.map { !isLater(purchase.purchaseDate, than: $0) } ?? true
    }

    private func isImpossible(_ purchase: borrowing Purchase, _ context: inout Context) -> Bool {
        let bought = purchase.purchaseDate
        return isLater(bought, than: context.createdAt)
            || purchase.expiresDate.map { isLater(bought, than: $0) || isShort(purchase, to: $0, &context) } ?? false
            || isCancelledTooEarly(purchase, &context)
            || purchase.originalPurchaseDate.map { isLater($0, than: bought) } ?? false
    }

    /// Returns the contradictions, each with both dates.
    private func faults(of purchase: Purchase, _ context: inout Context) -> [String] {
        let bought = purchase.purchaseDate
        var faults: [String] = []
        if isLater(bought, than: context.createdAt) {
            faults.append("bought on \(bought), after the receipt was created on \(context.createdAt)")
        }
        if let expires = purchase.expiresDate {
            if isLater(bought, than: expires) {
                faults.append("expires on \(expires), before it was bought on \(bought)")
            } else if isShort(purchase, to: expires, &context) {
                faults.append("lasts only from \(bought) to \(expires)")
            }
        }
        if let refunded = purchase.cancellationDate, isCancelledTooEarly(purchase, &context) {
            faults.append("refunded on \(refunded), before it was bought on \(bought)")
        }
        if let original = purchase.originalPurchaseDate, isLater(original, than: bought) {
            faults.append("bought on \(bought), before its original purchase on \(original)")
        }
        return faults
    }

    private func isLater(_ date: Instant, than other: Instant) -> Bool { date > other.adding(seconds: tolerance) }

    /// Whether it was cancelled before it was bought, and is not a renewal that was charged ahead and cancelled by an
    /// upgrade before it began.
    private func isCancelledTooEarly(_ purchase: borrowing Purchase, _ context: inout Context) -> Bool {
        guard let date = purchase.cancellationDate, isLater(purchase.purchaseDate, than: date) else { return false }
        return isLater(purchase.purchaseDate, than: date.adding(seconds: Self.earlyRenewal * 3600))
            || context.upgrades.revocation(of: copy purchase) != .upgrade
    }

    /// Whether a period is as short as in test environments, although the receipt is not from one.
    private func isShort(_ purchase: borrowing Purchase, to end: Instant, _ context: inout Context) -> Bool {
        let start = purchase.purchaseDate
        guard end >= start, end < start.adding(seconds: minPeriod), purchase.cancellationDate == nil,
            context.isOfProduction
        else { return false }
        return !context.upgrades.hasOther(
            than: purchase.productID, of: purchase.original, within: -300...300, after: end)
    }

    /// The data that purchases are compared with.
    private struct Context {
        private let purchases: [Purchase]
        let createdAt: Instant
        let isOfProduction: Bool
        /// Needed only for short and cancelled periods.
        lazy var upgrades = UpgradeIndex(purchases)

        init(_ receipt: Receipt) {
            purchases = receipt.purchases
            createdAt = receipt.createdAt
            isOfProduction = EnvironmentClass(receipt.environment ?? "") == .production
        }
    }
}
