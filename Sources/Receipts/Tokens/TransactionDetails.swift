public import Encodings

/// Holds what only transaction tokens show of a purchase ("JWSTransactionDecodedPayload").
public struct TransactionDetails: Equatable, Codable, Sendable {
    /// In thousandths of the currency's unit: of a consumable for all pieces, of a subscription for one seat on average.
    public var price: Int64?
    /// Stands for a price of which only that is known that it was stated.
    static let unknownPrice: Int64 = -1
    /// A code of ISO 4217.
    public var currency: ExactText?
    /// `inAppOwnershipType`: `PURCHASED`, `FAMILY_SHARED` or `ASSIGNED`.
    public var ownership: ExactText?
    /// A code of ISO 3166-1, of three letters.
    public var storefront: ExactText?
    /// Whether another product of the subscription took its place.
    public var isUpgraded = false
    /// 1 introductory, 2 promotional, 3 offer code, 4 win-back.
    public var offerType: Int?
    /// `REFUND_FULL`, `REFUND_PRORATED` or `FAMILY_REVOKE`.
    public var revocationType: ExactText?
    /// `revocationReason`: 1 for a fault in the app, 0 for another reason; -1 for what is no such number.
    public var revocationReason: Int?
    /// In thousandths of a percent, of the whole quantity.
    public var revocationPercentage: Int?
    /// The original transaction of the chain whose place this one took: a bundle, or a migration.
    public var previousOriginalTransactionID: ExactText?
    /// `subscriptionGroupIdentifier`: names the products of which a person has one at a time.
    public var subscriptionGroupID: ExactText?
    /// `appAccountToken`: the UUID that the app gave to StoreKit for an account of its own.
    public var appAccountToken: ExactText?
    /// `additionalTransactionReason`: why a transaction was added to a period that was bought already.
    public var additionalReason: ExactText?
    /// `billingPlanType`: `BILLED_UPFRONT`, or `MONTHLY` for a year that is paid in parts.
    public var billingPlan: ExactText?
    /// `commitmentInfo.commitmentExpiresDate`: the end of what the buyer has committed to.
    public var commitmentExpiresDate: Instant?
    /// `bundleTransactionId`: the transaction of the bundle in which it was sold.
    public var bundleTransactionID: ExactText?
    /// `multiSeatInfo`.
    public var seats: SeatInfo?
    /// `advancedCommerceInfo`.
    public var commerce: CommerceItems?

    // What other tokens say of the transaction.

    /// When seats of it were refunded, as a notification REFUND with the subtype SEATS says.
    public var seatsRefundedAt: Instant?
    /// When the chain began that took its place, as a token of that chain says.
    public var movedAt: Instant?

    public init() {}

    /// Whether somebody else bought it: a family's member or a seat's holder. An ownership that is not known is taken for
    /// such a one, as it accuses nobody.
    public var isMember: Bool { ownership.map { $0 != "PURCHASED" } ?? false }
}
