import Encodings

extension Purchase {
    /// Reads the value of attribute 17: a SET of numbered attributes.
    ///
    /// - Throws: ``ReceiptError`` if it is not one, or lacks product, transaction or purchase date.
    public init(parsing payload: Span<UInt8>) throws(ReceiptError) {
        self = .unread
        try read(payload)
    }

    /// Nothing is known of it yet.
    static let unread = Purchase(productID: "", transactionID: "", purchaseDate: Instant(milliseconds: 0))

    /// The same for a purchase of which nothing is known yet, where it stands.
    ///
    /// - Parameters:
    ///   - likelyProductID: of another purchase of the same receipt: if it is this one's too, it is held once.
    ///   - likelyOriginalID: the same for the original transaction.
    mutating func read(
        _ payload: Span<UInt8>, likelyProductID: ExactText? = nil, likelyOriginalID: ExactText? = nil
    ) throws(ReceiptError) {
        var productID: ExactText?
        var transactionID: ExactText?
        var purchaseDate: Instant?
        var seen: UInt32 = 0
        try AttributeReader.read(payload) { attribute throws(ReceiptError) in
            guard let type = PurchaseAttributeType(rawValue: attribute.type) else { return }
            try type.note(in: &seen)
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
            case .isTrialPeriod: isTrialPeriod = try attribute.number() != 0
            case .isInIntroOfferPeriod: isInIntroOfferPeriod = try attribute.number() != 0
            case .promotionalOfferID: promotionalOfferID = try attribute.text()
            case .itemID, .cancellationReason: break
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

extension PurchaseAttributeType {
    /// Notes that a known attribute was there. Two values of one would let each reader choose another.
    fileprivate func note(in seen: inout UInt32) throws(ReceiptError) {
        let bit: UInt32 = 1 << UInt32(rawValue - Self.quantity.rawValue)
        guard seen & bit == 0 else { throw .repeated(attribute: rawValue) }
        seen |= bit
    }

    fileprivate var isMissing: ReceiptError { .missing(attribute: rawValue) }
}

extension Attribute {
    fileprivate func nonzero() throws(ReceiptError) -> Int? {
        let number = try number()
        return number == 0 ? nil : number
    }
}
