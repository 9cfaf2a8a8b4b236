public import Encodings

/// Holds one in-app purchase as a receipt shows it ("In-App Purchase Receipt Fields"), or a transaction token.
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
    /// Attribute 1720: 1 if the customer named a fault in the app as the reason of a refund, else 0; `nil` also where
    /// it is no number, as it is not documented.
    public var cancellationReason: Int?
    /// Attribute 1713.
    public var isTrialPeriod = false
    /// Attribute 1719.
    public var isInIntroOfferPeriod = false
    /// Whether the proof says that it is a trial, or that it is none: old receipts do not.
    public var saysTrial = false
    /// Whether the proof says that it is at an introductory offer, or that it is not.
    public var saysIntroOffer = false
    /// Attribute 1721.
    public var promotionalOfferID: ExactText?

    private var boxed: Boxed?
    /// What a transaction token shows besides; `nil` in a receipt.
    public var details: TransactionDetails? {
        get {
            switch boxed {
            case .details(let details): details
            case .priced(_, let details): details
            case nil: nil
            }
        }
        set { boxed = Boxed(newValue, evidencePrice) }
    }
    /// The price that evidence states, where that is newer than what the proof shows.
    public var evidencePrice: SignedPrice? {
        get {
            guard case .priced(let price, _)? = boxed else { return nil }
            return price
        }
        set { boxed = Boxed(details, newValue) }
    }

    /// In memory of its own, so that the purchases of receipts, of which there are hundreds, stay small.
    private indirect enum Boxed: Equatable, Codable, Sendable {
        case details(TransactionDetails)
        case priced(SignedPrice, TransactionDetails?)

        init?(_ details: TransactionDetails?, _ price: SignedPrice?) {
            if let price {
                self = .priced(price, details)
            } else if let details {
                self = .details(details)
            } else {
                return nil
            }
        }
    }

    public init(productID: ExactText, transactionID: ExactText, purchaseDate: Instant) {
        self.productID = productID
        self.transactionID = transactionID
        self.purchaseDate = purchaseDate
    }
}

extension Purchase {
    /// Reads the value of attribute 17: a SET of numbered attributes.
    ///
    /// - Throws: ``ReceiptError`` if it is not one, or lacks product, transaction or purchase date.
    public init(parsing payload: Span<UInt8>) throws(ReceiptError) {
        self = .unread
        try read(payload)
    }

    /// A purchase of which nothing has been read yet.
    static let unread = Purchase(productID: "", transactionID: "", purchaseDate: Instant(milliseconds: 0))

    /// Reads the value of attribute 17 into a purchase that is ``unread``, in place.
    ///
    /// - Parameters:
    ///   - likelyProductID: the product of another purchase of the same receipt: equal texts share their memory.
    ///   - likelyOriginalID: the original transaction of that purchase.
    mutating func read(
        _ payload: Span<UInt8>, likelyProductID: ExactText? = nil, likelyOriginalID: ExactText? = nil
    ) throws(ReceiptError) {
        var productID: ExactText?
        var transactionID: ExactText?
        var purchaseDate: Instant?
        var seen: UInt32 = 0
        try AttributeReader.read(payload) { attribute throws(ReceiptError) in
            guard let type = PurchaseAttributeType(rawValue: attribute.type) else { return }
            // Readers disagree on which value of a repeated attribute counts.
            let bit: UInt32 = 1 << UInt32(type.rawValue - PurchaseAttributeType.quantity.rawValue)
            guard seen & bit == 0 else { throw .repeated(attribute: type.rawValue) }
            seen |= bit
            switch type {
            case .quantity: quantity = try attribute.number()
            case .productID: productID = try attribute.text(like: likelyProductID)
            case .transactionID: transactionID = try attribute.text()
            case .purchaseDate: purchaseDate = try attribute.date()
            case .originalTransactionID:
                originalTransactionID = try attribute.text(like: transactionID, or: likelyOriginalID)
            case .originalPurchaseDate: originalPurchaseDate = try attribute.date()
            case .kind: kind = Kind(rawValue: try attribute.number())
            case .expiresDate: expiresDate = try attribute.date()
            case .webOrderLineItemID: webOrderLineItemID = try attribute.nonzero()
            case .cancellationDate: cancellationDate = try attribute.date()
            case .isTrialPeriod:
                isTrialPeriod = try attribute.number() != 0
                saysTrial = true
            case .isInIntroOfferPeriod:
                isInIntroOfferPeriod = try attribute.number() != 0
                saysIntroOffer = true
            case .promotionalOfferID: promotionalOfferID = try attribute.text()
            case .cancellationReason: cancellationReason = try? attribute.number()
            case .itemID: break
            }
        }
        guard let productID else { throw PurchaseAttributeType.productID.isMissing }
        guard let transactionID else { throw PurchaseAttributeType.transactionID.isMissing }
        guard let purchaseDate else { throw PurchaseAttributeType.purchaseDate.isMissing }
        self.productID = productID
        self.transactionID = transactionID
        self.purchaseDate = purchaseDate
    }
}

extension [Purchase] {
    /// Whether any of the purchases meets a condition. `contains(where:)` would copy each, and so count its references
    /// up and down.
    @inlinable
    package func hasAny(_ condition: (borrowing Purchase) -> Bool) -> Bool {
        let purchases = span
        for index in purchases.indices where condition(purchases[index]) { return true }
        return false
    }

    /// Whether any of the purchases was refunded. Those that were not cancelled are not copied.
    package var haveRefund: Bool {
        indices.contains { self[$0].cancellationDate != nil && self[$0].refundDate != nil }
    }
}

extension PurchaseAttributeType {
    fileprivate var isMissing: ReceiptError { .missing(attribute: rawValue) }
}

extension Attribute {
    /// Returns the number of an INTEGER; `nil` if it is 0.
    fileprivate func nonzero() throws(ReceiptError) -> Int? {
        let number = try number()
        return number == 0 ? nil : number
    }
}
