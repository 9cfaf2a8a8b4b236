import Checks
import Encodings
import Receipts

/// The purchases, oldest first, each with its place in the receipt.
extension InspectionText {
    var purchases: [String] {
        let listed = (inspection.attributes?.attributes ?? []).compactMap { attribute in
            if case .purchase(let listing) = attribute.reading { (attribute, listing) } else { nil }
        }
        let blocks = listed.enumerated().map { index, purchase in
            ListedPurchase(number: index + 1, octets: purchase.0.octets, listing: purchase.1)
        }
        return blocks.sorted { $0.precedes($1) }.flatMap { block(of: $0) }
    }

    private func block(of listed: ListedPurchase) -> [String] {
        let number = TextLayout.padded("#\(listed.number)", to: 4)
        guard let purchase = listed.purchase else {
            let attributes = listed.listing.attributes.sorted { $0.type < $1.type }
            return ["  \(number) " + paint("malformed", .red)] + Self.rows(attributes, indentation: 7)
                + Self.rows(listed.listing.unreadable, indentation: 7)
        }
        var lines = ["  \(number) " + TextLayout.safe(purchase.productID) + "  " + kind(of: purchase)]
        var original = ""
        if let id = purchase.originalTransactionID, id != purchase.transactionID { original = "  original \(id)" }
        lines += detail("transaction", purchase.transactionID.text + original)
        lines += detail("bought", bought(purchase))
        if let date = purchase.expiresDate { lines += detail("expires", date.description) }
        if let date = purchase.cancellationDate { lines += detail("cancelled", "\(date), and refunded") }
        if let quantity = purchase.quantity, quantity != 1 { lines += detail("quantity", String(quantity)) }
        if let offer = purchase.promotionalOfferID { lines += detail("offer", offer.text) }
        if let item = purchase.webOrderLineItemID { lines += detail("order line", String(item)) }
        for attribute in listed.unknown {
            lines += detail("\(attribute.type)", "\(Self.text(of: attribute)) (unknown attribute)")
        }
        return lines + Self.rows(listed.listing.unreadable, indentation: 7)
    }

    private func detail(_ label: String, _ text: String) -> [String] {
        TextLayout.field(label, TextLayout.safe(text), indentation: 7, labelWidth: 13)
    }

    private func bought(_ purchase: Purchase) -> String {
        guard let first = purchase.originalPurchaseDate, first != purchase.purchaseDate else {
            return purchase.purchaseDate.description
        }
        return "\(purchase.purchaseDate)  first \(first)"
    }

    /// What kind of product it is, and on what terms, in words.
    private func kind(of purchase: Purchase) -> String {
        var words: [String] = []
        switch purchase.kind {
        case .nonConsumable?: words.append("non-consumable")
        case .consumable?: words.append("consumable")
        case .nonRenewing?: words.append("non-renewing subscription")
        case .autoRenewable?: words.append("auto-renewable subscription")
        case .freeSubscription?: words.append("free subscription")
        case nil: words.append("kind not stated")
        }
        if purchase.isTrialPeriod { words.append("trial period") }
        if purchase.isInIntroOfferPeriod { words.append("introductory offer") }
        return "(\(words.joined(separator: ", ")))"
    }
}

/// One purchase of a listing, read if it can be.
private struct ListedPurchase {
    let number: Int
    let listing: AttributeListing
    /// `nil` if it is malformed.
    let purchase: Purchase?

    init(number: Int, octets: [UInt8], listing: AttributeListing) {
        self.number = number
        self.listing = listing
        do throws(ReceiptError) { purchase = try Purchase(parsing: octets.span) } catch { purchase = nil }
    }

    /// Malformed ones first, then by date.
    func precedes(_ other: ListedPurchase) -> Bool {
        guard let date = purchase?.purchaseDate, let otherDate = other.purchase?.purchaseDate else {
            return purchase == nil && (other.purchase != nil || number < other.number)
        }
        return (date, number) < (otherDate, other.number)
    }

    /// Attributes that nobody knows and that say something.
    var unknown: [ListedAttribute] {
        listing.attributes.filter { $0.name == nil && $0.reading != .empty && $0.reading != .number(0) }
    }
}
