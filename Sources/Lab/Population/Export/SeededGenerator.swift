/// SplitMix64 (Steele, Lea and Flood, 2014): numbers that look random and depend only on the seed.
///
/// The standard library's `random(in:using:)` is not used with it, because its algorithm may change, and samples must
/// have the same bytes with every compiler.
public struct SeededGenerator: Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    /// Makes a generator for one of many things under one seed, independent of their order.
    public init(seed: UInt64, index: Int) {
        state = Self.mixed(seed &+ Self.mixed(UInt64(bitPattern: Int64(index)) &+ Self.step))
    }

    public mutating func next() -> UInt64 {
        state &+= Self.step
        return Self.mixed(state)
    }

    /// Returns a number from 0 to `limit - 1`; 0 if there is none.
    public mutating func below(_ limit: Int) -> Int {
        guard limit > 0 else { return 0 }
        return Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(limit)).high)
    }

    /// Returns a number from a range.
    public mutating func within(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.count)
    }

    /// `true` with this probability in percent.
    public mutating func chance(percent: Int) -> Bool { below(100) < percent }

    /// Returns this number of bytes.
    public mutating func octets(_ count: Int) -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(count + 8)
        while octets.count < count {
            let word = next()
            for shift in 0..<8 { octets.append(UInt8(truncatingIfNeeded: word >> (8 * shift))) }
        }
        return Array(octets.prefix(count))
    }

    /// Returns a random UUID (RFC 9562, section 5.4).
    mutating func uuid() -> [UInt8] {
        var octets = octets(16)
        octets[6] = octets[6] & 0x0f | 0x40
        octets[8] = octets[8] & 0x3f | 0x80
        return octets
    }

    private static let step: UInt64 = 0x9e37_79b9_7f4a_7c15

    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
