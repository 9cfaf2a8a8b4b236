import DER
public import Encodings

/// The content of one in-app purchase: the attributes 1701 to 1722.
public struct PurchaseContent: Sendable, Changeable {
    /// The values of attribute 1707.
    public enum Kind: Int, CaseIterable, Sendable {
        case nonConsumable = 0
        case consumable = 1
        case nonRenewing = 2
        case autoRenewable = 3
    }

    public var kind: Kind
    public var quantity = 1
    public var productID: String
    public var transactionID: String
    public var originalTransactionID: String
    public var purchasedAt: Instant
    public var originallyPurchasedAt: Instant
    /// The end of a subscription's period.
    public var expiresAt: Instant?
    /// The product's App Store id, attribute 1710; 0 in the sandbox.
    public var productItemID = 0
    /// The web order line item, attribute 1711: one per subscription period, otherwise 0.
    public var webOrderLineItemID = 0
    public var cancelledAt: Instant?
    public var isTrial = false
    public var isIntroOffer = false
    public var promotionalOfferID: String?
    /// Whether attribute 1722 is present, as in subscriptions since December 2021.
    public var hasAttribute1722 = false
    /// Changes of the attributes.
    public var edits: [AttributeEdit] = []

    /// A purchase that is its own original.
    public init(_ kind: Kind, productID: String, transactionID: String, purchasedAt: Instant) {
        self.kind = kind
        self.productID = productID
        self.transactionID = transactionID
        self.purchasedAt = purchasedAt
        originalTransactionID = transactionID
        originallyPurchasedAt = purchasedAt
    }

    /// The attributes, after the edits.
    public var attributes: [AttributeContent] {
        var attributes = [
            AttributeContent(1701, integer: quantity),
            AttributeContent(1702, text: productID),
            AttributeContent(1703, text: transactionID),
            AttributeContent(1704, date: purchasedAt),
            AttributeContent(1705, text: originalTransactionID),
            AttributeContent(1706, date: originallyPurchasedAt),
            AttributeContent(1707, integer: kind.rawValue),
            AttributeContent(1708, date: expiresAt),
            AttributeContent(1709, text: ""),
            AttributeContent(1710, integer: productItemID),
            AttributeContent(1711, integer: webOrderLineItemID),
            AttributeContent(1712, date: cancelledAt),
            AttributeContent(1713, integer: isTrial ? 1 : 0),
        ]
        attributes += (1714...1718).map { AttributeContent($0, text: "") }
        if kind == .autoRenewable { attributes.append(AttributeContent(1719, integer: isIntroOffer ? 1 : 0)) }
        if let promotionalOfferID { attributes.append(AttributeContent(1721, text: promotionalOfferID)) }
        if hasAttribute1722 { attributes.append(AttributeContent(1722, integer: 0)) }
        return attributes.edited(edits)
    }

    /// The SET in DER: the value of an attribute 17.
    public var der: [UInt8] { attributes.der }
}
