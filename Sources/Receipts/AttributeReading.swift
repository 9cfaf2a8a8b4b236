import DER
import Encodings

extension AttributeReading {
    /// Reads the value of a receipt's attribute, whose type says more than its octets in four cases.
    init(_ value: Span<UInt8>, of type: Int) {
        switch type {
        // Not DER, even where they look like it: the opaque value, the hash, and two that are encrypted.
        case 4...7: self = .octets
        case AttributeType.fulfillmentToolVersion.rawValue: self = Self.letters(value) ?? AttributeReading(value)
        case AttributeType.inAppPurchase.rawValue: self = .purchase(AttributeListing(ofPurchase: value))
        default: self.init(value)
        }
    }

    /// Reads the one element that the value holds, by its tag.
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

    /// Attribute 9: an INTEGER whose octets are letters, for example `P247`.
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
