import Checks
import Encodings
import Files
import Rules
import Sorting
import Subscriptions

/// The record of a subscription's row. Sorts like the table: by the original transaction's id.
enum SubscriptionRecord {
    static func prefix(of row: SubscriptionRow) -> UInt64 {
        var prefix: UInt64 = 0
        var rest = row.originalTransactionID.utf8.makeIterator()
        for _ in 0..<8 { prefix = prefix << 8 | UInt64(rest.next() ?? 0) }
        return prefix
    }

    static func write(_ row: SubscriptionRow, to record: inout RecordWriter) {
        var row = row
        row.code(&record)
    }

    static func row(of record: Span<UInt8>) throws(RecordError) -> SubscriptionRow {
        let epoch = Instant(milliseconds: 0)
        let unread = SubscriptionRow(
            originalTransactionID: "", bundleID: "", productID: "", environment: "",
            state: SubscriptionState.allCases[0],
            startedAt: epoch, expiresAt: epoch, periods: 0, trials: 0, introOffers: 0, refunds: 0, lapses: 0,
            productChanges: 0, devices: 0, accounts: 0, lastTransactionID: "", evidenceAt: epoch)
        return try RecordReader.read(record, unread) { (row, fields) throws(RecordError) in try row.code(&fields) }
    }
}

extension SubscriptionRow {
    fileprivate mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
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
        if coder.isPresent(!evidenceDigest.isEmpty, &bits) {
            try coder.octets(&evidenceDigest)
        } else {
            evidenceDigest = []
        }
        coder.end(bits)
        try coder.place(of: &evidence)
    }
}
