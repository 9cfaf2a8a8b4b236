import Encodings
import Receipts
import Rules

/// The state over proofs of one period, added in any order.
struct PeriodEvidence: Sendable {
    /// The purchase in the newest receipt, and when that receipt was made.
    private var newestPurchase: Purchase
    private var signedAt: Instant
    /// The further fields of the newest token. A newer receipt does not contradict them.
    private var tokenStatement: TokenStatement?
    private var earliestPurchase: Instant
    /// The greatest expiry in any receipt, which decides what to drop if there are too many periods.
    private(set) var greatestExpiry: Instant
    private var wasCancelled = false
    /// Whether any proof shows that Apple revoked it because sharing ended.
    private var wasSharingEnded = false
    private var hasKind = false
    private var hasOriginal = false
    private var productsDiffer = false
    private var expiriesDiffer = false
    /// The latest date of a refund of seats according to a notification.
    private var seatsRefundedAt: Instant?

    init(_ purchase: Purchase, expiring expiry: Instant, createdAt: Instant) {
        newestPurchase = purchase
        signedAt = createdAt
        tokenStatement = TokenStatement(purchase, signedAt: createdAt)
        earliestPurchase = purchase.purchaseDate
        greatestExpiry = expiry
        hasKind = purchase.kind != nil
        hasOriginal = purchase.originalTransactionID != nil
        wasCancelled = purchase.cancellationDate != nil
        wasSharingEnded = purchase.isSharingEnded
        seatsRefundedAt = purchase.details?.seatsRefundedAt
    }

    /// The transaction in the newest proof.
    var transactionID: ExactText { newestPurchase.transactionID }
    /// The web order line item of the period in receipts of a family member. It is not documented which line item a
    /// seat holder has.
    var familyLineItem: Int? {
        tokenStatement?.details.ownership == "FAMILY_SHARED" ? newestPurchase.webOrderLineItemID : nil
    }
    /// Whether its holder bought it, according to the newest token.
    var isBought: Bool { tokenStatement?.details.ownership == "PURCHASED" }

    /// The fields of a period that only a token has.
    private struct TokenStatement {
        let details: TransactionDetails
        let quantity: Int?
        let isSuccessor: Bool
        let signedAt: Instant

        /// - Returns: `nil` if it is not a token with the purchase.
        init?(_ purchase: Purchase, signedAt: Instant) {
            guard let details = purchase.details else { return nil }
            self.details = details
            quantity = purchase.quantity
            self.signedAt = signedAt
            isSuccessor = purchase.previousChain != nil
        }

        /// Whether the other is newer; for equal dates any difference decides.
        func isWeaker(than other: TokenStatement) -> Bool {
            guard signedAt == other.signedAt else { return signedAt < other.signedAt }
            guard quantity == other.quantity else { return quantity ?? .min < other.quantity ?? .min }
            return details.isWeaker(than: other.details)
        }
    }

    /// Adds the state over other receipts.
    mutating func add(_ other: PeriodEvidence) {
        if other.productsDiffer || other.newestPurchase.productID != newestPurchase.productID { productsDiffer = true }
        if other.expiriesDiffer || other.newestPurchase.expiresDate != newestPurchase.expiresDate {
            expiriesDiffer = true
        }
        hasKind = hasKind || other.hasKind
        hasOriginal = hasOriginal || other.hasOriginal
        wasCancelled = wasCancelled || other.wasCancelled
        wasSharingEnded = wasSharingEnded || other.wasSharingEnded
        earliestPurchase = min(earliestPurchase, other.earliestPurchase)
        greatestExpiry = max(greatestExpiry, other.greatestExpiry)
        seatsRefundedAt.addGreatest(other.seatsRefundedAt)
        update(other.newestPurchase, signedAt: other.signedAt)
        update(other.tokenStatement)
    }

    private mutating func update(_ statement: TokenStatement?) {
        guard let statement else { return }
        if tokenStatement.map({ $0.isWeaker(than: statement) }) ?? true { tokenStatement = statement }
    }

    /// Replaces the purchase with that of a newer receipt.
    private mutating func update(_ purchase: Purchase, signedAt createdAt: Instant) {
        guard signedAt < createdAt || (signedAt == createdAt && newestPurchase.isWeaker(than: purchase)) else { return }
        newestPurchase = purchase
        signedAt = createdAt
    }

