import DER
import Encodings

extension Receipt {
    /// Whether a lenient reader could take content for a receipt: attribute 2, the bundle id, is a string in DER.
    ///
    /// App Attest receipts are SETs of numbered attributes, too, but their attribute 2 is plain text. Content in any
    /// form of BER is searched, in whatever elements the attribute is, because a forger chooses the form. What is inside
    /// other attributes is not searched. One pass, up to the first unreadable element.
    public static func isRecognizable(in content: Span<UInt8>) -> Bool {
        var reader = BERReader(content)
        var place = Place.outside
        do throws(DERError) {
            while reader.position < content.count {
                let isFirst = reader.position == 0
                let header = try reader.header(ofPrefix: true)
                if header.isConstructed {
                    place = place.inside(header.tag)
                    continue
                }
                let octets = reader.next(header.count ?? 0)
                if header.tag == DERTag.octetString.rawValue {
                    if place == .version || place == .pieces, isString(octets, isWhole: place == .version) {
                        return true
                    }
                    place = .outside
                    // Some readers unwrap content that is an OCTET STRING.
                    if isFirst { continue }
                } else {
                    place = place.after(header.tag, octets)
                }
                reader.skip(octets.count)
            }
        } catch {}
        return false
    }

    /// A position relative to `SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
    private enum Place {
        case outside
        /// After the start of a SEQUENCE.
        case start
        /// After the type, which is 2.
        case type
        /// After the version.
        case version
        /// Inside a value in pieces.
        case pieces

        /// The position after the header of a constructed element.
        func inside(_ tag: UInt8) -> Place {
            if tag == DERTag.sequence.rawValue { return .start }
            return self == .version && tag == DERTag.octetString.rawValue | 0x20 || self == .pieces ? .pieces : .outside
        }

        /// The position after a primitive element.
        func after(_ tag: UInt8, _ octets: Span<UInt8>) -> Place {
            guard tag == DERTag.integer.rawValue else { return .outside }
            switch self {
            case .start: return octets.isTwo ? .type : .outside
            case .type: return .version
            case .outside, .version, .pieces: return .outside
            }
        }
    }

    /// Whether bytes are a character string, or a piece of them begins like one.
    private static func isString(_ octets: Span<UInt8>, isWhole: Bool) -> Bool {
        guard octets.count > 1, stringTags.contains(octets[0]) else { return false }
        guard isWhole else { return true }
        var reader = BERReader(octets)
        do throws(DERError) {
            _ = try reader.header()
            return true
        } catch {
            return false
        }
    }

    /// The primitive character strings of ASN.1 (X.680, section 41). The plain text of a bundle id begins with none of
    /// these bytes.
    private static let stringTags: [UInt8] = [0x0c, 0x12, 0x13, 0x14, 0x15, 0x16, 0x19, 0x1a, 0x1b, 0x1c, 0x1e]
}

extension Span<UInt8> {
    /// Whether they are the INTEGER 2, in its shortest form or a longer one.
    fileprivate var isTwo: Bool {
        guard count > 0, self[count - 1] == 2 else { return false }
        for index in 0..<(count - 1) where self[index] != 0 { return false }
        return true
    }
}
