/// Numbers that look random and are the same every time (SplitMix64).
public struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    public init(state: UInt64) { self.state = state }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to `limit - 1`.
    public mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    public mutating func isOneIn(_ number: Int) -> Bool { below(number) == 0 }

    public mutating func octets(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
