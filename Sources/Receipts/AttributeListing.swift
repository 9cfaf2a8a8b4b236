public import DER
public import Encodings

/// Lists every attribute of a receipt's content for display: known and unknown ones, in the receipt's order.
///
/// Unlike ``Receipt``, it refuses nothing: unreadable parts are listed as bytes.
public struct AttributeListing: Equatable, Sendable {
    public private(set) var attributes: [ListedAttribute] = []
    /// Bytes that are in the place of attributes but are not attributes.
    public private(set) var unreadable: [Unreadable] = []

    /// Bytes that are not an attribute, with their position in the listed bytes.
    public struct Unreadable: Equatable, Sendable {
        public let position: Int
        public let octets: [UInt8]
        public let reason: DERError
    }
}

/// One attribute for display.
public struct ListedAttribute: Equatable, Sendable {
    public let type: Int
    /// The name in verifyReceipt's response; `nil` if it is not known outside Apple.
    public let name: String?
    public let version: Int
    /// The raw bytes.
    public let octets: [UInt8]
    public let reading: AttributeReading
}

/// The content of an attribute's bytes, as far as it is readable.
public indirect enum AttributeReading: Equatable, Sendable {
    case text(ExactText)
    case number(Int)
    /// A date, with its original text, which may name another time zone.
    case date(Instant, text: ExactText)
    /// An empty string, which is how Apple writes "none".
    case empty
    /// A purchase, as a separate listing.
    case purchase(AttributeListing)
    /// Bytes of any other kind.
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

    /// Reads the contents of a SET.
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
                // An element without a known end leaves the next one without a known start.
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

extension AttributeReading {
    /// Reads the value of a receipt's attribute. In some cases its type says more than its bytes.
    init(_ value: Span<UInt8>, of type: Int) {
        switch type {
        // Not DER, even if they look like it: the opaque value, the hash, and two encrypted values.
        case 4...7: self = .octets
        case AttributeType.fulfillmentToolVersion.rawValue: self = Self.letters(value) ?? AttributeReading(value)
        case AttributeType.iOSVersion.rawValue: self = AttributeReading(value).asVersion
        case AttributeType.inAppPurchase.rawValue: self = .purchase(AttributeListing(ofPurchase: value))
        default: self.init(value)
        }
    }

    /// Reads the value's only element, by its tag.
    init(_ value: Span<UInt8>) {
        do throws(DERError) {
            self = try DERReader.read(value) { reader throws(DERError) in
                switch reader.nextTag {
                case DERTag.integer.rawValue: return .number(try reader.integer())
                case DERTag.utf8String.rawValue: return Self.text(try reader.contents(of: .utf8String))
                case DERTag.ia5String.rawValue: return Self.dateOrText(try reader.contents(of: .ia5String))
                default:
                    _ = reader.rangeOfRest()
                    return .octets
                }
            }
        } catch {
            self = .octets
        }
    }

    /// Attribute 9: an INTEGER whose bytes are letters, for example `P247`.
    private static func letters(_ value: Span<UInt8>) -> AttributeReading? {
        do throws(DERError) {
            let octets = try DERReader.read(value) { reader throws(DERError) in
                try reader.contents(of: .integer).copy()
            }
            guard !octets.isEmpty, octets.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
            return .text(ExactText(String(decoding: octets, as: UTF8.self)))
        } catch {
            return nil
        }
    }

    /// Attribute 13: an INTEGER with two digits for each number of a version, the last one left out if it is 0.
    private var asVersion: AttributeReading {
        guard case .number(let number) = self, (10_000..<1_000_000).contains(number) else { return self }
        let patch = number % 100 == 0 ? "" : ".\(number % 100)"
        return .text(ExactText("\(number / 10_000).\(number / 100 % 100)\(patch)"))
    }

    private static func text(_ octets: Span<UInt8>) -> AttributeReading {
        guard octets.count > 0 else { return .empty }
        guard let text = String(validating: octets.copy(), as: UTF8.self) else { return .octets }
        return .text(ExactText(text))
    }

    private static func dateOrText(_ octets: Span<UInt8>) -> AttributeReading {
        guard case .text(let text) = text(octets) else { return octets.count > 0 ? .octets : .empty }
        guard let date = Instant(rfc3339: octets) else { return .text(text) }
        return .date(date, text: text)
    }
}
