public import DER
public import Encodings

/// Every attribute of a receipt's content for display: known and unknown ones, in the receipt's order.
///
/// Unlike ``Receipt``, it refuses nothing: what cannot be read is listed as the octets that stand there.
public struct AttributeListing: Equatable, Sendable {
    public private(set) var attributes: [ListedAttribute] = []
    /// What stands where attributes belong and is none.
    public private(set) var unreadable: [Unreadable] = []

    /// Octets that are no attribute, and where they stand in the listed octets.
    public struct Unreadable: Equatable, Sendable {
        public let position: Int
        public let octets: [UInt8]
        public let reason: DERError
    }
}

/// One attribute for display.
public struct ListedAttribute: Equatable, Sendable {
    public let type: Int
    /// `nil` if nobody outside Apple knows.
    public let name: String?
    public let version: Int
    /// The raw octets.
    public let octets: [UInt8]
    public let reading: AttributeReading
}

/// What an attribute's octets say, as far as they can be read.
public indirect enum AttributeReading: Equatable, Sendable {
    case text(ExactText)
    case number(Int)
    /// The date, and the text it was read from, which may name another time zone.
    case date(Instant, text: ExactText)
    /// An empty string, which is how Apple writes "none".
    case empty
    /// A purchase, which is a listing of its own.
    case purchase(AttributeListing)
    /// Octets that are nothing of this.
    case octets
}

extension AttributeListing {
    /// Lists the attributes of a receipt's content.
    public init(of content: Span<UInt8>) { self.init(of: content, isPurchase: false) }

    /// Lists the attributes of one purchase: the value of an attribute 17.
    public init(ofPurchase value: Span<UInt8>) { self.init(of: value, isPurchase: true) }

    private init(of content: Span<UInt8>, isPurchase: Bool) {
        var found = AttributeListing()
        do throws(DERError) {
            try DERReader.read(content) { outermost throws(DERError) in
                try outermost.inside(.set) { found.read(&$0, isOfPurchase: isPurchase) }
                guard !outermost.isAtEnd else { return }
                let reason = DERError.leftOver(at: outermost.position)
                let rest = outermost.rangeOfRest()
                found.unreadable.append(
                    Unreadable(position: rest.lowerBound, octets: outermost.bytes(at: rest).copy(), reason: reason))
            }
            self = found
        } catch {
            self = AttributeListing(unreadable: [Unreadable(position: 0, octets: content.copy(), reason: error)])
        }
    }

    /// Reads what is inside a SET.
    private mutating func read(_ set: inout DERReader, isOfPurchase: Bool) {
        while !set.isAtEnd {
            let start = set.position
            do throws(DERError) {
                let element = try set.element()
                do throws(DERError) {
                    attributes.append(try ListedAttribute(element, isOfPurchase: isOfPurchase))
                } catch {
                    unreadable.append(Unreadable(position: start, octets: element.copy(), reason: error))
                }
            } catch {
                // An element whose end is not known hides where the next one starts.
                let rest = start..<set.rangeOfRest().upperBound
                unreadable.append(Unreadable(position: start, octets: set.bytes(at: rest).copy(), reason: error))
            }
        }
    }
}

extension ListedAttribute {
    /// Reads the SEQUENCE of type, version and value.
    fileprivate init(_ element: Span<UInt8>, isOfPurchase: Bool) throws(DERError) {
        let fields = try DERReader.read(element) { outermost throws(DERError) in
            try outermost.inside(.sequence) { fields throws(DERError) in
                (
                    type: try fields.integer(), version: try fields.integer(),
                    value: try fields.rangeOfContents(of: .octetString)
                )
            }
        }
        let value = element.extracting(fields.value)
        type = fields.type
        version = fields.version
        octets = value.copy()
        if isOfPurchase {
            name = PurchaseAttributeType(rawValue: type)?.name
            reading = AttributeReading(value)
        } else {
            name = AttributeType(rawValue: type)?.name
            reading = AttributeReading(value, of: type)
        }
    }
}
