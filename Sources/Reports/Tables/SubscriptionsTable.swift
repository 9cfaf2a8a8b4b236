import Encodings
package import Subscriptions

/// The table `subscriptions`: one row per original transaction with an auto-renewable period.
package enum SubscriptionsTable {
    package static let columns = SubscriptionRow.columns

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
