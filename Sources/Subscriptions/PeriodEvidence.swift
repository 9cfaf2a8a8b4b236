import Encodings
import Receipts
import Rules

/// What receipts say about one period, added in any order.
struct PeriodEvidence: Codable, Sendable {
    /// The purchase in the newest receipt, and when that receipt was made.
    private var word: Purchase
    private var spokenAt: Instant
    private var refund: Refund?
    private var earliestPurchase: Instant
    /// The greatest expiry that any receipt shows, by which periods are left out if there are too many.
    private(set) var greatestExpiry: Instant
    /// Whether a single receipt shows that the period renews.
    private(set) var isCertain = false
    private var hasKind = false
    private var hasOriginal = false
    private var productsDiffer = false
    private var expiriesDiffer = false

    init(_ purchase: Purchase, expiring expiry: Instant, createdAt: Instant) {
        word = purchase
        spokenAt = createdAt
        earliestPurchase = purchase.purchaseDate
        greatestExpiry = expiry
    }

    mutating func add(_ purchase: Purchase, expiring expiry: Instant, createdAt: Instant) {
        if purchase.productID != word.productID { productsDiffer = true }
        if purchase.expiresDate != word.expiresDate { expiriesDiffer = true }
        if purchase.kind != nil { hasKind = true }
        if purchase.originalTransactionID != nil { hasOriginal = true }
        if purchase.isSurelyAutoRenewable { isCertain = true }
        earliestPurchase = min(earliestPurchase, purchase.purchaseDate)
        greatestExpiry = max(greatestExpiry, expiry)
        if let date = purchase.cancellationDate {
            let shown = Refund(spokenAt: createdAt, date: date)
            refund = max(refund ?? shown, shown)
        }
        update(purchase, spokenAt: createdAt)
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
        update(other.word, spokenAt: other.spokenAt)
    }

    /// Replaces the purchase by that of a newer receipt.
    private mutating func update(_ purchase: Purchase, spokenAt createdAt: Instant) {
        guard spokenAt < createdAt || (spokenAt == createdAt && word.isWeaker(than: purchase)) else { return }
        word = purchase
        spokenAt = createdAt
    }

    /// When the period was refunded, and when the receipt was made that shows it.
    private struct Refund: Comparable, Codable {
        let spokenAt: Instant
        let date: Instant

        static func < (a: Refund, b: Refund) -> Bool { (a.spokenAt, a.date) < (b.spokenAt, b.date) }
    }

    /// Returns what is odd about the period.
    func oddities(_ id: PeriodID) -> [Oddity] {
        var oddities: [Oddity] = []
        if case .transaction = id { oddities.append(.noLineItem) }
        if !hasOriginal { oddities.append(.noOriginalID) }
        if !hasKind { oddities.append(.noKind) }
        if productsDiffer { oddities.append(.productsDiffer) }
        if expiriesDiffer { oddities.append(.expiriesDiffer) }
        // A receipt shows a refund that the newest one does not.
        if refund != nil && word.cancellationDate == nil { oddities.append(.refundWithdrawn) }
        return oddities
    }

    func period(_ id: PeriodID) -> SubscriptionPeriod {
        SubscriptionPeriod(
            id: id, productID: word.productID, transactionID: word.transactionID, purchasedAt: earliestPurchase,
            expiresAt: word.expiresDate ?? greatestExpiry, refundedAt: refund?.date, isTrial: word.isTrialPeriod,
            isIntroOffer: word.isInIntroOfferPeriod,
            isPromotionalOffer: word.promotionalOfferID?.isEmpty == false)
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

    /// Orders the purchases of equally old receipts: the later purchase counts, then any difference.
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

/// Collects the distinct periods of a subscription: the latest ones, if there are too many.
///
/// Which ones it keeps depends on the observations and not on their order: those with the greatest expiry in any
/// receipt, which no observation can lower. What receipts say about a period that was dropped and occurs again is known
/// only in part; then a second pass over the observations is needed, with the periods to keep known from the start.
struct PeriodCollector: Codable, Sendable {
    private let limit: Int
    @SortedByKey private(set) var periods: [PeriodID: PeriodEvidence] = [:]
    /// Whether a period was dropped, so that a second pass is needed.
    private(set) var hasForgotten = false
    /// The periods to keep, in the second pass.
    private var wanted: Set<PeriodID>?
    private var all = DistinctSketch<PeriodID>()

    init(limit: Int) { self.limit = max(limit, 1) }

    /// Starts the second pass.
    init(secondPassAfter first: PeriodCollector) {
        limit = first.limit
        wanted = Set(first.periods.keys)
    }

    mutating func add(_ observation: Observation) {
        guard observation.isGenuine, let createdAt = observation.createdAt else { return }
        for purchase in observation.purchases { add(purchase, createdAt: createdAt) }
    }

    private mutating func add(_ purchase: Purchase, createdAt: Instant) {
        guard purchase.mayBeAutoRenewable, let expiry = purchase.expiresDate else { return }
        let id = PeriodID(purchase)
        if let wanted {
            all.insert(id)
            guard wanted.contains(id) else { return }
        }
        periods[id, default: PeriodEvidence(purchase, expiring: expiry, createdAt: createdAt)]
            .add(purchase, expiring: expiry, createdAt: createdAt)
        dropExcess()
    }

    /// Adds what another collector of the same pass has collected.
    mutating func add(_ other: PeriodCollector) {
        hasForgotten = hasForgotten || other.hasForgotten
        all.add(other.all)
        for (id, evidence) in other.periods {
            var sum = periods[id] ?? evidence
            sum.add(evidence)
            periods[id] = sum
        }
        dropExcess()
    }

    private mutating func dropExcess() {
        guard periods.count / 2 >= limit else { return }
        hasForgotten = true
        shrink()
    }

    /// Drops the periods beyond the limit, and returns their number, or an estimate of it.
    mutating func finish() -> Int {
        let found = wanted == nil ? periods.count : max(all.count, periods.count)
        shrink()
        return found - periods.count
    }

    private mutating func shrink() {
        guard periods.count > limit else { return }
        let kept = periods.sorted { ($0.value.greatestExpiry, $0.key) > ($1.value.greatestExpiry, $1.key) }
            .prefix(limit)
        periods = Dictionary(kept.map { ($0.key, $0.value) }) { first, _ in first }
    }
}
