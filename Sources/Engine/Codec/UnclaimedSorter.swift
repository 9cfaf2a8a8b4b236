package import Encodings
import Files
import Receipts
import Rules
import Sorting
package import Subscriptions

/// Sorts unclaimed purchases into the order of their table, by original transaction.
package final class UnclaimedSorter {
    private let sorter: RecordSorter
    private var record = RecordWriter()

    package init(_ storage: Storage) { sorter = RecordSorter(budget: storage.memory, folder: storage.folder) }

    package func add(_ purchase: UnclaimedPurchase) throws {
        var purchase = purchase
        record.removeAll()
        purchase.code(&record)
        try sorter.add(Self.prefix(of: purchase.originalTransactionID), record)
    }

    /// Adds a formatted row.
    package func add(
        _ original: ExactText, purchasedAt: Instant, expiresAt: Instant?, of app: ExactText, _ text: String
    ) throws {
        var (original, date, app, text) = (original, purchasedAt, app, ExactText(text))
        var end = expiresAt ?? Instant(milliseconds: .max)
        record.removeAll()
        record.sortable(&original)
        record.instant(&date)
        record.instant(&end)
        record.text(&app)
        record.text(&text)
        try sorter.add(Self.prefix(of: original), record)
    }

    private static func prefix(of id: ExactText) -> UInt64 {
        var rest = id.utf8.makeIterator()
        return (0..<8).reduce(0) { prefix, _ in prefix << 8 | UInt64(rest.next() ?? 0) }
    }

    /// Calls a body once with each purchase.
    func forEach(_ body: (UnclaimedPurchase) throws -> Void) throws {
        try RunMerge.forEachRecord(of: sorter.finish()) { _, record in
            try body(
                RecordReader.read(record, UnclaimedPurchase()) { (purchase, fields) throws(RecordError) in
                    try purchase.code(&fields)
                })
        }
    }

    /// Calls a body once with the text of each row whose purchase is within a window.
    package func forEachText(in window: UnclaimedWindow, _ body: (String) throws -> Void) throws {
        try RunMerge.forEachRecord(of: sorter.finish()) { _, record in
            let zero = Instant(milliseconds: 0)
            let none: (ExactText, Instant, Instant, ExactText, ExactText) = ("", zero, zero, "", "")
            let row = try RecordReader.read(record, none) { (row, fields) throws(RecordError) in
                try fields.sortable(&row.0)
                try fields.instant(&row.1)
                try fields.instant(&row.2)
                try fields.text(&row.3)
                try fields.text(&row.4)
            }
            if window.contains(row.1, until: row.2, of: row.3) { try body(row.4.text) }
        }
    }
}

extension UnclaimedPurchase {
    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.sortable(&originalTransactionID)
        try coder.text(&transactionID)
        try coder.text(&bundleID)
        try coder.text(&productID)
        try coder.instant(&purchasedAt)
        try coder.instant(&signedAt)
        try coder.octets(&evidenceDigest)
        var (number, millionths, currency) = (kind?.rawValue, price?.millionths, price?.currency)
        var bits = try coder.beginBits()
        coder.flag(&isForged, &bits)
        let hasOwner = coder.isPresent(owner != nil, &bits)
        try coder.number(&number, &bits)
        try coder.instant(&expiresAt, &bits)
        try coder.text(&accountToken, &bits)
        try coder.text(&appTransactionID, &bits)
        try coder.wideNumber(&millionths, &bits)
        try coder.text(&currency, &bits)
        coder.end(bits)
        var owner = owner ?? PurchaseOwner()
        if hasOwner { try owner.code(&coder) }
        guard Coder.isReading else { return }
        self.owner = hasOwner ? owner : nil
        kind = number.flatMap { Purchase.Kind(rawValue: $0) }
        price = millionths.flatMap { amount in
            currency.map { Product.Price(millionths: amount, currency: $0) }
        }
    }
}

extension PurchaseOwner {
    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text(&bundleID)
        var bits = try coder.beginBits()
        try coder.text(&accountID, &bits)
        try coder.instant(&lastSeen, &bits)
        coder.end(bits)
    }
}
