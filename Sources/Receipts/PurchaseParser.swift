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
        _ payload: Span<UInt8>, likelyProductID: String? = nil, likelyOriginalID: String? = nil
    ) throws(ReceiptError) {
        var attributes = try AttributeReader(payload)
        var productID: String?
        var transactionID: String?
        var purchaseDate: Instant?
        var seen: UInt32 = 0
        while let attribute = try attributes.next() {
            try attribute.note(in: &seen)
            switch attribute.type {
            case 1701: quantity = try attribute.number()
            case 1702: productID = try attribute.text(like: likelyProductID)
            case 1703: transactionID = try attribute.text()
            case 1704: purchaseDate = try attribute.date()
            case 1705: originalTransactionID = try attribute.text(like: transactionID, or: likelyOriginalID)
            case 1706: originalPurchaseDate = try attribute.date()
            case 1707: kind = Kind(rawValue: try attribute.number())
            case 1708: expiresDate = try attribute.date()
            case 1711: webOrderLineItemID = try attribute.nonzero()
            case 1712: cancellationDate = try attribute.date()
            case 1713: isTrialPeriod = try attribute.number() != 0
            case 1719: isInIntroOfferPeriod = try attribute.number() != 0
            case 1721: promotionalOfferID = try attribute.text()
            default: break
            }
        }
        guard let productID else { throw .missing(attribute: 1702) }
        guard let transactionID else { throw .missing(attribute: 1703) }
        guard let purchaseDate else { throw .missing(attribute: 1704) }
        self.productID = productID
        self.transactionID = transactionID
        self.purchaseDate = purchaseDate
    }
}

extension Attribute {
    /// Notes that a known attribute was there. Two values of one would let each reader choose another.
    fileprivate func note(in seen: inout UInt32) throws(ReceiptError) {
        guard PurchaseAttributeType(rawValue: type) != nil else { return }
        let bit: UInt32 = 1 << UInt32(type - PurchaseAttributeType.quantity.rawValue)
        guard seen & bit == 0 else { throw .repeated(attribute: type) }
        seen |= bit
    }

    fileprivate func nonzero() throws(ReceiptError) -> Int? {
        let number = try number()
        return number == 0 ? nil : number
    }
}