    /// Returns the anomalies of the period.
    func oddities() -> [Oddity] {
        var oddities: [Oddity] = []
        if newestPurchase.webOrderLineItemID == nil { oddities.append(.noLineItem) }
        if !hasOriginal { oddities.append(.noOriginalID) }
        if !hasKind { oddities.append(.noKind) }
        if productsDiffer { oddities.append(.productsDiffer) }
        if expiriesDiffer { oddities.append(.expiriesDiffer) }
        if wasCancelled && newestPurchase.cancellationDate == nil { oddities.append(.refundWithdrawn) }
        return oddities
    }

    func period(_ id: PeriodID) -> SubscriptionPeriod {
        var details = tokenStatement?.details
        details?.seatsRefundedAt = seatsRefundedAt
        var period = SubscriptionPeriod(
            id: id, productID: newestPurchase.productID, transactionID: newestPurchase.transactionID,
            purchasedAt: earliestPurchase,
            expiresAt: newestPurchase.expiresDate ?? greatestExpiry, cancelledAt: newestPurchase.cancellationDate,
            isTrial: newestPurchase.isTrialPeriod, isIntroOffer: newestPurchase.isInIntroOfferPeriod,
            isPromotionalOffer: newestPurchase.promotionalOfferID?.isEmpty == false || details?.offerType ?? 0 > 1)
        period.wasSharingEnded = wasSharingEnded
        period.offerID = newestPurchase.promotionalOfferID
        period.details = details
        period.quantity = tokenStatement?.quantity
        period.isSuccessor = tokenStatement?.isSuccessor ?? false
        period.cancellationReason = newestPurchase.cancellationReason
        return period
    }
}

extension Purchase {
    /// Returns whether it is a period of a subscription. It must have an end and be auto-renewable by attribute 1707;
    /// if that is absent, the policy's catalogue must not have another kind for the product.
    func isPeriod(of bundleID: ExactText, _ policy: Policy) -> Bool {
        expiresDate != nil && (kind ?? policy.kind(of: productID, in: bundleID) ?? .autoRenewable) == .autoRenewable
    }

    /// Returns whether it has a single payment: consumable, non-consumable, or a non-renewing subscription.
    func isOneTime(of bundleID: ExactText, _ policy: Policy) -> Bool {
        switch kind ?? policy.kind(of: productID, in: bundleID) {
        case .consumable, .nonConsumable, .nonRenewing: true
        case .autoRenewable, .freeSubscription: false
        case nil: expiresDate == nil
        }
    }
}

extension Policy {
    /// Returns the kind that the catalogue has for a product.
    fileprivate func kind(of productID: ExactText, in bundleID: ExactText) -> Purchase.Kind? {
        apps[bundleID]?.products?[productID]?.kind
    }
}

/// Collects the distinct periods of a subscription: the latest ones, if there are too many.
///
/// The kept periods depend on the observations and not on their order: those with the greatest expiry in any receipt,
/// which no observation can lower. If a dropped period occurs again, the data about it is incomplete; then a second
/// pass over the observations is needed, in which the periods to keep are known from the start.
struct PeriodCollector: Sendable {
    private let limit: Int
    private(set) var periods: [PeriodID: PeriodEvidence] = [:]
    /// Whether a period was dropped, so that a second pass is needed.
    private(set) var hasForgotten = false
    /// The periods to keep in the second pass. They are not encoded, because the collector that another one is added to
    /// has them.
    private var wanted: Set<PeriodID>?
    private var all = DistinctSketch<PeriodID>()

    init(limit: Int) { self.limit = max(limit, 1) }

    /// Starts the second pass.
    init(secondPassAfter first: PeriodCollector) {
        limit = first.limit
        wanted = Set(first.periods.keys)
    }

    /// Adds a period from a genuine receipt. A purchase without an expiry is not a period.
    mutating func add(_ purchase: Purchase, createdAt: Instant) {
        guard let expiry = purchase.expiresDate else { return }
        let id = PeriodID(purchase)
        if let wanted {
            all.insert(id)
            guard wanted.contains(id) else { return }
        }
        let evidence = PeriodEvidence(purchase, expiring: expiry, createdAt: createdAt)
        if periods[id] == nil { periods[id] = evidence } else { periods[id]?.add(evidence) }
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
