import Encodings

/// Counts the occurrences of a few kinds of things.
public struct KindCounts<Kind: CaseIterable & Hashable & Sendable>: Sendable {
    /// Only kinds that occurred. They are few, so a linear search is faster than hashing.
    private var counts: [(kind: Kind, number: Int)] = []

    package init() {}

    public subscript(kind: Kind) -> Int { counts.first { $0.kind == kind }?.number ?? 0 }

    /// The sum over all kinds.
    public var total: Int { counts.reduce(0) { $0.addingSaturating($1.number) } }

    /// The kinds that occurred, in the order of the cases.
    public var occurring: [(value: Kind, count: Int)] {
        Kind.allCases.compactMap { kind in self[kind] > 0 ? (kind, self[kind]) : nil }
    }

    package mutating func add(_ kind: Kind, _ number: Int = 1) {
        guard number > 0 else { return }
        if let index = counts.firstIndex(where: { $0.kind == kind }) {
            counts[index].number = counts[index].number.addingSaturating(number)
        } else {
            counts.append((kind, number))
        }
    }

    package static func += (counts: inout Self, other: Self) {
        for (kind, number) in other.counts { counts.add(kind, number) }
    }
}

extension KindCounts: Equatable {
    public static func == (a: Self, b: Self) -> Bool { Kind.allCases.allSatisfy { a[$0] == b[$0] } }
}

extension KindCounts: Codable {
    /// Reads the counts in the order of the cases.
    public init(from decoder: any Decoder) throws {
        let numbers = try [Int](from: decoder)
        guard numbers.count == Kind.allCases.count else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "other cases"))
        }
        for (kind, number) in zip(Kind.allCases, numbers) { add(kind, number) }
    }

    public func encode(to encoder: any Encoder) throws { try Kind.allCases.map { self[$0] }.encode(to: encoder) }
}

/// A value to which others of its type are added, in any order.
package protocol Summable: Sendable {
    init()
    static func += (sum: inout Self, other: Self)
}

extension KindCounts: Summable {}

extension Dictionary where Value: Summable {
    /// Adds the values of other keys and of equal ones.
    package static func += (sum: inout Self, other: Self) {
        for (key, value) in other { sum[key, default: Value()] += value }
    }
}

/// Sums by key, for the smallest keys up to a limit. The rest is added together.
///
/// The kept keys depend on the keys alone: a dropped key is greater than all kept ones, and stays so.
struct BoundedTable<Key: Hashable & Comparable & Sendable, Value: Summable>: Sendable {
    private let limit: Int
    @SortedByKey private var kept: [Key: Value] = [:]
    private var rest = Value()
    /// The greatest kept key, once a key was dropped.
    private var greatest: Key?

    init(limit: Int) { self.limit = max(limit, 1) }

    /// The keys in order, each with its sum.
    var entries: [(key: Key, counts: Value)] {
        kept.sorted { $0.key < $1.key }.prefix(limit).map { ($0.key, $0.value) }
    }

    /// Whether keys were dropped, so that what belongs to the last kept ones may be incomplete.
    var isCut: Bool { greatest != nil || kept.count > limit }

    /// The sum of dropped keys.
    var others: Value {
        var others = rest
        for (_, counts) in kept.sorted(by: { $0.key < $1.key }).dropFirst(limit) { others += counts }
        return others
    }

    mutating func add(_ counts: Value, at key: Key) {
        if let greatest, key > greatest { return rest += counts }
        kept[key, default: Value()] += counts
        guard kept.count / 2 >= limit else { return }
        let (entries, others) = (entries, others)
        greatest = entries.last?.key
        kept = Dictionary(entries.map { ($0.key, $0.counts) }) { first, _ in first }
        rest = others
    }

    static func += (table: inout Self, other: Self) {
        for (key, counts) in other.kept { table.add(counts, at: key) }
        table.rest += other.rest
        if let cut = other.greatest { table.greatest = min(table.greatest ?? cut, cut) }
    }
}

extension BoundedTable: Codable where Key: Codable, Value: Codable {}

/// The states of the subscriptions that began in one month, when each of their renewals is due.
///
/// A subscription keeps one state over many renewals, so only changes are stored: memory and time do not depend on the
/// number of renewals.
struct Cohort: Summable, Codable {
    /// Whether the paid time of a subscription covers a moment.
    enum Coverage: Int, CaseIterable, Sendable {
        /// Its paid time covers that moment.
        case kept
        /// Its paid time does not cover that moment, as receipts show.
        case lost
        /// Its paid time ended before that moment, after the newest receipt.
        case unknown
    }

    /// The changes by coverage: the difference between each renewal's count and the previous one; the first element
    /// belongs to the first renewal.
    private var changes: [[Int]] = Coverage.allCases.map { _ in [] }

    /// Counts a subscription at some renewals; the first one's index is 0.
    mutating func add(_ coverage: Coverage, renewals: Range<Int>) {
        guard !renewals.isEmpty else { return }
        change(coverage.rawValue, renewals.lowerBound, by: 1)
        change(coverage.rawValue, renewals.upperBound, by: -1)
    }

    static func += (cohort: inout Cohort, other: Cohort) {
        for (coverage, changes) in other.changes.enumerated() where coverage < cohort.changes.count {
            for (renewal, change) in changes.enumerated() { cohort.change(coverage, renewal, by: change) }
        }
    }

    private mutating func change(_ coverage: Int, _ renewal: Int, by number: Int) {
        while changes[coverage].count <= renewal { changes[coverage].append(0) }
        changes[coverage][renewal] = changes[coverage][renewal].addingSaturating(number)
    }

    /// The counts at each renewal, from the first.
    var renewals: [KindCounts<Coverage>] {
        let length = (changes.map(\.count).max() ?? 1) - 1
        var renewals = (0..<max(0, length)).map { _ in KindCounts<Coverage>() }
        for (coverage, changes) in zip(Coverage.allCases, changes) {
            var number = 0
            for (renewal, change) in changes.enumerated() where renewal < renewals.count {
                number = number.addingSaturating(change)
                renewals[renewal].add(coverage, number)
            }
        }
        return renewals
    }
}
