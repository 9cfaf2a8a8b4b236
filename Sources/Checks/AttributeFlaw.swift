import DER
import Encodings
import Inputs
import Receipts

/// Which attribute is malformed, and how: a ``ReceiptError`` with names, octets and places.
struct AttributeFlaw: CustomStringConvertible {
    let description: String

    init(_ error: ReceiptError, in listing: AttributeListing) {
        switch error {
        case .encoding(let error): description = Self.place(of: error, in: listing)
        case .value(let type, let fault):
            let octets = listing.attributes.first { $0.type == type }?.octets ?? []
            let first = Hex.string(Array(octets.prefix(24)).span) + (octets.count > 24 ? "…" : "")
            description = "\(Self.name(of: type)) is malformed: \(Self.text(fault)) (its octets are \(first))"
        case .missing(let type): description = "\(Self.name(of: type)) is missing, or empty"
        case .repeated(let type): description = "\(Self.name(of: type)) stands there twice"
        }
    }

    private static func name(of type: Int) -> String {
        let name = AttributeType(rawValue: type)?.name ?? PurchaseAttributeType(rawValue: type)?.name
        return "attribute \(type)" + (name.map { ", \($0)," } ?? "")
    }

    private static func place(of error: DERError, in listing: AttributeListing) -> String {
        guard let first = listing.unreadable.first else { return "\(error)" }
        if first.position == 0 {
            if let format = ForeignFormat(sniffing: first.octets) { return "it looks like \(format)" }
            return "it is not a SET of attributes in DER, since it \(text(first.reason))"
        }
        return "what stands at byte \(first.position) of it is no attribute, since it \(text(first.reason))"
    }

    /// The error without its position, which counts from somewhere inside.
    private static func text(_ error: DERError) -> String {
        switch error {
        case .truncated: "is cut short"
        case .badLength: "has a length that is not in DER's form"
        case .unexpectedTag: "is, or holds, an element of another kind"
        case .leftOver: "has bytes left over"
        case .badInteger: "holds a number that is not in DER's form"
        case .beyondLimits: "holds too many elements, or nests them too deep"
        }
    }

    private static func text(_ fault: AttributeFault) -> String {
        switch fault {
        case .encoding(.unexpectedTag): "an element of another kind"
        case .encoding(let error): "an element that \(text(error))"
        case .notText, .notADate, .notAHash: fault.description
        }
    }
}
