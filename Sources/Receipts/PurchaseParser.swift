import Encodings

extension Purchase {
    /// Reads the value of attribute 17: a SET of numbered attributes.
    ///
    /// - Parameters:
    ///   - likelyProductID: of another purchase of the same receipt: if it is this one's too, it is held once.
    ///   - likelyOriginalID: the same for the original transaction.
    /// - Throws: ``ReceiptError`` if it is not one, or lacks product, transaction or purchase date.
    public init(
        parsing payload: Span<UInt8>, likelyProductID: String? = nil, likelyOriginalID: String? = nil
    ) throws(ReceiptError) {
        var attributes = try AttributeReader(payload)
        var productID: String?
        var transactionID: String?
        var purchaseDate: Instant?
        var rest = Purchase(productID: "", transactionID: "", purchaseDate: Instant(milliseconds: 0))
        var seen: UInt32 = 0
        while let attribute = try attributes.next() {
            try attribute.note(in: &seen)
            switch attribute.type {
            case 1701: rest.quantity = try attribute.number()
            case 1702: productID = try attribute.text(like: likelyProductID)
            case 1703: transactionID = try attribute.text()
            case 1704: purchaseDate = try attribute.date()
            case 1705:
                rest.originalTransactionID = try attribute.text(like: transactionID, or: likelyOriginalID)
            case 1706: rest.originalPurchaseDate = try attribute.date()
            case 1707: rest.kind = Kind(rawValue: try attribute.number())
            case 1708: rest.expiresDate = try attribute.date()
            case 1711: rest.webOrderLineItemID = try attribute.nonzero()
            case 1712: rest.cancellationDate = try attribute.date()
            case 1713: rest.isTrialPeriod = try attribute.number() != 0
            case 1719: rest.isInIntroOfferPeriod = try attribute.number() != 0
            case 1721: rest.promotionalOfferID = try attribute.text()
            default: break
            }
        }
        guard let productID else { throw .missing(attribute: 1702) }
        guard let transactionID else { throw .missing(attribute: 1703) }
        guard let purchaseDate else { throw .missing(attribute: 1704) }
        rest.productID = productID
        rest.transactionID = transactionID
        rest.purchaseDate = purchaseDate
        self = rest
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
