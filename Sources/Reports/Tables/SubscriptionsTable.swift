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
            .init("evidence_at", .date, width: 20),
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
    }
}

extension SubscriptionRow: TableRow {
    package static var schema: TableSchema { SubscriptionsTable.schema }
    package func write(to row: inout some CellWriter) { SubscriptionsTable.write(self, to: &row) }
}
