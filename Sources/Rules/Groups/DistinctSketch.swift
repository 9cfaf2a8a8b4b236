public import Encodings

/// The distinct values of a multitude, exact up to a limit.
///
/// Beyond the limit the least ones by hash are kept, and from how densely they lie the number of all is
/// estimated (Bar-Yossef et al., 2002: “k minimum values”; within 2 % for the standard limit, mostly). What is
/// kept depends on the values alone, not on their order. Strangers can choose values by their hashes, and so an estimate as
/// high as they like: it is never above ``greatestEstimate``.
public struct DistinctSketch<Value: Hashable & Comparable & StablyHashable & Sendable>: Sendable {
    private let limit: Int
    private var values: Set<Value> = []
    /// The greatest hash that is kept, once some were left out.
    private var greatest: UInt64?

    /// 10¹⁵: far more than there can be, and as many digits as a cell of a spreadsheet holds.
    public static var greatestEstimate: Int { 1_000_000_000_000_000 }

    public init(limit: Int = 4096) { self.limit = limit }

    /// What ``sorted`` gave, read again.
    package init(_ sorted: [Value], isExact: Bool) {
        self.init()
        values = Set(sorted)
        if !isExact { greatest = values.map(\.stableHash).max() }
    }

    public mutating func insert(_ value: Value) {
        guard !values.contains(value) else { return }
        if let greatest, value.stableHash > greatest { return }
        values.insert(value)
        if values.count > 2 * limit { shrink() }
    }

    /// Inserts all values of another with the same limit, and leaves out what that one has left out.
    mutating func formUnion(_ other: DistinctSketch) {
        if let bound = other.greatest { greatest = greatest.map { min($0, bound) } ?? bound }
        for value in other.values { insert(value) }
    }

    public var isExact: Bool { greatest == nil && values.count <= limit }

    /// How many there are, or about how many.
    public var count: Int {
        guard !isExact else { return values.count }
        var least = self
        least.shrink()
        let share = (Double(least.greatest ?? .max) + 1) / 0x1p64
        return Int(min((Double(limit - 1) / share).rounded(), Double(Self.greatestEstimate)))
    }

    /// `12`, or `about 52000` if there are more than are counted exactly.
    public var countText: String { isExact ? String(count) : "about \(count)" }

    /// Whether there are more than so many, or about so many.
    public func isMore(than number: Int) -> Bool { isExact ? values.count > number : number < limit || count > number }

    /// Drops what is kept beyond the limit, so that ``keeps(_:)`` no longer depends on the order of values.
    mutating func settle() { if !isExact { shrink() } }

    /// Whether a value is one of those that are kept. Asked after ``settle()``.
    func keeps(_ value: Value) -> Bool { values.contains(value) }

    /// The values that are kept, in order: all of them if ``isExact``.
    public var sorted: [Value] {
        var least = self
        if !isExact { least.shrink() }
        return least.values.sorted()
    }

    private mutating func shrink() {
        let kept = values.map { (hash: $0.stableHash, value: $0) }.sorted { $0 < $1 }.prefix(limit)
        greatest = kept.last?.hash
        values = Set(kept.map(\.value))
    }
}

extension DistinctSketch<ExactText> {
    /// `2 accounts: ann, bob`, the first ten of them.
    var accountsText: String {
        "\(countText) \(isMore(than: 1) ? "accounts" : "account"): \(sorted.listed(of: countText) { $0.text })"
    }
}
