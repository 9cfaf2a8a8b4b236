import Encodings
package import Subscriptions

/// The table `subscriptions`: one row per original transaction with an auto-renewable period.
package enum SubscriptionsTable {
    package static let schema = TableSchema(
        name: "subscriptions",
        columns: [
            .init("original_transaction_id", .text, width: 24), .init("bundle_id", .text, width: 28),
            .init("product_id", .text, width: 34), .init("environment", .text, width: 18),
            .init("state", .code, width: 15), .init("started_at", .date, width: 20),
            .init("expires_at", .date, width: 20), .init("periods", .number, width: 10),
            .init("trials", .number, width: 9), .init("intro_offers", .number, width: 14),
            .init("refunds", .number, width: 10), .init("lapses", .number, width: 9),
            .init("product_changes", .number, width: 18), .init("devices", .number, width: 10),
            .init("accounts", .number, width: 11), .init("last_transaction_id", .text, width: 22),
            .init("evidence_at", .date, width: 20), .init("auto_renew", .code, width: 12),
            .init("renews_to", .text, width: 34), .init("grace_period_expires_at", .date, width: 24),
            .init("billing_retry", .code, width: 14), .init("expiration_reason", .code, width: 22),
            .init("ownership", .code, width: 15), .init("offer", .text, width: 20),
            .init("price", .decimal, width: 10), .init("currency", .code, width: 10),
            .init("evidence", .code, width: 15), .init("evidence_sha256", .hex, width: 67),
        ])

    package static func write(_ subscription: SubscriptionRow, to row: inout some CellWriter) {
        row.text(subscription.originalTransactionID)
        row.text(subscription.bundleID)
        row.text(subscription.productID)
        row.text(subscription.environment)
        row.code(subscription.state.rawValue)
        row.date(subscription.startedAt)
        row.date(subscription.expiresAt)
        row.number(subscription.periods)
        row.number(subscription.trials)
        row.number(subscription.introOffers)
        row.number(subscription.refunds)
        row.number(subscription.lapses)
        row.number(subscription.productChanges)
        row.number(subscription.devices)
        row.number(subscription.accounts)
        row.text(subscription.lastTransactionID)
        row.date(subscription.evidenceAt)
        row.code(subscription.renewsByItself.map { $0 ? "on" : "off" } ?? "")
        row.text(subscription.renewsTo)
        row.date(subscription.gracePeriodExpiresAt)
        row.code(subscription.isInBillingRetry.map { $0 ? "true" : "false" } ?? "")
        row.code(subscription.expirationIntent.map(expirationReason) ?? "")
        row.text(subscription.ownership)
        row.text(subscription.offer)
        if let price = subscription.price {
            row.decimal(DecimalNumber(millionths: Int128(price) * 1000))
        } else {
            row.empty()
        }
        row.text(subscription.currency)
        row.code(subscription.evidence.rawValue)
        if subscription.evidenceDigest.isEmpty { row.empty() } else { row.hex(subscription.evidenceDigest.span) }
    }

    /// Returns the word for `expirationIntent` of a renewal info; a number that Apple has not documented stays.
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

extension SubscriptionRow: TableRow {
    package static var schema: TableSchema { SubscriptionsTable.schema }
    package func write(to row: inout some CellWriter) { SubscriptionsTable.write(self, to: &row) }
}
