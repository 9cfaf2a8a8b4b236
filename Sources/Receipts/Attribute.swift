public import DER
import Encodings

extension ReceiptError: DERFailure {
    public init(encoding error: DERError) { self = .encoding(error) }
}

/// Reads all attributes of a receipt, or of a purchase inside it, in order.
///
///     ReceiptAttribute ::= SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }
///     Payload ::= SET OF ReceiptAttribute
///
/// They are in the order in which Apple wrote them, which is not sorted.
enum AttributeReader {
    /// Calls `body` with each attribute of the SET. The payload must contain nothing else.
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
    /// The raw bytes, which are again DER for most types.
    let value: Span<UInt8>

    @_lifetime(copy value)
    init(type: Int, version: Int, value: Span<UInt8>) {
        self.type = type
        self.version = version
        self.value = value
    }
}

extension Attribute {
    /// Returns the text of a UTF8String; an empty one is `nil`, which is how Apple writes "none".
    func text() throws(ReceiptError) -> ExactText? {
        let octets = try octets(of: .utf8String)
        guard octets.count > 0 else { return nil }
        do {
            return ExactText(String(copying: try UTF8Span(validating: octets)))
        } catch {
            throw .value(attribute: type, .notText)
        }
    }

    /// Returns the text of a UTF8String. If it equals one of two texts, it shares that text's memory.
    func text(like likely: ExactText?, or other: ExactText? = nil) throws(ReceiptError) -> ExactText? {
        let octets = try octets(of: .utf8String)
        if let likely, octets.isSame(as: likely.utf8.span) { return likely }
        if let other, octets.isSame(as: other.utf8.span) { return other }
        return try text()
    }

    /// Returns the date of an IA5String; an empty one is `nil`.
    func date() throws(ReceiptError) -> Instant? {
        let octets = try octets(of: .ia5String)
        guard octets.count > 0 else { return nil }
        guard let date = Instant(rfc3339: octets) else { throw .value(attribute: type, .notADate) }
        return date
    }

    /// Returns the number of an INTEGER.
    func number() throws(ReceiptError) -> Int {
        do throws(DERError) {
            return try DERReader.read(value) { reader throws(DERError) in try reader.integer() }
        } catch {
            throw .value(attribute: type, .encoding(error))
        }
    }

    /// Returns the bytes inside the value's only element, which must be of this kind.
    @_lifetime(copy self)
    private func octets(of tag: PrimitiveTag) throws(ReceiptError) -> Span<UInt8> {
        do throws(DERError) {
            let range = try DERReader.read(value) { reader throws(DERError) in try reader.rangeOfContents(of: tag) }
            return value.extracting(range)
        } catch {
            throw .value(attribute: type, .encoding(error))
        }
    }
}
