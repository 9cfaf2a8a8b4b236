import Encodings
import Receipts

/// One attribute in the JSON of an inspection.
struct AttributeObject: Encodable {
    let type: Int
    let name: Nullable<String>
    let version: Int
    let kind: String
    let value: AttributeValue
    let raw: String

    init(_ attribute: ListedAttribute) {
        type = attribute.type
        name = Nullable(attribute.name)
        version = attribute.version
        value = AttributeValue(reading: attribute.reading)
        kind = value.kind
        raw = Hex.string(attribute.octets.span)
    }
}

/// What an attribute says, in JSON's own types.
struct AttributeValue: Encodable {
    let reading: AttributeReading

    var kind: String {
        switch reading {
        case .text: "text"
        case .number: "number"
        case .date: "date"
        case .empty: "empty"
        case .purchase: "purchase"
        case .octets: "octets"
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch reading {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .date(let date, _): try container.encode(date.description)
        case .empty: try container.encode("")
        case .purchase(let listing): try container.encode(PurchaseObject(listing))
        case .octets: try container.encodeNil()
        }
    }
}

/// The attributes of one purchase.
struct PurchaseObject: Encodable {
    let attributes: [AttributeObject]
    let unreadable: [UnreadableObject]

    init(_ listing: AttributeListing) {
        attributes = listing.attributes.map(AttributeObject.init)
        unreadable = listing.unreadable.map(UnreadableObject.init)
    }
}

/// What stands where attributes belong.
struct UnreadableObject: Encodable {
    let position: Int
    let raw: String

    init(_ unreadable: AttributeListing.Unreadable) {
        position = unreadable.position
        raw = Hex.string(unreadable.octets.span)
    }
}
