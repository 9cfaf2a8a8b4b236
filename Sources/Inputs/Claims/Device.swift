public import Encodings

/// A device identifier, a UUID or a MAC address, stored without an allocation.
public struct Device: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64
    /// 6 or 16.
    private let count: UInt8

    /// - Returns: `nil` if these are neither 6 nor 16 octets.
    public init?(octets: Span<UInt8>) {
        guard octets.count == 6 || octets.count == 16 else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        for index in 0..<8 { words.0 = words.0 << 8 | (index < octets.count ? UInt64(octets[index]) : 0) }
        for index in 8..<16 { words.1 = words.1 << 8 | (index < octets.count ? UInt64(octets[index]) : 0) }
        (high, low) = words
        count = UInt8(truncatingIfNeeded: octets.count)
    }

    /// Calls a body with the identifier's octets, which are in no memory that outlives it.
    public func withOctets<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        var octets = InlineArray<16, UInt8>(repeating: 0)
        for index in 0..<8 {
            octets[index] = UInt8(truncatingIfNeeded: high >> UInt64(56 - 8 * index))
            octets[index + 8] = UInt8(truncatingIfNeeded: low >> UInt64(56 - 8 * index))
        }
        return try body(octets.span.extracting(first: Int(count)))
    }
}

extension Device: Comparable {
    /// MAC addresses, then UUIDs; each in the order of their octets, which is that of their text.
    public static func < (a: Device, b: Device) -> Bool {
        (a.count, a.high, a.low) < (b.count, b.high, b.low)
    }
}

extension Device: CustomStringConvertible {
    /// A UUID in upper case, as iOS writes `identifierForVendor`; a MAC address in lower case with colons.
    public var description: String {
        let digits = withOctets { Hex.string($0) }
        return count == 6
            ? Self.grouped(digits, by: ":", at: [2, 4, 6, 8, 10])
            : Self.grouped(digits.uppercased(), by: "-", at: [8, 12, 16, 20])
    }

    private static func grouped(_ digits: String, by separator: Character, at positions: [Int]) -> String {
        var text = ""
        for (index, digit) in digits.enumerated() {
            if positions.contains(index) { text.append(separator) }
            text.append(digit)
        }
        return text
    }
}

extension Device: Codable {
    /// In hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(withOctets { Hex.string($0) })
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let digits = try container.decode(String.self).utf8.compactMap(Hex.value)
        let octets = stride(from: 1, to: digits.count, by: 2).map { digits[$0 - 1] << 4 | digits[$0] }
        guard let device = Device(octets: octets.span) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no device")
        }
        self = device
    }
}

extension Device: StablyHashable {
    public var stableHash: UInt64 { stableMix(high ^ stableMix(low &+ UInt64(count))) }
}

/// The device identifiers that a claim names: alternatives, of which one that matches is enough.
///
/// An identifier is a UUID (`identifierForVendor`, 16 octets) or a MAC address (6 octets): with its dashes or
/// colons in their places, or as 32 or 12 bare hexadecimal digits. A Mac with two network ports has two.
public struct DeviceIdentifiers: Sendable {
    /// The octets of each alternative that could be read, in the order in which they were written.
    public private(set) var identifiers: [[UInt8]] = []
    /// Some alternative is not a device identifier, or there are more than ``limit``.
    public private(set) var isMalformed = false
    /// The number of alternatives that are read; later ones are ignored.
    public static let limit = 16

    /// Reads identifiers separated by `|`. Blanks around them and empty alternatives are ignored.
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

    /// Replaces the identifiers by pseudonyms.
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
