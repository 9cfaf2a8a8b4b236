import Encodings
import Subscriptions

/// A subscription's row as a record that sorts as the table does: by the original transaction's id.
enum SubscriptionRecord {
    static func prefix(of row: SubscriptionRow) -> UInt64 {
        var prefix: UInt64 = 0
        var rest = row.originalTransactionID.utf8.makeIterator()
        for _ in 0..<8 { prefix = prefix << 8 | UInt64(rest.next() ?? 0) }
        return prefix
    }

    static func write(_ row: SubscriptionRow, to record: inout RecordWriter) {
        record.leading(row.originalTransactionID)
        for text in [row.bundleID, row.productID, row.environment, row.lastTransactionID] { record.text(text) }
        record.byte(UInt8(truncatingIfNeeded: SubscriptionState.allCases.firstIndex(of: row.state) ?? 0))
        for date in [row.startedAt, row.expiresAt, row.evidenceAt] { record.instant(date) }
        let counts = [
            row.periods, row.trials, row.introOffers, row.refunds, row.lapses, row.productChanges, row.devices,
            row.accounts,
        ]
        for count in counts { record.number(UInt64(count)) }
        record.endLeading(row.originalTransactionID)
    }

    static func row(of record: Span<UInt8>) -> SubscriptionRow {
        var fields = RecordReader(record)
        let id = fields.leading()
        let (bundleID, productID, environment, last) = (fields.text(), fields.text(), fields.text(), fields.text())
        let states = SubscriptionState.allCases
        let state = states[min(Int(fields.byte()), states.count - 1)]
        let (startedAt, expiresAt, evidenceAt) = (fields.instant(), fields.instant(), fields.instant())
        return SubscriptionRow(
            originalTransactionID: id, bundleID: bundleID, productID: productID, environment: environment, state: state,
            startedAt: startedAt, expiresAt: expiresAt, periods: fields.int(), trials: fields.int(),
            introOffers: fields.int(), refunds: fields.int(), lapses: fields.int(), productChanges: fields.int(),
            devices: fields.int(), accounts: fields.int(), lastTransactionID: last, evidenceAt: evidenceAt)
    }
}
