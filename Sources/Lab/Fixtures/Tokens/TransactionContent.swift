public import Encodings

/// The payload of a transaction, StoreKit's `JWSTransaction` (App Store Server API, `JWSTransactionDecodedPayload`).
///
/// Required members are not optional; `edits` remove or repeat them, or change their types.
public struct TransactionContent: TokenPayload, Changeable {
    public var transactionID: String
    public var originalTransactionID: String
    public var webOrderLineItemID: String?
    public var bundleID: String
    public var productID: String
    public var subscriptionGroupID: String?
    public var purchasedAt: Instant
    public var originallyPurchasedAt: Instant?
    public var expiresAt: Instant?
    public var quantity: Int? = 1
    public var kind: PurchaseContent.Kind?
    /// The UUID that the app gave to StoreKit with the purchase.
    public var accountToken: String?
    /// `PURCHASED`, `FAMILY_SHARED` or `ASSIGNED`.
    public var ownership: String? = "PURCHASED"
    public var signedAt: Instant
    /// 1 an issue with the app, 0 another.
    public var revocationReason: Int?
    public var revokedAt: Instant?
    /// `REFUND_FULL`, `REFUND_PRORATED` or `FAMILY_REVOKE`.
    public var revocationType: String?
    /// The refunded share in thousandths of a percent.
    public var revocationPercentage: Int?
    public var isUpgraded: Bool?
    public var offer: OfferContent?
    /// `Production`, `Sandbox`, `Xcode` or `LocalTesting`.
    public var environment: String? = "Production"
    /// `PURCHASE` or `RENEWAL`.
    public var reason: String? = "PURCHASE"
    /// The three letters of a country (ISO 3166-1).
    public var storefront: String? = "USA"
    public var storefrontID: String? = "143441"
    /// In thousandths of the currency's unit.
    public var price: Int?
    public var currency: String?
    /// An id that is unique for an account and app.
    public var appTransactionID: String?
    public var advancedCommerceInfo: SampleJSON?
    /// `BILLED_UPFRONT`, or `MONTHLY` for a year paid in parts.
    public var billingPlanType: String?
    public var commitmentInfo: SampleJSON?
    /// The seats of a subscription for several people.
    public var seats: SeatContent?
    /// `SEAT_ADDITION`, in all transactions of a period to which seats were added.
    public var additionalReason: String?
    /// The original transaction of the chain that this one replaced: a migration, or a bundle.
    public var previousOriginalTransactionID: String?
    /// The transaction of the bundle in which it was sold.
    public var bundleTransactionID: String?
    public var deviceVerification: DeviceVerification?
    /// Changes of the members, applied last.
    public var edits: [MemberEdit] = []

    /// A purchase that is its own original, signed when it was made.
    public init(
        _ kind: PurchaseContent.Kind, bundleID: String, productID: String, transactionID: String, purchasedAt: Instant
    ) {
        self.kind = kind
        self.bundleID = bundleID
        self.productID = productID
        self.transactionID = transactionID
        self.purchasedAt = purchasedAt
        originalTransactionID = transactionID
        originallyPurchasedAt = purchasedAt
        signedAt = purchasedAt
    }

    /// Makes the same purchase as in a receipt.
    public init(_ purchase: PurchaseContent, bundleID: String, signedAt: Instant) {
        self.init(
            purchase.kind, bundleID: bundleID, productID: purchase.productID, transactionID: purchase.transactionID,
            purchasedAt: purchase.purchasedAt)
        originalTransactionID = purchase.originalTransactionID
        originallyPurchasedAt = purchase.originallyPurchasedAt
        webOrderLineItemID = purchase.webOrderLineItemID == 0 ? nil : String(purchase.webOrderLineItemID)
        expiresAt = purchase.expiresAt
        quantity = purchase.quantity
        self.signedAt = signedAt
        revokedAt = purchase.cancelledAt
        revocationReason = purchase.cancelledAt.map { _ in 0 }
        if purchase.isTrial { offer = .trial }
        if purchase.isIntroOffer { offer = OfferContent(1, discountType: "PAY_AS_YOU_GO") }
        if let identifier = purchase.promotionalOfferID { offer = OfferContent(2, identifier: identifier) }
        if purchase.transactionID != purchase.originalTransactionID { reason = "RENEWAL" }
    }

    public var json: SampleJSON {
        let members: [(String, (any MemberValue)?)] =
            [
                ("transactionId", transactionID), ("originalTransactionId", originalTransactionID),
                ("webOrderLineItemId", webOrderLineItemID), ("bundleId", bundleID), ("productId", productID),
                ("subscriptionGroupIdentifier", subscriptionGroupID), ("purchaseDate", purchasedAt),
                ("originalPurchaseDate", originallyPurchasedAt), ("expiresDate", expiresAt), ("quantity", quantity),
                ("type", kind?.tokenName), ("appAccountToken", accountToken), ("inAppOwnershipType", ownership),
                ("signedDate", signedAt), ("revocationReason", revocationReason), ("revocationDate", revokedAt),
                ("revocationType", revocationType), ("revocationPercentage", revocationPercentage),
                ("isUpgraded", isUpgraded),
            ] + offer.members + [
                ("environment", environment), ("transactionReason", reason), ("storefront", storefront),
                ("storefrontId", storefrontID), ("price", price), ("currency", currency),
                ("appTransactionId", appTransactionID), ("advancedCommerceInfo", advancedCommerceInfo),
                ("billingPlanType", billingPlanType), ("commitmentInfo", commitmentInfo),
                ("multiSeatInfo", seats?.json), ("additionalTransactionReason", additionalReason),
                ("previousOriginalTransactionId", previousOriginalTransactionID),
                ("bundleTransactionId", bundleTransactionID),
            ] + deviceVerification.members
        return SampleJSON.members(members).edited(edits)
    }
}

extension PurchaseContent.Kind {
    /// The member `type` of a transaction.
    public var tokenName: String {
        switch self {
        case .nonConsumable: "Non-Consumable"
        case .consumable: "Consumable"
        case .nonRenewing: "Non-Renewing Subscription"
        case .autoRenewable: "Auto-Renewable Subscription"
        }
    }
}
