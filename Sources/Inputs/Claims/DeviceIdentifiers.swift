public import Encodings

/// The device identifiers that a claim names: alternatives, of which one that matches is enough.
///
/// An identifier is a UUID (`identifierForVendor`, 16 octets) or a MAC address (6 octets): with its dashes or
/// colons in their places, or as 32 or 12 bare hexadecimal digits. A Mac with two network ports has two.
public struct DeviceIdentifiers: Sendable {
    /// The octets of each alternative that could be read, in the order in which they were written.
    public private(set) var identifiers: [[UInt8]] = []
    /// Some alternative is not a device identifier, or there are more than ``limit``.
    public private(set) var isMalformed = false
    /// How many alternatives are read; those behind them are not used.
    public static let limit = 16

    /// Reads identifiers separated by `|`. Blanks around them and empty alternatives mean nothing.
    public init(_ text: ExactText) {
        let text = text.utf8.span
        var start = 0
        var count = 0
        for index in 0...text.count where index == text.count || text[index] == UInt8(ascii: "|") {
            let alternative = text.extracting(start..<index).withoutBlanks
            start = index + 1
            guard alternative.count > 0 else { continue }
            count += 1
            guard count <= Self.limit else {
                isMalformed = true
                break
            }
            read(alternative)
        }
    }

    /// Puts others in their places, which stand for them.
    package mutating func replaceIdentifiers(_ others: [[UInt8]]) { identifiers = others }

    private mutating func read(_ text: Span<UInt8>) {
        let octets: [UInt8]? =
            switch text.count {
            case 12, 32: text.octets(inGroupsOf: [text.count], apartBy: 0)
            case 36: text.octets(inGroupsOf: Self.groupsOfUUID, apartBy: UInt8(ascii: "-"))
            case 17:
                text.octets(inGroupsOf: Self.groupsOfMAC, apartBy: UInt8(ascii: "-"))
                    ?? text.octets(inGroupsOf: Self.groupsOfMAC, apartBy: UInt8(ascii: ":"))
            default: nil
            }
        guard let octets else { return isMalformed = true }
        identifiers.append(octets)
    }

    private static let groupsOfUUID = [8, 4, 4, 4, 12]
    private static let groupsOfMAC = [2, 2, 2, 2, 2, 2]
}

extension Span where Element == UInt8 {
    /// The octets of hexadecimal digits in groups with a mark between them.
    fileprivate func octets(inGroupsOf groups: [Int], apartBy mark: UInt8) -> [UInt8]? {
        var octets: [UInt8] = []
        octets.reserveCapacity(16)
        var position = 0
        for group in groups {
            if position > 0 {
                guard self[position] == mark else { return nil }
                position += 1
            }
            for _ in 0..<group / 2 {
                guard let high = Hex.value(self[position]), let low = Hex.value(self[position + 1]) else { return nil }
                octets.append(high << 4 | low)
                position += 2
            }
        }
        return octets
    }
}
