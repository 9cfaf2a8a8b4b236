public import Encodings

/// The payload of a renewal info (App Store Server API, `JWSRenewalInfoDecodedPayload`). It does not name an app.
public struct RenewalContent: TokenPayload, Changeable {
    /// Why the subscription ended: 1 cancelled, 2 billing, 3 price increase, 4 product not for sale, 5 other.
    public var expirationIntent: Int?
    public var originalTransactionID: String
    /// The product that it renews to.
    public var autoRenewProductID: String?
    public var productID: String?
    /// 1 on, 0 off.
    public var autoRenewStatus: Int? = 1
    public var isInBillingRetryPeriod: Bool?
    /// 1 agreed, 0 not answered yet.
    public var priceIncreaseStatus: Int?
    public var gracePeriodExpiresAt: Instant?
    public var offer: OfferContent?
    public var signedAt: Instant
    public var environment: String? = "Production"
    public var recentSubscriptionStartedAt: Instant?
    public var renewsAt: Instant?
    public var currency: String?
    /// In thousandths of the currency's unit.
    public var renewalPrice: Int?
    public var eligibleWinBackOfferIDs: [String]?
    public var accountToken: String?
    public var appTransactionID: String?
    public var advancedCommerceInfo: SampleJSON?
    public var commitmentInfo: SampleJSON?
    public var renewalBillingPlanType: String?
    /// The seats of the next period.
    public var renewalQuantity: Int?
    /// The prices of these seats.
    public var seats: SeatContent?
    public var deviceVerification: DeviceVerification?
    /// Changes of the members, applied last.
    public var edits: [MemberEdit] = []

    /// A subscription that renews to the same product.
    public init(originalTransactionID: String, productID: String, signedAt: Instant) {
        self.originalTransactionID = originalTransactionID
        self.productID = productID
        self.signedAt = signedAt
        autoRenewProductID = productID
    }

    public var json: SampleJSON {
        let members: [(String, (any MemberValue)?)] =
            [
                ("expirationIntent", expirationIntent), ("originalTransactionId", originalTransactionID),
                ("autoRenewProductId", autoRenewProductID), ("productId", productID),
                ("autoRenewStatus", autoRenewStatus), ("isInBillingRetryPeriod", isInBillingRetryPeriod),
                ("priceIncreaseStatus", priceIncreaseStatus), ("gracePeriodExpiresDate", gracePeriodExpiresAt),
            ] + offer.members + [
                ("renewalPrice", renewalPrice), ("currency", currency), ("signedDate", signedAt),
                ("environment", environment), ("recentSubscriptionStartDate", recentSubscriptionStartedAt),
                ("renewalDate", renewsAt), ("eligibleWinBackOfferIds", eligibleWinBackOfferIDs),
                ("appAccountToken", accountToken), ("appTransactionId", appTransactionID),
                ("advancedCommerceInfo", advancedCommerceInfo), ("commitmentInfo", commitmentInfo),
                ("renewalBillingPlanType", renewalBillingPlanType), ("renewalQuantity", renewalQuantity),
                ("multiSeatInfo", seats?.renewalJSON),
            ] + deviceVerification.members
        return SampleJSON.members(members).edited(edits)
    }
}

/// The payload of an app transaction, StoreKit's `AppTransaction`: the download of the app itself.
public struct AppTransactionContent: TokenPayload, Changeable {
    /// The environment.
    public var receiptType: String = "Production"
    public var appItemID: Int? = 1_500_000_001
    public var bundleID: String
    public var appVersion: String? = "1"
    public var versionExternalID: Int?
    public var createdAt: Instant
    public var originallyPurchasedAt: Instant?
    public var originalAppVersion: String? = "1"
    public var deviceVerification: DeviceVerification?
    public var preorderedAt: Instant?
    /// An id that is unique for an account and app.
    public var appTransactionID: String?
    /// `iOS`, `macOS`, `tvOS` or `visionOS`.
    public var originalPlatform: String?
    /// Changes of the members, applied last.
    public var edits: [MemberEdit] = []

    public init(bundleID: String, createdAt: Instant) {
        self.bundleID = bundleID
        self.createdAt = createdAt
        originallyPurchasedAt = createdAt
    }

    public var json: SampleJSON {
        let members: [(String, (any MemberValue)?)] =
            [
                ("receiptType", receiptType), ("appAppleId", appItemID), ("bundleId", bundleID),
                ("applicationVersion", appVersion), ("versionExternalIdentifier", versionExternalID),
                ("receiptCreationDate", createdAt), ("originalPurchaseDate", originallyPurchasedAt),
                ("originalApplicationVersion", originalAppVersion),
            ] + deviceVerification.members + [
                ("preorderDate", preorderedAt), ("appTransactionId", appTransactionID),
                ("originalPlatform", originalPlatform),
            ]
        return SampleJSON.members(members).edited(edits)
    }
}
