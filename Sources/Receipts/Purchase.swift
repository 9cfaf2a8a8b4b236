public import Encodings

/// One in-app purchase as a receipt shows it ("In-App Purchase Receipt Fields").
public struct Purchase: Equatable, Codable, Sendable {
    /// Attribute 1707, which Apple does not document.
    public enum Kind: Int, Codable, Sendable {
        case nonConsumable = 0
        case consumable = 1
        case nonRenewing = 2
        case autoRenewable = 3
        case freeSubscription = 4
    }

    /// Attribute 1702.
    public var productID: ExactText
    /// Attribute 1703. Fifteen digits and more; Xcode's local store counts from 0.
    public var transactionID: ExactText
    /// Attribute 1704.
    public var purchaseDate: Instant
    /// Attribute 1701.
    public var quantity: Int?
    /// Attribute 1705: the first transaction of a subscription or of a restored purchase.
    public var originalTransactionID: ExactText?
    /// Attribute 1706.
    public var originalPurchaseDate: Instant?
    /// Attribute 1707; `nil` if absent or of an unknown number.
    public var kind: Kind?
    /// Attribute 1708: the end of a subscription's period.
    public var expiresDate: Instant?
    /// Attribute 1711: names a subscription's period; `nil` where it is 0 or absent.
    public var webOrderLineItemID: Int?
    /// Attribute 1712: when the purchase was refunded.
    public var cancellationDate: Instant?
    /// Attribute 1713.
    public var isTrialPeriod = false
    /// Attribute 1719.
    public var isInIntroOfferPeriod = false
    /// Attribute 1721.
    public var promotionalOfferID: ExactText?

    public init(productID: ExactText, transactionID: ExactText, purchaseDate: Instant) {
        self.productID = productID
        self.transactionID = transactionID
        self.purchaseDate = purchaseDate
    }
}

extension Array where Element == Purchase {
    /// Whether a test holds for one of them. Unlike `contains(where:)` it copies none, which would count the references of
    /// every text.
    @inlinable @inline(__always)
    public func holds(forAny test: (borrowing Purchase) -> Bool) -> Bool {
        let purchases = span
        for index in purchases.indices where test(purchases[index]) { return true }
        return false
    }
}
