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

extension UnknownTally {
    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var kept = counts.sorted.map { (key: $0.key, tokens: $0.value.count) }
        try coder.list(&kept, of: (key: UnknownMember(.transaction, "", value: nil), tokens: 0)) {
            (entry, coder) throws(Coder.Failure) in
            try entry.key.code(&coder)
            try coder.count(&entry.tokens)
        }
        var isComplete = counts.isComplete
        try coder.bool(&isComplete)
        guard Coder.isReading else { return }
        counts = BottomMap(kept.map { ($0.key, Occurrences($0.tokens)) }, isComplete: isComplete)
    }
}

extension UnknownMember {
    fileprivate mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var (kind, member, value, isDecisive) = (kind, member, value, isDecisive)
        try coder.place(of: &kind)
        try coder.text(&member)
        var bits = try coder.beginBits()
        try coder.text(&value, &bits)
        coder.flag(&isDecisive, &bits)
        coder.end(bits)
        self = UnknownMember(kind, member, value: value, isDecisive: isDecisive)
    }
}
