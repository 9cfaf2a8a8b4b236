import Checks
import Encodings
import Receipts

extension InspectionText {
    /// The attributes of the receipt, by number.
    var attributes: [String] {
        guard let listing = inspection.attributes else { return [] }
        let purchases = listing.attributes.filter { $0.type == AttributeType.inAppPurchase.rawValue }
        let count = grouped(purchases.count) + ", see below"
        return Self.rows(
            listing.attributes.filter { $0.type != AttributeType.inAppPurchase.rawValue }
                + purchases.prefix(1), indentation: 2
        ) { attribute in
            attribute.type == AttributeType.inAppPurchase.rawValue ? count : Self.text(of: attribute)
        } + Self.rows(listing.unreadable, indentation: 2)
    }

    /// Returns one attribute per row, by number, in columns: number, name, value.
    private static func rows(
        _ attributes: [ListedAttribute], indentation: Int, value: (ListedAttribute) -> String = text
    ) -> [String] {
        let typeWidth = max(2, attributes.map { String($0.type).count }.max() ?? 0)
        let nameWidth = 2 + (attributes.map { ($0.name ?? "").count }.max() ?? 0)
        let sorted = attributes.enumerated().sorted { ($0.element.type, $0.offset) < ($1.element.type, $1.offset) }
        return sorted.map(\.element).map { attribute in
            let type = TextLayout.right(String(attribute.type), to: indentation + typeWidth)
            let version = attribute.version == 1 ? "" : "  (version \(attribute.version))"
            let name = TextLayout.padded(attribute.name ?? "–", to: nameWidth)
            return "\(type)  \(name)\(value(attribute))\(version)"
        }
    }

    /// Returns the bytes that are not attributes.
    private static func rows(_ unreadable: [AttributeListing.Unreadable], indentation: Int) -> [String] {
        unreadable.map { item in
            let blank = String(repeating: " ", count: indentation)
            return "\(blank)at byte \(item.position), no attribute: \(TextLayout.octets(item.octets))"
        }
    }

    /// Returns an attribute's value, safe for a terminal.
    private static func text(of attribute: ListedAttribute) -> String {
        switch attribute.reading {
        case .text(let text): return TextLayout.safe(text)
        case .number(let number): return String(number)
        case .date(let date, let text):
            return text == ExactText(date.description) ? text.text : "\(date) (written \(TextLayout.safe(text)))"
        case .empty: return "(empty)"
        case .purchase, .octets: return TextLayout.octets(attribute.octets)
        }
    }
}

extension InspectionText {
    /// The purchases, oldest first, each with its number in the receipt.
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
        field(label, TextLayout.safe(text), indentation: 7, labelWidth: 13)
    }

    private func bought(_ purchase: Purchase) -> String {
        guard let first = purchase.originalPurchaseDate, first != purchase.purchaseDate else {
            return purchase.purchaseDate.description
        }
        return "\(purchase.purchaseDate)  first \(first)"
    }

    /// Returns the kind of the product and its terms in words.
    private func kind(of purchase: Purchase) -> String {
        var words = [purchase.kind?.words ?? "kind not stated"]
        if purchase.isTrialPeriod { words.append("trial period") }
        if purchase.isInIntroOfferPeriod { words.append("introductory offer") }
        return "(\(words.joined(separator: ", ")))"
    }
}

/// One purchase of a listing, parsed if it is well-formed.
private struct ListedPurchase {
    let number: Int
    let listing: AttributeListing
    /// The purchase; `nil` if it is malformed.
    let purchase: Purchase?

    init(number: Int, octets: [UInt8], listing: AttributeListing) {
        self.number = number
        self.listing = listing
        do throws(ReceiptError) { purchase = try Purchase(parsing: octets.span) } catch { purchase = nil }
    }

    /// Returns whether it comes first: malformed ones before others, then by date.
    func precedes(_ other: ListedPurchase) -> Bool {
        guard let date = purchase?.purchaseDate, let otherDate = other.purchase?.purchaseDate else {
            return purchase == nil && (other.purchase != nil || number < other.number)
        }
        return (date, number) < (otherDate, other.number)
    }

    /// The non-empty attributes without a name.
    var unknown: [ListedAttribute] {
        listing.attributes.filter { $0.name == nil && $0.reading != .empty && $0.reading != .number(0) }
    }
}

extension Purchase.Kind {
    /// The kind of product in words.
    var words: String {
        switch self {
        case .nonConsumable: "non-consumable"
        case .consumable: "consumable"
        case .nonRenewing: "non-renewing subscription"
        case .autoRenewable: "auto-renewable subscription"
        case .freeSubscription: "free subscription"
        }
    }
}
