public import Encodings

/// The fields of a purchase that only transaction tokens have ("JWSTransactionDecodedPayload").
public struct TransactionDetails: Equatable, Codable, Sendable {
    /// The price in thousandths of the currency's unit: for a consumable of all items, for a subscription the average
    /// of one seat.
    public var price: Int64?
    /// Represents a stated price of unknown value.
    static let unknownPrice: Int64 = -1
    /// A code of ISO 4217.
    public var currency: ExactText?
    /// `inAppOwnershipType`: `PURCHASED`, `FAMILY_SHARED` or `ASSIGNED`.
    public var ownership: ExactText?
    /// A code of ISO 3166-1, of three letters.
    public var storefront: ExactText?
    /// Whether another product of the subscription replaced it.
    public var isUpgraded = false
    /// 1 introductory, 2 promotional, 3 offer code, 4 win-back.
    public var offerType: Int?
    /// `REFUND_FULL`, `REFUND_PRORATED` or `FAMILY_REVOKE`.
    public var revocationType: ExactText?
    /// `revocationReason`: 1 for a fault in the app, 0 for another reason; -1 for any other value.
    public var revocationReason: Int?
    /// The refunded share of the whole quantity, in thousandths of a percent.
    public var revocationPercentage: Int?
    /// The original transaction of the chain that this one replaced: a bundle, or a migration.
    public var previousOriginalTransactionID: ExactText?
    /// `subscriptionGroupIdentifier`: the group of products; a person has one of them at a time.
    public var subscriptionGroupID: ExactText?
    /// `appAccountToken`: the UUID that the app gave to StoreKit for an account of its own.
    public var appAccountToken: ExactText?
    /// `additionalTransactionReason`: why a transaction was added to a period that was bought before.
    public var additionalReason: ExactText?
    /// `billingPlanType`: `BILLED_UPFRONT`, or `MONTHLY` for a year paid in parts.
    public var billingPlan: ExactText?
    /// `commitmentInfo.commitmentExpiresDate`: the end of the buyer's commitment.
    public var commitmentExpiresDate: Instant?
    /// `bundleTransactionId`: the transaction of the bundle in which it was sold.
    public var bundleTransactionID: ExactText?
    /// `multiSeatInfo`.
    public var seats: SeatInfo?
    /// `advancedCommerceInfo`.
    public var commerce: CommerceItems?

    // From other tokens about the transaction.

    /// When seats of it were refunded, according to a notification REFUND with the subtype SEATS.
    public var seatsRefundedAt: Instant?
    /// When the chain that replaced it began, according to a token of that chain.
    public var movedAt: Instant?

    public init() {}

    /// Whether somebody else bought it: a family member or a seat holder. An unknown ownership counts as one, because
    /// that accuses nobody.
    public var isMember: Bool { ownership.map { $0 != "PURCHASED" } ?? false }
}
