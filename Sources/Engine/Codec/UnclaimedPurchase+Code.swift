package import Encodings
import Receipts
import Rules
package import Subscriptions

/// The sort key of a formatted row of the table `unclaimed`, and what decides whether the row belongs to it.
package struct UnclaimedOrder: SortedRecord {
    private var original: ExactText
    private var purchasedAt: Instant
    private var end: Instant
    private var app: ExactText

    package init(_ original: ExactText, purchasedAt: Instant, expiresAt: Instant?, of app: ExactText) {
        self.original = original
        self.purchasedAt = purchasedAt
        self.app = app
        end = expiresAt ?? Instant(milliseconds: .max)
    }

    package static var unread: UnclaimedOrder {
        UnclaimedOrder("", purchasedAt: Instant(milliseconds: 0), expiresAt: nil, of: "")
    }

    package var prefix: UInt64 { original.prefix() }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.sortable(&original)
        try coder.instant(&purchasedAt)
        try coder.instant(&end)
        try coder.text(&app)
    }

    /// Whether the purchase is in a window.
    package func isIn(_ window: UnclaimedWindow) -> Bool { window.contains(purchasedAt, until: end, of: app) }
}

extension UnclaimedPurchase: SortedRecord {
    package static var unread: UnclaimedPurchase { UnclaimedPurchase() }

    package var prefix: UInt64 { originalTransactionID.prefix() }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
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
        try coder.value(&owner, &bits)
        try coder.number(&number, &bits)
        try coder.instant(&expiresAt, &bits)
        try coder.text(&accountToken, &bits)
        try coder.text(&appTransactionID, &bits)
        try coder.wideNumber(&millionths, &bits)
        try coder.text(&currency, &bits)
        coder.end(bits)
        guard Coder.isReading else { return }
        kind = number.flatMap { Purchase.Kind(rawValue: $0) }
        price = millionths.flatMap { amount in
            currency.map { Product.Price(millionths: amount, currency: $0) }
        }
    }
}

extension PurchaseOwner: Recorded {
    package static var unread: PurchaseOwner { PurchaseOwner() }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text(&bundleID)
        var bits = try coder.beginBits()
        try coder.text(&accountID, &bits)
        try coder.instant(&lastSeen, &bits)
        coder.end(bits)
    }
}
