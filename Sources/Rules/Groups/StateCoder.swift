import FoundationEssentials

/// Carries what a rule has taken in of a part of a group: out of it, as texts, or into it, added to what it has.
public struct StateCoder {
    /// What was carried out.
    public private(set) var texts: [String] = []
    /// What is carried in, and how much of it was.
    private var incoming: (texts: [String], position: Int)?

    /// Carries out.
    public init() {}

    /// Carries in what was carried out of another.
    public init(_ texts: [String]) { incoming = (texts, 0) }

    /// Whether all that was to be carried in was taken.
    public var isEmpty: Bool { incoming.map { $0.position == $0.texts.count } ?? true }

    /// Carries one value. A rule calls it for each of its values, always in the same order.
    package mutating func carry<Value: Mergeable>(_ value: inout Value) throws {
        guard let (texts, position) = incoming else {
            // In an array, as not all that there is can stand alone.
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return self.texts.append(String(decoding: try encoder.encode([value]), as: UTF8.self))
        }
        guard position < texts.count else { throw TooLittle() }
        incoming?.position += 1
        for other in try JSONDecoder().decode([Value].self, from: Data(texts[position].utf8)) { value.add(other) }
    }

    /// Fewer values than the rule has.
    private struct TooLittle: Error {}
}
