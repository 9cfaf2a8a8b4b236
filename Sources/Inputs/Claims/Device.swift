public import Encodings

/// A device identifier, a UUID or a MAC address, stored without an allocation.
public struct Device: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64
    /// 6 or 16.
    private let count: UInt8

    /// - Returns: `nil` if there are neither 6 nor 16 bytes.
    public init?(octets: Span<UInt8>) {
        guard octets.count == 6 || octets.count == 16 else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        for index in 0..<8 { words.0 = words.0 << 8 | (index < octets.count ? UInt64(octets[index]) : 0) }
        for index in 8..<16 { words.1 = words.1 << 8 | (index < octets.count ? UInt64(octets[index]) : 0) }
        (high, low) = words
        count = UInt8(truncatingIfNeeded: octets.count)
    }

    /// Calls a body with the identifier's bytes, which are valid only during the call.
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
    /// Sorts MAC addresses before UUIDs, each in byte order, which is also the order of their texts.
    public static func < (a: Device, b: Device) -> Bool {
        (a.count, a.high, a.low) < (b.count, b.high, b.low)
    }
}

extension Device: CustomStringConvertible {
    /// A UUID in upper case, as iOS writes `identifierForVendor`; a MAC address in lower case with colons.
    public var description: String {
        withOctets { octets in
            guard count != 6 else {
                return octets.indices.map { Hex.string(octets.extracting($0...$0)) }.joined(separator: ":")
            }
            let text = DeviceIdentifiers.uuid(octets).map { $0 >= UInt8(ascii: "a") ? $0 & 0xdf : $0 }
            return String(decoding: text, as: UTF8.self)
        }
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
