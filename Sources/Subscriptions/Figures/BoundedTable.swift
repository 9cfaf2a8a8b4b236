/// Counts by key, for so many keys at most: the least ones. The rest is counted as others.
///
/// Which keys are kept depends on the keys alone. Once there are too many, a key that was left out is greater
/// than all that are kept and stays so.
public struct BoundedTable<Key: Hashable & Comparable & Sendable, Kind: Hashable & Sendable>: Sendable {
    private let limit: Int
    private var kept: [Key: Counts<Kind>] = [:]
    private var rest = Counts<Kind>()
    /// The greatest key that is kept, once something was left out.
    private var greatest: Key?

    init(limit: Int) { self.limit = max(limit, 1) }

    /// The keys in order, each with its counts.
    public var entries: [(key: Key, counts: Counts<Kind>)] {
        kept.sorted { $0.key < $1.key }.prefix(limit).map { ($0.key, $0.value) }
    }

    /// What was counted under other keys.
    public var others: Counts<Kind> {
        var others = rest
        for (_, counts) in kept.sorted(by: { $0.key < $1.key }).dropFirst(limit) { others += counts }
        return others
    }

    mutating func add(_ counts: Counts<Kind>, at key: Key) {
        if let greatest, key > greatest { return rest += counts }
        kept[key, default: Counts()] += counts
        guard kept.count / 2 >= limit else { return }
        let (entries, others) = (entries, others)
        greatest = entries.last?.key
        kept = Dictionary(entries.map { ($0.key, $0.counts) }) { first, _ in first }
        rest = others
    }

    static func += (table: inout Self, other: Self) {
        for (key, counts) in other.kept { table.add(counts, at: key) }
        table.rest += other.rest
    }
}

extension BoundedTable: Codable where Key: Codable, Kind: Codable {}
