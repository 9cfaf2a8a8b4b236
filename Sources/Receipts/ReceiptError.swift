public import DER

/// Says why content that was signed is not a receipt.
public enum ReceiptError: Error, Equatable, Sendable {
    /// Not a SET of attributes in DER.
    case encoding(DERError)
    /// The value of this attribute is malformed.
    case value(attribute: Int, AttributeFault)
    /// An attribute that every receipt has is missing.
    case missing(attribute: Int)
    /// An attribute that occurs once in a receipt is repeated.
    case repeated(attribute: Int)
}

/// Says what is wrong with an attribute's value.
public enum AttributeFault: Equatable, Sendable {
    case encoding(DERError)
    /// Text that is not UTF-8.
    case notText
    /// Text that is not an RFC 3339 date.
    case notADate
    /// A device hash of another size than SHA-1's 20 bytes.
    case notAHash
}

extension ReceiptError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .encoding(let error): "not a SET of attributes: \(error)"
        case .value(let attribute, let fault): "attribute \(attribute): \(fault)"
        case .missing(let attribute): "required attribute \(attribute) is missing"
        case .repeated(let attribute): "attribute \(attribute) occurs twice"
        }
    }
}

extension AttributeFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .encoding(let error): error.description
        case .notText: "not UTF-8 text"
        case .notADate: "not an RFC 3339 date"
        case .notAHash: "not the 20 octets of a SHA-1 hash"
        }
    }
}
