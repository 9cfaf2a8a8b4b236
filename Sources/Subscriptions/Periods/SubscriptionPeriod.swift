public import Encodings

/// One period of a subscription, as all receipts together show it.
///
/// The newest receipt's word counts, but for two things: a refund that any receipt shows is never taken back
/// (older receipts show the period whole), and the purchase date is the earliest (a restored purchase may
/// have a later one).
public struct SubscriptionPeriod: Equatable, Sendable {
    public let id: PeriodID
    public var productID: ExactText
    public var transactionID: ExactText
    /// The earliest date in attribute 1704.
    public var purchasedAt: Instant
    /// Attribute 1708.
    public var expiresAt: Instant
    /// Attribute 1712, in the newest receipt that has it.
    public var refundedAt: Instant?
    public var isTrial = false
    public var isIntroOffer = false
    /// Whether it was sold at a promotional offer, attribute 1721.
    public var isPromotionalOffer = false

    public init(
        _ id: PeriodID, productID: ExactText, transactionID: ExactText, purchasedAt: Instant, expiresAt: Instant
    ) {
        self.id = id
        self.productID = productID
        self.transactionID = transactionID
        self.purchasedAt = purchasedAt
        self.expiresAt = expiresAt
    }

    /// Not a trial. What was paid is not in receipts.
    public var isPaid: Bool { !isTrial }

    /// Whether it was sold at an offer, whose price is not the catalogue's.
    public var isOffer: Bool { isIntroOffer || isPromotionalOffer }

    /// In order of purchase.
    static func begins(_ a: Self, before b: Self) -> Bool {
        (a.purchasedAt, a.expiresAt, a.id) < (b.purchasedAt, b.expiresAt, b.id)
    }

    /// In order of expiry: the latest period is the greatest.
    static func ends(_ a: Self, before b: Self) -> Bool {
        (a.expiresAt, a.purchasedAt, a.id) < (b.expiresAt, b.purchasedAt, b.id)
    }
}
