import Checks
import Encodings
import Rules
package import Subscriptions

/// Records of subscriptions sort like their table: by the original transaction's id.
extension SubscriptionRow: SortedRecord {
    package static var unread: SubscriptionRow {
        let epoch = Instant(milliseconds: 0)
        return SubscriptionRow(
            originalTransactionID: "", bundleID: "", productID: "", environment: "",
            state: SubscriptionState.allCases[0],
            startedAt: epoch, expiresAt: epoch, periods: 0, trials: 0, introOffers: 0, refunds: 0, lapses: 0,
            productChanges: 0, devices: 0, accounts: 0, lastTransactionID: "", evidenceAt: epoch)
    }

    package var prefix: UInt64 { originalTransactionID.prefix() }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.sortable(&originalTransactionID)
        try coder.text(&bundleID)
        try coder.text(&productID)
        try coder.text(&environment)
        try coder.place(of: &state)
        try coder.instant(&startedAt)
        try coder.instant(&expiresAt)
        try coder.count(&periods)
        try coder.count(&trials)
        try coder.count(&introOffers)
        try coder.count(&refunds)
        try coder.count(&lapses)
        try coder.count(&productChanges)
        try coder.count(&devices)
        try coder.count(&accounts)
        try coder.count(&seats)
        try coder.text(&lastTransactionID)
        try coder.instant(&evidenceAt)
        var bits = try coder.beginBits()
        try coder.flag(&renewsByItself, &bits)
        try coder.text(&renewsTo, &bits)
        try coder.instant(&gracePeriodExpiresAt, &bits)
        try coder.flag(&isInBillingRetry, &bits)
        try coder.number(&expirationIntent, &bits)
        try coder.text(&ownership, &bits)
        try coder.text(&offer, &bits)
        try coder.wideNumber(&price, &bits)
        try coder.text(&currency, &bits)
        try coder.instant(&commitmentEndsAt, &bits)
        try coder.octets(&evidenceDigest, &bits)
        coder.end(bits)
        try coder.place(of: &evidence)
    }
}
