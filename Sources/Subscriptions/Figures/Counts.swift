import Encodings

/// How often each of a few kinds of things was counted.
public struct Counts<Kind: Hashable & Sendable>: Sendable {
    /// Only kinds that were counted. They are few, and looked through faster than hashed.
    private var counts: [(kind: Kind, number: Int)] = []

    public init() {}

    public subscript(kind: Kind) -> Int { counts.first { $0.kind == kind }?.number ?? 0 }

    /// All kinds together.
    public var total: Int { counts.reduce(0) { $0.addingSaturating($1.number) } }

    mutating func add(_ kind: Kind, _ number: Int = 1) {
        guard number > 0 else { return }
        if let index = counts.firstIndex(where: { $0.kind == kind }) {
            counts[index].number = counts[index].number.addingSaturating(number)
        } else {
            counts.append((kind, number))
        }
    }

    public static func += (counts: inout Self, other: Self) {
        for (kind, number) in other.counts { counts.add(kind, number) }
    }
}

extension Counts: Equatable {
    public static func == (a: Self, b: Self) -> Bool {
        a.counts.count == b.counts.count && a.counts.allSatisfy { b[$0.kind] == $0.number }
    }
}

extension Counts: Codable where Kind: Codable {
    private struct Entry: Codable {
        var kind: Kind
        var number: Int
    }

    public init(from decoder: any Decoder) throws {
        for entry in try [Entry](from: decoder) { add(entry.kind, entry.number) }
    }

    public func encode(to encoder: any Encoder) throws {
        try counts.map { Entry(kind: $0.kind, number: $0.number) }.encode(to: encoder)
    }
}
