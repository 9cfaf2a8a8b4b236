import Encodings

/// The device identifiers that a claim names: alternatives, of which one that matches is enough.
///
/// An identifier is a UUID (`identifierForVendor`, 16 octets) or a MAC address (6 octets): with its dashes or
/// colons in their places, or as 32 or 12 bare hexadecimal digits. A Mac with two network ports has two.
public struct DeviceIdentifiers: Sendable {
    /// The octets of each alternative that could be read, in the order in which they were written.
    public private(set) var identifiers: [[UInt8]] = []
    /// Some alternative is not a device identifier.
    public private(set) var isMalformed = false

    /// Reads identifiers separated by `|`. Blanks around them and empty alternatives mean nothing.
    public init(_ text: String) {
        let text = text.utf8.span
        var start = 0
        for index in 0...text.count where index == text.count || text[index] == UInt8(ascii: "|") {
            read(text.extracting(start..<index).withoutBlanks)
            start = index + 1
        }
    }

    private mutating func read(_ text: Span<UInt8>) {
        guard text.count > 0 else { return }
        let separators: [Int]
        switch text.count {
        case 32, 12: separators = []
        case 36: separators = [8, 13, 18, 23]
        case 17: separators = [2, 5, 8, 11, 14]
        default:
            isMalformed = true
            return
        }
        guard let octets = text.octets(separatedAt: separators) else {
            isMalformed = true
            return
        }
        identifiers.append(octets)
    }
}

extension Span where Element == UInt8 {
    /// The octets of hexadecimal digits with separators in these places, all the same: `-`, or `:` in a MAC address.
    fileprivate func octets(separatedAt separators: [Int]) -> [UInt8]? {
        if let first = separators.first {
            let mark = self[first]
            guard mark == UInt8(ascii: "-") || mark == UInt8(ascii: ":") && separators.count == 5,
                separators.allSatisfy({ self[$0] == mark })
            else { return nil }
        }
        var octets: [UInt8] = []
        octets.reserveCapacity(16)
        var high: UInt8?
        for index in indices where !separators.contains(index) {
            guard let digit = Hex.value(self[index]) else { return nil }
            if let first = high {
                octets.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return octets
    }
}
