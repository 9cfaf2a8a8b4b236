import Checks
import Encodings
import Receipts

/// The attributes of the receipt, by number.
extension InspectionText {
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

    /// One attribute a row, by number, in columns: number, name, value.
    static func rows(
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

    /// What stands where attributes belong.
    static func rows(_ unreadable: [AttributeListing.Unreadable], indentation: Int) -> [String] {
        unreadable.map { item in
            let blank = String(repeating: " ", count: indentation)
            return "\(blank)at byte \(item.position), no attribute: \(TextLayout.octets(item.octets))"
        }
    }

    /// An attribute's value, safe for a terminal.
    static func text(of attribute: ListedAttribute) -> String {
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
