/// A hash that is the same in every process, unlike that of `Hashable`.
public protocol StablyHashable {
    var stableHash: UInt64 { get }
}

extension String: StablyHashable {
    public var stableHash: UInt64 { utf8.span.stableHash }
}

extension Span where Element == UInt8 {
    /// FNV-1a with the finish of SplitMix64. Whoever chooses values that collide makes his own records slower to sort.
    public var stableHash: UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for index in indices { hash = (hash ^ UInt64(self[index])) &* 0x0000_0100_0000_01b3 }
        return stableMix(hash)
    }
}

/// Spreads what differs in some bits over all of them.
public func stableMix(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
}
