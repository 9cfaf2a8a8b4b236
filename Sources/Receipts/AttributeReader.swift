import DER

/// Reads the attributes of a receipt, or of a purchase inside it, one after the other.
///
///     ReceiptAttribute ::= SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }
///     Payload ::= SET OF ReceiptAttribute
///
/// The order is whatever Apple wrote: it does not sort them.
public struct AttributeReader: ~Escapable {
    private var set: DERReader

    /// Opens the SET, which must be all there is.
    @_lifetime(copy payload)
    public init(_ payload: Span<UInt8>) throws(ReceiptError) {
        do throws(DERError) {
            var outermost = DERReader(payload)
            set = DERReader(try outermost.contents(of: .set))
            try outermost.end()
        } catch {
            throw .encoding(error)
        }
    }

    /// Reads the next attribute, if there is one.
    @_lifetime(copy self)
    public mutating func next() throws(ReceiptError) -> Attribute? {
        guard !set.isAtEnd else { return nil }
        if let element = set.numberedElement() {
            return Attribute(type: element.type, version: element.version, value: element.value)
        }
        do throws(DERError) {
            var fields = DERReader(try set.contents(of: .sequence))
            let type = try fields.integer()
            let version = try fields.integer()
            let value = try fields.contents(of: .octetString)
            try fields.end()
            return Attribute(type: type, version: version, value: value)
        } catch {
            throw .encoding(error)
        }
    }
}

/// One numbered value of a receipt.
public struct Attribute: ~Escapable {
    public let type: Int
    /// 1, or 2 for the opaque value of real receipts.
    public let version: Int
    /// The raw octets. For most types they are DER once more.
    public let value: Span<UInt8>

    @_lifetime(copy value)
    init(type: Int, version: Int, value: Span<UInt8>) {
        self.type = type
        self.version = version
        self.value = value
    }
}
