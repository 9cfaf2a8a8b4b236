public import Encodings

/// A device as it is told apart from others: a UUID or a MAC address, without an allocation.
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

    /// The identifier's octets, one after the other, at the end of some bytes.
    public func append(to bytes: inout [UInt8]) {
        for index in 0..<Int(count) {
            let word = index < 8 ? high : low
            bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * (index & 7))))
        }
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
        var octets: [UInt8] = []
        append(to: &octets)
        let digits = Hex.string(octets.span)
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

extension Device: StablyHashable {
    public var stableHash: UInt64 { stableMix(high ^ stableMix(low &+ UInt64(count))) }
}
