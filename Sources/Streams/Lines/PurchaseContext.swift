import Encodings
import Receipts

/// Writes and reads purchases in a line, without what the key or the purchase before has said already.
struct PurchaseContext {
    /// The transaction that the line is about; empty if it is about something else.
    private let transaction: ExactText
    private var product: ExactText = ""

    init(_ letter: StreamKey.KeyLetter, _ key: Span<UInt8>) {
        transaction =
            letter == .transaction ? ExactText(String(decoding: key.indices.map { key[$0] }, as: UTF8.self)) : ""
    }

    /// Which facts of a purchase there are, and which are told by others.
    private struct Flags: OptionSet {
        let rawValue: Int

        static let sameProduct = Flags(rawValue: 1)
        static let isOfKey = Flags(rawValue: 2)
        static let hasOriginal = Flags(rawValue: 4)
        static let isItsOwnOriginal = Flags(rawValue: 8)
        static let originalIsKey = Flags(rawValue: 16)
        static let hasOriginalDate = Flags(rawValue: 32)
        static let sameOriginalDate = Flags(rawValue: 64)
        static let hasKind = Flags(rawValue: 128)
        static let hasExpiry = Flags(rawValue: 256)
        static let hasLineItem = Flags(rawValue: 512)
        static let hasCancellation = Flags(rawValue: 1024)
        static let isTrial = Flags(rawValue: 2048)
        static let isIntro = Flags(rawValue: 4096)
        static let hasOffer = Flags(rawValue: 8192)
    }

    mutating func write(_ purchase: Purchase, to line: inout LineWriter) {
        let flags = flags(of: purchase)
        line.beginArray(flags.rawValue)
        if !flags.contains(.sameProduct) { line.text(purchase.productID) }
        product = purchase.productID
        if !flags.contains(.isOfKey) { line.text(purchase.transactionID) }
        line.instant(purchase.purchaseDate)
        if let original = purchase.originalTransactionID, flags.isDisjoint(with: [.isItsOwnOriginal, .originalIsKey]) {
            line.text(original)
        }
        if let date = purchase.originalPurchaseDate, !flags.contains(.sameOriginalDate) {
            line.instant(date, since: purchase.purchaseDate)
        }
        if let kind = purchase.kind { line.number(kind.rawValue) }
        if let date = purchase.expiresDate { line.instant(date, since: purchase.purchaseDate) }
        if let item = purchase.webOrderLineItemID { line.number(item) }
        if let date = purchase.cancellationDate { line.instant(date, since: purchase.purchaseDate) }
        if let offer = purchase.promotionalOfferID { line.text(offer) }
        line.endArray()
    }

    private func flags(of purchase: Purchase) -> Flags {
        var flags: Flags = []
        if purchase.productID == product { flags.insert(.sameProduct) }
        if purchase.transactionID == transaction { flags.insert(.isOfKey) }
        if let original = purchase.originalTransactionID {
            flags.insert(.hasOriginal)
            if original == purchase.transactionID {
                flags.insert(.isItsOwnOriginal)
            } else if original == transaction {
                flags.insert(.originalIsKey)
            }
        }
        if let date = purchase.originalPurchaseDate {
            flags.insert(.hasOriginalDate)
            if date == purchase.purchaseDate { flags.insert(.sameOriginalDate) }
        }
        if purchase.kind != nil { flags.insert(.hasKind) }
        if purchase.expiresDate != nil { flags.insert(.hasExpiry) }
        if purchase.webOrderLineItemID != nil { flags.insert(.hasLineItem) }
        if purchase.cancellationDate != nil { flags.insert(.hasCancellation) }
        if purchase.isTrialPeriod { flags.insert(.isTrial) }
        if purchase.isInIntroOfferPeriod { flags.insert(.isIntro) }
        if purchase.promotionalOfferID != nil { flags.insert(.hasOffer) }
        return flags
    }

    mutating func read(_ fields: inout LineFields) throws(LineFault) -> Purchase {
        try fields.beginArray()
        let flags = Flags(rawValue: try fields.int())
        if !flags.contains(.sameProduct) { product = try fields.text() }
        let id = flags.contains(.isOfKey) ? transaction : try fields.text()
        var purchase = Purchase(productID: product, transactionID: id, purchaseDate: try fields.instant())
        if flags.contains(.hasOriginal) {
            purchase.originalTransactionID =
                flags.contains(.isItsOwnOriginal)
                ? id : flags.contains(.originalIsKey) ? transaction : try fields.text()
        }
        if flags.contains(.hasOriginalDate) {
            purchase.originalPurchaseDate =
                flags.contains(.sameOriginalDate)
                ? purchase.purchaseDate : try fields.instant(since: purchase.purchaseDate)
        }
        if flags.contains(.hasKind) { purchase.kind = Purchase.Kind(rawValue: try fields.int()) }
        if flags.contains(.hasExpiry) { purchase.expiresDate = try fields.instant(since: purchase.purchaseDate) }
        if flags.contains(.hasLineItem) { purchase.webOrderLineItemID = try fields.int() }
        if flags.contains(.hasCancellation) {
            purchase.cancellationDate = try fields.instant(since: purchase.purchaseDate)
        }
        purchase.isTrialPeriod = flags.contains(.isTrial)
        purchase.isInIntroOfferPeriod = flags.contains(.isIntro)
        if flags.contains(.hasOffer) { purchase.promotionalOfferID = try fields.text() }
        try fields.endArray()
        return purchase
    }
}
