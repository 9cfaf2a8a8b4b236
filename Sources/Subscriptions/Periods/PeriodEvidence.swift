import Encodings
import Receipts

/// All that receipts say of one period, taken in any order.
struct PeriodEvidence: Codable, Sendable {
    /// The newest receipt's word, and when that receipt was made.
    private var word: Purchase
    private var spokenAt: Instant
    private var refund: Refund?
    private var earliestPurchase: Instant
    /// The greatest expiry that any receipt shows, by which periods are left out if there are too many.
    private(set) var greatestExpiry: Instant
    /// Whether a receipt shows by itself that the period renews.
    private(set) var isCertain = false
    private(set) var hasKind = false
    private(set) var hasOriginal = false
    private(set) var productsDiffer = false
    private(set) var expiriesDiffer = false

    init(_ purchase: Purchase, expiring expiry: Instant, createdAt: Instant) {
        word = purchase
        spokenAt = createdAt
        earliestPurchase = purchase.purchaseDate
        greatestExpiry = expiry
    }

    mutating func take(_ purchase: Purchase, expiring expiry: Instant, createdAt: Instant) {
        if purchase.productID != word.productID { productsDiffer = true }
        if purchase.expiresDate != word.expiresDate { expiriesDiffer = true }
        if purchase.kind != nil { hasKind = true }
        if purchase.originalTransactionID != nil { hasOriginal = true }
        if purchase.isSurelyAutoRenewable { isCertain = true }
        earliestPurchase = min(earliestPurchase, purchase.purchaseDate)
        greatestExpiry = max(greatestExpiry, expiry)
        if let date = purchase.cancellationDate {
            refund = max(refund ?? Refund(spokenAt: createdAt, date: date), Refund(spokenAt: createdAt, date: date))
        }
        hear(purchase, spokenAt: createdAt)
    }

    /// Adds what other receipts say.
    mutating func add(_ other: PeriodEvidence) {
        if other.productsDiffer || other.word.productID != word.productID { productsDiffer = true }
        if other.expiriesDiffer || other.word.expiresDate != word.expiresDate { expiriesDiffer = true }
        hasKind = hasKind || other.hasKind
        hasOriginal = hasOriginal || other.hasOriginal
        isCertain = isCertain || other.isCertain
        earliestPurchase = min(earliestPurchase, other.earliestPurchase)
        greatestExpiry = max(greatestExpiry, other.greatestExpiry)
        if let theirs = other.refund { refund = max(refund ?? theirs, theirs) }
        hear(other.word, spokenAt: other.spokenAt)
    }

    /// Takes a receipt's word, if it is newer than that which is known.
    private mutating func hear(_ purchase: Purchase, spokenAt createdAt: Instant) {
        guard spokenAt < createdAt || (spokenAt == createdAt && word.isWeaker(than: purchase)) else { return }
        word = purchase
        spokenAt = createdAt
    }

    /// When it was refunded, and when the receipt was made that says so.
    private struct Refund: Comparable, Codable {
        let spokenAt: Instant
        let date: Instant

        static func < (a: Refund, b: Refund) -> Bool { (a.spokenAt, a.date) < (b.spokenAt, b.date) }
    }

    /// Whether a receipt shows a refund that the newest one does not.
    var isRefundWithdrawn: Bool { refund != nil && word.cancellationDate == nil }

    func period(_ id: PeriodID) -> SubscriptionPeriod {
        var period = SubscriptionPeriod(
            id, productID: word.productID, transactionID: word.transactionID, purchasedAt: earliestPurchase,
            expiresAt: word.expiresDate ?? greatestExpiry)
        period.refundedAt = refund?.date
        period.isTrial = word.isTrialPeriod
        period.isIntroOffer = word.isInIntroOfferPeriod
        period.isPromotionalOffer = word.promotionalOfferID?.isEmpty == false
        return period
    }
}

extension Purchase {
    /// Whether it may be a period that renews: it ends, and is not said to be of another kind.
    var mayBeAutoRenewable: Bool { expiresDate != nil && (kind == nil || kind == .autoRenewable) }

    /// Whether it is by itself a period that renews: it is of that kind, or where attribute 1707 is absent
    /// has what only such periods have, a web order line item or a transaction that it renews.
    var isSurelyAutoRenewable: Bool {
        guard expiresDate != nil else { return false }
        guard kind == nil else { return kind == .autoRenewable }
        return webOrderLineItemID != nil || (originalTransactionID ?? transactionID) != transactionID
    }

    /// Which of two words of equally old receipts counts: the later purchase, then whatever differs.
    fileprivate func isWeaker(than other: Purchase) -> Bool {
        let (least, flags) = (Instant(milliseconds: .min), [self, other].map(\.flags))
        return (purchaseDate, expiresDate ?? least, productID, transactionID, flags[0], promotionalOfferID ?? "")
            < (
                other.purchaseDate, other.expiresDate ?? least, other.productID, other.transactionID, flags[1],
                other.promotionalOfferID ?? ""
            )
    }

    private var flags: Int {
        (isTrialPeriod ? 1 : 0) + (isInIntroOfferPeriod ? 2 : 0) + (cancellationDate != nil ? 4 : 0)
    }
}
