import Encodings
import Receipts

extension Purchase {
    /// Orders the purchases of receipts with equal dates: the smaller ids win, then the later dates, then any
    /// difference.
    func isWeaker(than other: Purchase) -> Bool {
        let (mine, theirs) = ((transactionID, productID), (other.transactionID, other.productID))
        guard mine == theirs else { return theirs < mine }
        let (first, second) = (dates, other.dates)
        if first != second { return first < second }
        if let isWeaker = numbers.precedes(other.numbers) ?? texts.precedes(other.texts) { return isWeaker }
        guard let details, let theirs = other.details else { return other.details != nil && details == nil }
        return details.isWeaker(than: theirs)
    }

    private var dates: (Instant, Instant, Instant) { (purchaseDate, expiresDate ?? .least, cancellationDate ?? .least) }

    /// All other numbers, and values that are not compared as dates because they may be absent.
    private var numbers: [Int64?] {
        let flags = [isTrialPeriod, isInIntroOfferPeriod, statesTrial, statesIntroOffer]
        let numbers = [quantity, kind?.rawValue, webOrderLineItemID, cancellationReason]
        return flags.map { $0 ? 1 : 0 } + numbers.map { $0.map(Int64.init) }
            + [originalPurchaseDate, expiresDate, cancellationDate].map { $0?.milliseconds }
    }

    private var texts: [ExactText?] { [promotionalOfferID, originalTransactionID] }
}

extension TransactionDetails {
    /// Orders the details of tokens with equal dates: any difference decides, and more information is stronger.
    func isWeaker(than other: TransactionDetails) -> Bool {
        texts.precedes(other.texts) ?? numbers.precedes(other.numbers) ?? lists.precedes(other.lists)
            ?? reasons.precedes(other.reasons) ?? false
    }

    private var texts: [ExactText?] {
        [
            revocationType, currency, ownership, storefront, previousOriginalTransactionID, subscriptionGroupID,
            appAccountToken, additionalReason, billingPlan, bundleTransactionID,
        ]
    }

    /// The numbers and dates, and finally the lengths of the lists.
    private var numbers: [Int64?] {
        let dates = [commitmentExpiresDate, seatsRefundedAt, movedAt, commerce?.revokedAt]
        let flags = [isUpgraded, commerce != nil, commerce?.areAllRevoked == true]
        let lengths = [seats?.tiers.count, commerce?.refunds.count]
        return [price] + ([offerType, revocationPercentage, revocationReason, seats?.revoked] + lengths).map(\.wide)
            + dates.map { $0?.milliseconds } + flags.map { $0 ? 1 : 0 }
    }

    private var lists: [Int64?] {
        (seats?.tiers ?? []).flatMap { [$0.price, Int64($0.quantity)] }
            + (commerce?.refunds ?? []).flatMap { [$0.amount, $0.date?.milliseconds] }
    }

    private var reasons: [ExactText?] { commerce?.refunds.map(\.reason) ?? [] }
}

extension Int? {
    fileprivate var wide: Int64? { map(Int64.init) }
}

extension Instant {
    fileprivate static var least: Instant { Instant(milliseconds: .min) }
}

extension Array {
    /// Whether the first different value is smaller here; absent values are smallest. `nil` if none differ.
    fileprivate func precedes<Value: Comparable>(_ others: [Value?]) -> Bool? where Element == Value? {
        guard let (mine, theirs) = zip(self, others).first(where: { $0 != $1 }) else { return nil }
        guard let mine, let theirs else { return mine == nil }
        return mine < theirs
    }
}
