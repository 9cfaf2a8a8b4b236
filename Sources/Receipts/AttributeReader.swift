public import DER

extension ReceiptError: DERFailure {
    public init(encoding error: DERError) { self = .encoding(error) }
}

/// Reads the attributes of a receipt, or of a purchase inside it, one after the other and all of them.
///
///     ReceiptAttribute ::= SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }
///     Payload ::= SET OF ReceiptAttribute
///
/// The order is whatever Apple wrote: it does not sort them.
enum AttributeReader {
    /// Hands on each attribute of the SET, which must be all that `payload` holds.
    @inline(__always)
    static func read(
        _ payload: Span<UInt8>, _ body: (borrowing Attribute) throws(ReceiptError) -> Void
    ) throws(ReceiptError) {
        try ElementReader<ReceiptError>.read(payload) { outermost throws(ReceiptError) in
            try outermost.inside(.set) { set throws(ReceiptError) in
                while !set.isAtEnd { try body(next(&set)) }
            }
        }
    }

    @_lifetime(copy set)
    private static func next(_ set: inout ElementReader<ReceiptError>) throws(ReceiptError) -> Attribute {
        if let element = set.numberedElement() {
            return Attribute(type: element.type, version: element.version, value: element.value)
        }
        let (type, version, value) = try set.inside(.sequence) { fields throws(ReceiptError) in
            (try fields.integer(), try fields.integer(), try fields.rangeOfContents(of: .octetString))
        }
        return Attribute(type: type, version: version, value: set.bytes(at: value))
    }
}

/// One numbered value of a receipt.
struct Attribute: ~Escapable {
    let type: Int
    /// 1, or 2 for the opaque value of real receipts.
    let version: Int
    /// The raw octets. For most types they are DER once more.
    let value: Span<UInt8>

    @_lifetime(copy value)
    init(type: Int, version: Int, value: Span<UInt8>) {
        self.type = type
        self.version = version
        self.value = value
    }
}
