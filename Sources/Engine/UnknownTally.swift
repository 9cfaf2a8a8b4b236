package import Checks
import Encodings
public import Receipts
import Rules

/// Counts the members and values of tokens that this version does not know, in any order. Only tokens signed by Apple
/// count, so that nobody else can fill a summary.
public struct UnknownTally: Sendable, Codable {
    private var counts = BottomMap<UnknownMember, Occurrences>()

    public init() {}

    /// The unknown members and values, with the number of tokens; the smallest if there are very many.
    public var sorted: [(unknown: UnknownMember, tokens: Int)] { counts.sorted.map { ($0.key, $0.value.count) } }

    /// Whether nothing was dropped.
    public var isComplete: Bool { counts.isComplete }

    package mutating func count(_ facts: Facts) {
        guard let unknown = facts.token?.unknown, !unknown.isEmpty, facts.isSigned else { return }
        for found in unknown { counts.add(found, Occurrences(1)) }
    }

    package static func += (tally: inout UnknownTally, other: UnknownTally) { tally.counts.add(other.counts) }
}
