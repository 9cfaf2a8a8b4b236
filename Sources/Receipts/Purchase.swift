public import Encodings

/// One in-app purchase in a receipt ("In-App Purchase Receipt Fields") or in a transaction token.
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
    /// Attribute 1703. Fifteen digits or more; Xcode's local store counts from 0.
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
    /// Attribute 1711: identifies a subscription's period; `nil` if it is 0 or absent.
    public var webOrderLineItemID: Int?
    /// Attribute 1712: when the purchase was refunded.
    public var cancellationDate: Instant?
    /// Attribute 1720: 1 if the customer gave a fault in the app as the reason for a refund, otherwise 0. Also `nil` if
    /// it is not a number, because Apple does not document it.
    public var cancellationReason: Int?
    /// Attribute 1713.
    public var isTrialPeriod = false
    /// Attribute 1719.
    public var isInIntroOfferPeriod = false
    /// Whether the proof states if it is a trial: old receipts do not.
    public var statesTrial = false
    /// Whether the proof states if it is at an introductory offer.
    public var statesIntroOffer = false
    /// Attribute 1721.
    public var promotionalOfferID: ExactText?

    private var boxed: Boxed?
    /// The further fields of a transaction token; `nil` in a receipt.
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
    /// The price from evidence, if it is newer than the proof's.
    public var evidencePrice: SignedPrice? {
        get {
            guard case .priced(let price, _)? = boxed else { return nil }
            return price
        }
        set { boxed = Boxed(details, newValue) }
    }

    /// Allocated separately, so that purchases in receipts, which can be hundreds, stay small.
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

    /// A purchase with nothing read yet.
    static let unread = Purchase(productID: "", transactionID: "", purchaseDate: Instant(milliseconds: 0))

    /// Reads the value of attribute 17 into an ``unread`` purchase, in place.
    ///
    /// - Parameters:
    ///   - likelyProductID: the product of another purchase of the same receipt, to share the memory of equal texts.
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
                statesTrial = true
            case .isInIntroOfferPeriod:
                isInIntroOfferPeriod = try attribute.number() != 0
                statesIntroOffer = true
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
    /// Whether any purchase meets a condition. `contains(where:)` would copy each one, which counts its references up
    /// and down.
    @inlinable
    package func hasAny(_ condition: (borrowing Purchase) -> Bool) -> Bool {
        let purchases = span
        for index in purchases.indices where condition(purchases[index]) { return true }
        return false
    }

    /// Whether any purchase was refunded. Purchases that were not cancelled are not copied.
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
