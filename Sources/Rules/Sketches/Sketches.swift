public import Encodings

/// The state over a part of a group, which can be added to the state over another part.
///
/// The sum depends on the content of the parts, not on how the group was divided or on the order of the parts.
package protocol Mergeable: Codable {
    mutating func add(_ other: Self)
}

extension Optional: Mergeable where Wrapped: Comparable & Codable {
    /// Keeps the smaller value.
    package mutating func add(_ other: Wrapped?) {
        guard let other else { return }
        self = map { min($0, other) } ?? other
    }

    /// Keeps the greater value.
    mutating func addGreatest(_ other: Wrapped?) {
        guard let other else { return }
        self = map { max($0, other) } ?? other
    }
}

/// Records whether something was seen in any part of a group.
struct SeenFlag: Mergeable, Sendable {
    var isSet = false

    mutating func add(_ other: SeenFlag) { isSet = isSet || other.isSet }
}

/// Encodes the state of a rule as texts, or merges encoded state into that of a rule.
public struct StateCoder {
    /// The encoded values.
    private(set) var texts: [ExactText] = []
    /// The values to merge, and the number of values merged so far.
    private var incoming: (texts: [ExactText], position: Int)?

    /// Starts encoding.
    init() {}

    /// Starts merging the output of another coder.
    init(merging texts: [ExactText]) { incoming = (texts, 0) }

    /// Whether all values were merged.
    var isAtEnd: Bool { incoming.map { $0.position == $0.texts.count } ?? true }

    /// Encodes or merges one value. A rule must call it for each of its values, always in the same order.
    mutating func code<Value: Mergeable>(_ value: inout Value) throws {
        guard let (texts, position) = incoming else {
            // In an array, because an optional value cannot be encoded by itself.
            return self.texts.append(try CanonicalJSON.text(of: [value]))
        }
        guard position < texts.count else { throw TooFewValues() }
        incoming?.position += 1
        let others: [Value] = try CanonicalJSON.value(of: texts[position])
        for other in others { value.add(other) }
    }

    /// There are fewer values than the rule has.
    private struct TooFewValues: Error {}
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

    /// Drops values beyond the limit, so that ``contains(_:)`` no longer depends on their order.
    mutating func settle() { if !isExact { shrink() } }

    /// Returns whether a value is kept. Call ``settle()`` before.
    func contains(_ value: Value) -> Bool { values.contains(value) }

    /// The kept values in order: all values if ``isExact``.
    public var sorted: [Value] {
        var kept = self
        kept.settle()
        return kept.values.sorted()
    }

    private mutating func shrink() {
        let kept = values.map { (hash: $0.stableHash, value: $0) }.sorted { $0 < $1 }.prefix(limit)
        greatest = kept.last?.hash
        values = Set(kept.map(\.value))
    }
}

extension DistinctSketch: Codable, Mergeable where Value: Codable {
    private enum CodingKeys: String, CodingKey {
        case values = "v"
        case isExact = "e"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode([Value].self, forKey: .values),
            isExact: try container.decode(Bool.self, forKey: .isExact))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(sorted, forKey: .values)
        try container.encode(isExact, forKey: .isExact)
    }

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

/// The smallest keys of a large collection, up to a limit, each with its smallest note.
///
/// The result depends on the keys, not on their order: a dropped key cannot come back, because at least `limit` smaller
/// keys are kept.
struct BottomK<Key: Hashable & Comparable & Sendable, Note: Comparable & Sendable>: Sendable {
    private let limit: Int
    private var notes: [Key: Note] = [:]
    /// The greatest kept key, once there were more than twice the limit.
    private var greatest: Key?

    /// The default number of kept keys.
    static var maxKeys: Int { 4096 }

    init(limit: Int = Self.maxKeys) { self.limit = limit }

    mutating func insert(_ key: Key, _ note: Note) {
        if let greatest, greatest < key { return }
        if let present = notes[key], present <= note { return }
        notes[key] = note
        if notes.count > 2 * limit {
            let kept = sorted
            greatest = kept.last?.key
            notes = Dictionary(kept.map { ($0.key, $0.note) }) { first, _ in first }
        }
    }

    /// Whether all keys are kept.
    var isComplete: Bool { greatest == nil && notes.count <= limit }

    /// The number of kept keys.
    var count: Int { min(notes.count, limit) }

    /// `12`, or `more than 4096` if keys were dropped.
    var countText: String { isComplete ? String(count) : "more than \(limit)" }

    /// The kept entries, in order.
    var sorted: [(key: Key, note: Note)] { notes.inOrder.prefix(limit).map { ($0.key, $0.value) } }

    /// The kept entries, unordered: for callers that sort by another order.
    var unordered: [(key: Key, note: Note)] {
        notes.count <= limit ? notes.map { ($0.key, $0.value) } : sorted
    }
}

extension BottomK: Codable, Mergeable where Key: Codable, Note: Codable {
    private enum CodingKeys: String, CodingKey {
        case keys = "k"
        case notes = "n"
        case isComplete = "e"
    }

    init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let keys = try container.decode([Key].self, forKey: .keys)
        notes = Dictionary(zip(keys, try container.decode([Note].self, forKey: .notes)), uniquingKeysWith: min)
        if try !container.decode(Bool.self, forKey: .isComplete) { greatest = notes.keys.max() }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let sorted = sorted
        try container.encode(sorted.map(\.key), forKey: .keys)
        try container.encode(sorted.map(\.note), forKey: .notes)
        try container.encode(isComplete, forKey: .isComplete)
    }

    /// Adds the keys of another sketch with the same limit, each with its smallest note, and drops the keys that the
    /// other sketch has dropped.
    mutating func add(_ other: BottomK) {
        if notes.isEmpty, greatest == nil, limit == other.limit { return self = other }
        if let bound = other.greatest { greatest = greatest.map { min($0, bound) } ?? bound }
        for (key, note) in other.notes { insert(key, note) }
    }
}
