/// What is known of a part of a group, such that it can be added to what is known of another part.
///
/// The sum depends on what there is in the parts, and not on how the group was divided, nor on the order of parts.
package protocol Mergeable: Codable {
    mutating func add(_ other: Self)
}

extension Bool: Mergeable {
    /// Whether it is so in any part.
    package mutating func add(_ other: Bool) { self = self || other }
}

extension Optional: Mergeable where Wrapped: Comparable & Codable {
    /// The least that is in any part.
    package mutating func add(_ other: Wrapped?) {
        guard let other else { return }
        self = map { min($0, other) } ?? other
    }
}

extension DistinctSketch: Codable where Value: Codable {
    private enum CodingKeys: String, CodingKey {
        case values = "v"
        case isExact = "e"
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(sorted, forKey: .values)
        try container.encode(isExact, forKey: .isExact)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode([Value].self, forKey: .values),
            isExact: try container.decode(Bool.self, forKey: .isExact))
    }
}

extension DistinctSketch: Mergeable where Value: Codable {
    /// The distinct values of both. Where one has left out some, those had enough lesser ones to be left out of the sum.
    package mutating func add(_ other: DistinctSketch) { formUnion(other) }
}

extension BottomK: Codable where Key: Codable, Note: Codable {
    private enum CodingKeys: String, CodingKey {
        case keys = "k"
        case notes = "n"
        case isComplete = "e"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let sorted = sorted
        try container.encode(sorted.map(\.key), forKey: .keys)
        try container.encode(sorted.map(\.note), forKey: .notes)
        try container.encode(isComplete, forKey: .isComplete)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let keys = try container.decode([Key].self, forKey: .keys)
        let notes = try container.decode([Note].self, forKey: .notes)
        self.init(zip(keys, notes), isComplete: try container.decode(Bool.self, forKey: .isComplete))
    }
}

extension BottomK: Mergeable where Key: Codable, Note: Codable {
    /// The least keys of both, each with the least of its notes.
    mutating func add(_ other: BottomK) { formUnion(other) }
}
