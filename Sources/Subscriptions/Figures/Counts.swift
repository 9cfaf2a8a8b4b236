/// How often each of some kinds of things was counted.
public struct Counts<Kind: Hashable & Sendable>: Equatable, Sendable {
    private var counts: [Kind: Int] = [:]

    public init() {}

    public subscript(kind: Kind) -> Int { counts[kind] ?? 0 }

    /// All kinds together.
    public var total: Int { counts.values.reduce(0, Self.sum) }

    mutating func add(_ kind: Kind, _ number: Int = 1) {
        guard number > 0 else { return }
        counts[kind] = Self.sum(counts[kind] ?? 0, number)
    }

    public static func += (counts: inout Self, other: Self) {
        for (kind, number) in other.counts { counts.add(kind, number) }
    }

    /// Held at the greatest number.
    private static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? .max : sum
    }
}
