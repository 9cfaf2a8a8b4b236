public import DER

/// The reason why signed content is not a receipt.
public enum ReceiptError: Error, Equatable, Sendable {
    /// It is not a SET of attributes in DER.
    case encoding(DERError)
    /// The value of this attribute is malformed.
    case value(attribute: Int, AttributeFault)
    /// An attribute that every receipt has is missing.
    case missing(attribute: Int)
    /// An attribute that occurs once in a receipt is repeated.
    case repeated(attribute: Int)
}

/// The error in an attribute's value.
public enum AttributeFault: Equatable, Sendable {
    case encoding(DERError)
    /// The text is not UTF-8.
    case notText
    /// The text is not an RFC 3339 date.
    case notADate
    /// The device hash does not have the 20 bytes of SHA-1.
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
