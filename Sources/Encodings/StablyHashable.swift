/// A hash that is the same in every process, unlike `Hashable`.
public protocol StablyHashable {
    var stableHash: UInt64 { get }
}

extension String: StablyHashable {
    public var stableHash: UInt64 { utf8.span.stableHash }
}

extension Span where Element == UInt8 {
    /// The hash of eight bytes at a time, multiplied and folded, with the finish of SplitMix64. Colliding values only
    /// make sorting slower.
    public var stableHash: UInt64 {
        var hash = 0xcbf2_9ce4_8422_2325 ^ UInt64(count)
        var index = 0
        while index &+ 8 <= count {
            hash = (hash ^ littleEndian(at: index)) &* 0x9e37_79b9_7f4a_7c15
            hash ^= hash >> 32
            index &+= 8
        }
        var word: UInt64 = 0
        while index < count {
            word = word << 8 | UInt64(self[index])
            index &+= 1
        }
        return stableMix((hash ^ word) &* 0x9e37_79b9_7f4a_7c15)
    }
}

/// Spreads a difference in some bits over all of them (the finish of SplitMix64).
public func stableMix(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
}
