import Encodings

/// Keeps the smallest keys of a large collection, up to a limit, each with the sum of all its values.
///
/// The result depends on keys and values, not on their order: a dropped key cannot come back, because at least `limit`
/// smaller keys are kept.
package struct BottomMap<Key: Hashable & Comparable & Sendable, Value: Sendable>: Sendable {
    /// The usual number of kept keys.
    package static var standardLimit: Int { 4096 }

    private let limit: Int
    private var values: [Key: Value] = [:]
    /// The greatest kept key, once there were more than twice the limit.
    private var greatest: Key?

    package init(limit: Int = Self.standardLimit) { self.limit = limit }

    /// Changes the value of a key in place.
    ///
    /// - Parameter none: the initial value of a new key.
    package mutating func update(_ key: Key, from none: @autoclosure () -> Value, _ change: (inout Value) -> Void) {
        if let greatest, greatest < key { return }
        change(&values[key, default: none()])
        shrink()
    }

    private mutating func shrink() {
        guard values.count > 2 * limit else { return }
        let kept = sorted
        greatest = kept.last?.key
        values = Dictionary(kept.map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// The sum of a key's values; `nil` if there are none, or the key is not among the least.
    subscript(key: Key) -> Value? {
        values.count <= limit ? values[key] : sorted.first { $0.key == key }?.value
    }

    /// Whether all keys are kept.
    package var isComplete: Bool { greatest == nil && values.count <= limit }

    /// The number of kept keys.
    var count: Int { min(values.count, limit) }

    /// `12`, or `more than 4096` if keys were dropped.
    var countText: String { isComplete ? String(count) : "more than \(limit)" }

    /// The kept keys and values, in no order.
    var unordered: [(key: Key, value: Value)] {
        values.count <= limit ? values.map { ($0.key, $0.value) } : sorted
    }

    /// Returns the transformed values of the kept keys, without those that become `nil`.
    func compactMapValues<Other>(_ transform: (Key, Value) -> Other?) -> BottomMap<Key, Other> {
        let kept = unordered
        let others = kept.compactMap { entry in transform(entry.key, entry.value).map { (entry.key, $0) } }
        return BottomMap<Key, Other>(
            Dictionary(others) { first, _ in first }, limit: limit,
            greatest: values.count <= limit ? greatest : kept.last?.key)
    }

    private init(_ values: [Key: Value], limit: Int, greatest: Key?) {
        self.values = values
        self.limit = limit
        self.greatest = greatest
    }

    /// The kept entries, sorted by key.
    package var sorted: [(key: Key, value: Value)] {
        values.inOrder.prefix(limit).map { ($0.key, $0.value) }
    }
}

extension BottomMap: Codable where Key: Codable, Value: Codable {
    private enum CodingKeys: String, CodingKey {
        case keys = "k"
        case values = "v"
        case isComplete = "e"
    }

    package init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let keys = try container.decode([Key].self, forKey: .keys)
        values = Dictionary(zip(keys, try container.decode([Value].self, forKey: .values))) { first, _ in first }
        if try !container.decode(Bool.self, forKey: .isComplete) { greatest = values.keys.max() }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let sorted = sorted
        try container.encode(sorted.map(\.key), forKey: .keys)
        try container.encode(sorted.map(\.value), forKey: .values)
        try container.encode(isComplete, forKey: .isComplete)
    }
}

extension BottomMap: Mergeable where Value: Mergeable {
    /// Restores kept keys and values.
    package init(_ kept: [(key: Key, value: Value)], isComplete: Bool) {
        self.init()
        for (key, value) in kept { add(key, value) }
        if !isComplete { greatest = values.keys.max() }
    }

    package mutating func add(_ key: Key, _ value: Value) {
        if let greatest, greatest < key { return }
        if values[key] != nil {
            values[key]?.add(value)
            return
        }
        values[key] = value
        shrink()
    }

    /// Adds the values of another map with the same limit, and drops the keys that the other map has dropped.
    package mutating func add(_ other: BottomMap) {
        if values.isEmpty, greatest == nil, limit == other.limit { return self = other }
        if let bound = other.greatest {
            greatest = greatest.map { min($0, bound) } ?? bound
            if let greatest { values = values.filter { $0.key <= greatest } }
        }
        for (key, value) in other.values { add(key, value) }
    }
}

/// The smallest values of a large collection, up to a limit.
typealias BottomSet<Value: Hashable & Comparable & Sendable> = BottomMap<Value, Nothing>

/// The value of a key that is only counted once.
struct Nothing: Sendable {}

extension BottomMap where Value == Nothing {
    mutating func insert(_ key: Key) { update(key, from: Nothing()) { _ in } }

    /// The kept values, in no order.
    var keys: [Key] { unordered.map(\.key) }
}

/// How often a key occurs.
package struct Occurrences: Mergeable, Codable, Sendable {
    package private(set) var count: Int

    package init(_ count: Int) { self.count = count }

    package mutating func add(_ other: Occurrences) { count = count.addingSaturating(other.count) }
}

extension Dictionary where Key: Comparable {
    /// The entries, sorted by key. Sorts positions instead of entries, which are expensive to move.
    var inOrder: [(key: Key, value: Value)] {
        let entries = Array(self)
        let places = entries.indices.sorted { entries[$0].key < entries[$1].key }
        return places.map { entries[$0] }
    }
}
