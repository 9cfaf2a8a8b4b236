/// The known attribute types of a receipt.
///
/// Apple documents the stable ones ("Receipt Fields", Receipt Validation Programming Guide); the others were found by
/// comparing receipts with the responses of Apple's verifyReceipt server.
public enum AttributeType: Int, Sendable, CaseIterable {
    case environment = 0
    case appItemID = 1
    case bundleID = 2
    case appVersion = 3
    case opaqueValue = 4
    case deviceHash = 5
    case downloadDate = 8
    case fulfillmentToolVersion = 9
    case ageRating = 10
    case developerID = 11
    case createdAt = 12
    /// The version of iOS that the receipt was made for: 160301 for 16.3.1. Only receipts of iOS have it.
    case iOSVersion = 13
    case downloadID = 15
    case versionExternalIdentifier = 16
    case inAppPurchase = 17
    case originalPurchaseDate = 18
    case originalAppVersion = 19
    case expiresAt = 21
    case organizationDisplayName = 23
    case platform = 25
    case preorderDate = 32

    /// The name in `audit inspect`: that in verifyReceipt's response if it has one.
    public var name: String {
        switch self {
        case .environment: "receipt_type"
        case .appItemID: "app_item_id"
        case .bundleID: "bundle_id"
        case .appVersion: "application_version"
        case .opaqueValue: "opaque_value"
        case .deviceHash: "sha1_hash"
        case .downloadDate: "download_date"
        case .fulfillmentToolVersion: "fulfillment_tool_version"
        case .ageRating: "age_rating"
        case .developerID: "developer_id"
        case .createdAt: "receipt_creation_date"
        case .iOSVersion: "ios_version"
        case .downloadID: "download_id"
        case .versionExternalIdentifier: "version_external_identifier"
        case .inAppPurchase: "in_app"
        case .originalPurchaseDate: "original_purchase_date"
        case .originalAppVersion: "original_application_version"
        case .expiresAt: "expiration_date"
        case .organizationDisplayName: "organization_display_name"
        case .platform: "platform"
        case .preorderDate: "preorder_date"
        }
    }
}

/// The known attribute types of an in-app purchase, from the same sources.
public enum PurchaseAttributeType: Int, Sendable, CaseIterable {
    case quantity = 1701
    case productID = 1702
    case transactionID = 1703
    case purchaseDate = 1704
    case originalTransactionID = 1705
    case originalPurchaseDate = 1706
    case kind = 1707
    case expiresDate = 1708
    case itemID = 1710
    case webOrderLineItemID = 1711
    case cancellationDate = 1712
    case isTrialPeriod = 1713
    case isInIntroOfferPeriod = 1719
    case cancellationReason = 1720
    case promotionalOfferID = 1721

    /// The name in `audit inspect`: that in verifyReceipt's response if it has one.
    public var name: String {
        switch self {
        case .quantity: "quantity"
        case .productID: "product_id"
        case .transactionID: "transaction_id"
        case .purchaseDate: "purchase_date"
        case .originalTransactionID: "original_transaction_id"
        case .originalPurchaseDate: "original_purchase_date"
        case .kind: "product_type"
        case .expiresDate: "expires_date"
        case .itemID: "item_id"
        case .webOrderLineItemID: "web_order_line_item_id"
        case .cancellationDate: "cancellation_date"
        case .isTrialPeriod: "is_trial_period"
        case .isInIntroOfferPeriod: "is_in_intro_offer_period"
        case .cancellationReason: "cancellation_reason"
        case .promotionalOfferID: "promotional_offer_id"
        }
    }
}
