import Encodings
import Engine
package import Subscriptions

/// The table `subscriptions`: one row per original transaction with an auto-renewable period.
package enum SubscriptionsTable: ReportTable {
    package static let name = "subscriptions"
    package static let stage = RunStage.figures
    package static let isOnPages = true
    package static let columns: [TableColumn<SubscriptionRow>] = [
        .text("original_transaction_id", width: 24) { $0.originalTransactionID },
        .text("bundle_id", width: 28) { $0.bundleID },
        .text("product_id", width: 34) { $0.productID },
        .text("environment", width: 18) { $0.environment },
        .code("state", width: 15) { $0.state.rawValue },
        .date("started_at", width: 20) { $0.startedAt },
        .date("expires_at", width: 20) { $0.expiresAt },
        .number("periods", width: 10) { $0.periods },
        .number("trials", width: 9) { $0.trials },
        .number("intro_offers", width: 14) { $0.introOffers },
        .number("refunds", width: 10) { $0.refunds },
        .number("lapses", width: 9) { $0.lapses },
        .number("product_changes", width: 18) { $0.productChanges },
        .number("devices", width: 10) { $0.devices },
        .number("accounts", width: 11) { $0.accounts },
        .text("last_transaction_id", width: 22) { $0.lastTransactionID },
        .date("evidence_at", width: 20) { $0.evidenceAt },
        .code("auto_renew", width: 12) { $0.renewsByItself.map { $0 ? "on" : "off" } },
        .textIfAny("renews_to", width: 34) { $0.renewsTo },
        .date("grace_period_expires_at", width: 24) { $0.gracePeriodExpiresAt },
        .flag("billing_retry", width: 14) { $0.isInBillingRetry },
        .code("expiration_reason", width: 22) { $0.expirationIntent.map(expirationReason) },
        .textIfAny("ownership", width: 15) { $0.ownership },
        .textIfAny("offer", width: 20) { $0.offer },
        .decimal("price", width: 10) { $0.price.map { DecimalNumber(millionths: Int128($0) * 1000) } },
        .textIfAny("currency", width: 10) { $0.currency },
        .code("evidence", width: 15) { $0.evidence.rawValue },
        .hex("evidence_sha256", width: 67) { $0.evidenceDigest },
        .number("seats", width: 8) { $0.seats },
        .code("access", width: 11) { $0.ownership.flatMap(access) },
        .date("commitment_ends_at", width: 21) { $0.commitmentEndsAt },
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
