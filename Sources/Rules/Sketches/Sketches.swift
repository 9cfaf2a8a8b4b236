public import Encodings

/// A value that can be added to another of its kind. The sum does not depend on the order.
package protocol Mergeable {
    mutating func add(_ other: Self)
}

extension Mergeable where Self: Comparable {
    /// Keeps the smaller value.
    package mutating func add(_ other: Self) { self = min(self, other) }
}

extension Optional: Mergeable where Wrapped: Comparable {
    /// Keeps the smaller value.
    package mutating func add(_ other: Wrapped?) {
        guard let other else { return }
        self = map { min($0, other) } ?? other
    }

    /// Keeps the greater value.
    package mutating func addGreatest(_ other: Wrapped?) {
        guard let other else { return }
        self = map { max($0, other) } ?? other
    }
}

/// The distinct values of a large collection, exact up to a limit.
///
/// Beyond the limit it keeps the values with the smallest hashes and estimates the number of all values from their
/// density (Bar-Yossef et al., 2002: “k minimum values”; mostly within 2 % for the standard limit). The kept values do
/// not depend on the order of insertion. An attacker can choose values by their hashes and so raise an estimate, but
/// never above ``greatestEstimate``.
public struct DistinctSketch<Value: Hashable & Comparable & StablyHashable & Sendable>: Sendable {
    private let limit: Int
    private var values: Set<Value> = []
    /// The greatest kept hash, once values were dropped.
    private var greatest: UInt64?

    /// 10¹⁵: far above any real number, and with as many digits as a spreadsheet cell holds.
    static var greatestEstimate: Int { 1_000_000_000_000_000 }

    public init(limit: Int = 4096) { self.limit = limit }

    /// Restores a sketch from its ``sorted`` values.
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

    public var isExact: Bool { greatest == nil && values.count <= limit }

    /// The number of values, or its estimate.
    public var count: Int {
        guard !isExact else { return values.count }
        var kept = self
        kept.shrink()
        let share = (Double(kept.greatest ?? .max) + 1) / 0x1p64
        return Int(min((Double(limit - 1) / share).rounded(), Double(Self.greatestEstimate)))
    }

    /// `12`, or `about 52000` if there are more than are counted exactly.
    var countText: String { isExact ? String(count) : "about \(count)" }

    /// Returns whether the number of values, or its estimate, is greater than a number.
    func isMore(than number: Int) -> Bool { isExact ? values.count > number : number < limit || count > number }

    /// The kept values in order: all values if ``isExact``.
    public var sorted: [Value] {
        guard !isExact else { return values.sorted() }
        var kept = self
        kept.shrink()
        return kept.values.sorted()
    }

    private mutating func shrink() {
        let kept = values.map { (hash: $0.stableHash, value: $0) }.sorted { $0 < $1 }.prefix(limit)
        greatest = kept.last?.hash
        values = Set(kept.map(\.value))
    }
}

extension DistinctSketch: Mergeable {
    /// Adds the distinct values of another sketch with the same limit. A value that either sketch dropped stays out of
    /// the sum, because at least `limit` values with smaller hashes are in it.
    package mutating func add(_ other: DistinctSketch) {
        if let bound = other.greatest { greatest = greatest.map { min($0, bound) } ?? bound }
        for value in other.values { insert(value) }
    }
}

extension DistinctSketch<ExactText> {
    /// `2 accounts: ann, bob`, the first ten of them.
    var accountsText: String {
        "\(countText) \(isMore(than: 1) ? "accounts" : "account"): \(sorted.listed(of: countText) { $0.text })"
    }
}
