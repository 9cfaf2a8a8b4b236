import Encodings
import Engine
package import Subscriptions

/// The table `subscriptions`: one row per original transaction with an auto-renewable period.
package enum SubscriptionsTable: ReportTable {
    package static let name = "subscriptions"
    package static let stage = RunStage.figures
    package static let isOnPages = true
    package static let columns: [TableColumn<SubscriptionRow>] = [
        .text("original_transaction_id", "the id of its first transaction", width: 24) { $0.originalTransactionID },
        .text("bundle_id", "the app", width: 28) { $0.bundleID },
        .text("product_id", "the product of the latest period", width: 34) { $0.productID },
        .text("environment", "from the newest proof that shows a period", width: 18) { $0.environment },
        .code("state", "the [state](../docs/tokens.md#the-state-of-a-subscription)", width: 15) { $0.state.rawValue },
        .date("started_at", "the earliest purchase date of a period", width: 20) { $0.startedAt },
        .date("expires_at", "the stated end of the latest period, even if it was refunded", width: 20) { $0.expiresAt },
        .number("periods", "the number of known periods", width: 10) { $0.periods },
        .number("trials", "how many of them were free trials", width: 9) { $0.trials },
        .number("intro_offers", "how many of them had an introductory price", width: 14) { $0.introOffers },
        .number("refunds", "how many of them were refunded", width: 10) { $0.refunds },
        .number("lapses", "gaps of more than a day between periods", width: 9) { $0.lapses },
        .number("product_changes", "how often the product changed between periods", width: 18) { $0.productChanges },
        .number("devices", "the number of distinct devices that presented it", width: 10) { $0.devices },
        .number("accounts", "the number of distinct accounts that presented it", width: 11) { $0.accounts },
        .text("last_transaction_id", "the transaction id of the latest period", width: 22) { $0.lastTransactionID },
        .date("evidence_at", "when the newest proof of it was signed", width: 20) { $0.evidenceAt },
        .code(
            "auto_renew", "`on` or `off`, by a renewal info", width: 12
        ) { $0.renewsByItself.map { $0 ? "on" : "off" } },
        .textIfAny("renews_to", "the product of the next period; empty if there is none", width: 34) { $0.renewsTo },
        .date("grace_period_expires_at", "when Apple's grace period ends", width: 24) { $0.gracePeriodExpiresAt },
        .flag("billing_retry", "whether Apple is retrying the charge", width: 14) { $0.isInBillingRetry },
        .code(
            "expiration_reason", "why it expired, such as `cancelled` or `billing-error`", width: 22
        ) { $0.expirationIntent.map(expirationReason) },
        .textIfAny("ownership", "`inAppOwnershipType` of the latest period", width: 15) { $0.ownership },
        .textIfAny("offer", "the offer of the latest period", width: 20) { $0.offer },
        .amount("price", "the price paid, with all seats", width: 10) { $0.price.map { Int128($0) * 1000 } },
        .textIfAny("currency", "the currency of `price`", width: 10) { $0.currency },
        .code("evidence", "the newest proof: `receipt`, or the kind of a token", width: 15) { $0.evidence.rawValue },
        .hex("evidence_sha256", "SHA-256 of what Apple signed in the newest proof", width: 67) { $0.evidenceDigest },
        .number("seats", "how many seats the latest period has", width: 8) { $0.seats },
        .code("access", "`purchased`, `family` or `assigned`", width: 11) { $0.ownership.flatMap(access) },
        .date("commitment_ends_at", "the end of the latest period's commitment", width: 21) { $0.commitmentEndsAt },
    ]

    package static func forEachRow(of run: ReportedRun, _ body: (SubscriptionRow) throws -> Void) throws {
        try run.result?.forEachSubscription(body)
    }

    /// Returns the word for `inAppOwnershipType` of a transaction; `nil` for a value that Apple has not documented.
    private static func access(_ ownership: ExactText) -> String? {
        switch ownership {
        case "PURCHASED": "purchased"
        case "FAMILY_SHARED": "family"
        case "ASSIGNED": "assigned"
        default: nil
        }
    }

    /// Returns the word for `expirationIntent` of a renewal info; an undocumented number is returned as it is.
    private static func expirationReason(_ intent: Int) -> String {
        switch intent {
        case 1: "cancelled"
        case 2: "billing-error"
        case 3: "price-increase"
        case 4: "product-unavailable"
        case 5: "other"
        default: String(intent)
        }
    }
}
