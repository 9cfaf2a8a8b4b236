import Encodings
import Receipts

extension RecordWriter {
    /// All of it but the quantity, which nothing that judges observations asks for.
    ///
    /// - Parameter product: the product of the purchase before, which is not written again.
    mutating func purchase(_ purchase: Purchase, after product: inout ExactText) {
        var fields = Fields(of: purchase)
        if purchase.productID != product { fields.insert(.product) }
        number(fields.rawValue)
        if fields.contains(.product) { text(purchase.productID) }
        product = purchase.productID
        text(purchase.transactionID)
        instant(purchase.purchaseDate)
        if let id = purchase.originalTransactionID, !fields.contains(.isItsOwnOriginal) { text(id) }
        if let date = purchase.originalPurchaseDate { instant(date) }
        if let kind = purchase.kind { byte(UInt8(truncatingIfNeeded: kind.rawValue)) }
        if let date = purchase.expiresDate { instant(date) }
        if let number = purchase.webOrderLineItemID { signed(Int64(number)) }
        if let date = purchase.cancellationDate { instant(date) }
        if let offer = purchase.promotionalOfferID { text(offer) }
    }
}

extension RecordReader {
    mutating func purchase(after product: inout ExactText) -> Purchase {
        let fields = Fields(rawValue: number())
        if fields.contains(.product) { product = text() }
        let transaction = text()
        var purchase = Purchase(productID: product, transactionID: transaction, purchaseDate: instant())
        if fields.contains(.original) {
            purchase.originalTransactionID = fields.contains(.isItsOwnOriginal) ? transaction : text()
        }
        if fields.contains(.originalPurchaseDate) { purchase.originalPurchaseDate = instant() }
        if fields.contains(.kind) { purchase.kind = Purchase.Kind(rawValue: Int(byte())) }
        if fields.contains(.expiresDate) { purchase.expiresDate = instant() }
        if fields.contains(.lineItem) { purchase.webOrderLineItemID = Int(signed()) }
        if fields.contains(.cancellationDate) { purchase.cancellationDate = instant() }
        purchase.isTrialPeriod = fields.contains(.isTrial)
        purchase.isInIntroOfferPeriod = fields.contains(.isIntro)
        if fields.contains(.offer) { purchase.promotionalOfferID = text() }
        return purchase
    }
}

/// Which fields of a purchase there are.
private struct Fields: OptionSet {
    let rawValue: UInt64

    static let original = Fields(rawValue: 1)
    static let isItsOwnOriginal = Fields(rawValue: 2)
    static let originalPurchaseDate = Fields(rawValue: 4)
    static let kind = Fields(rawValue: 8)
    static let expiresDate = Fields(rawValue: 16)
    static let lineItem = Fields(rawValue: 32)
    static let cancellationDate = Fields(rawValue: 64)
    static let isTrial = Fields(rawValue: 128)
    static let isIntro = Fields(rawValue: 256)
    static let product = Fields(rawValue: 512)
    static let offer = Fields(rawValue: 1024)

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(of purchase: Purchase) {
        self = []
        if let original = purchase.originalTransactionID {
            insert(.original)
            if original == purchase.transactionID { insert(.isItsOwnOriginal) }
        }
        if purchase.originalPurchaseDate != nil { insert(.originalPurchaseDate) }
        if purchase.kind != nil { insert(.kind) }
        if purchase.expiresDate != nil { insert(.expiresDate) }
        if purchase.webOrderLineItemID != nil { insert(.lineItem) }
        if purchase.cancellationDate != nil { insert(.cancellationDate) }
        if purchase.isTrialPeriod { insert(.isTrial) }
        if purchase.isInIntroOfferPeriod { insert(.isIntro) }
        if purchase.promotionalOfferID != nil { insert(.offer) }
    }
}
