import Encodings
import Files
import Rules
import Sorting

/// What the rules find about one claim.
struct MarkedClaim {
    var claim: UInt64
    var risk: Severity
    var rules = RuleNumbers()
    /// The rings that it is part of.
    var rings: Set<Int> = []
}

/// Some of the rules, one bit each.
struct RuleNumbers {
    private var bits: UInt64 = 0

    mutating func insert(_ rule: Int) { bits |= 1 << UInt64(rule) }

    /// The ids, joined by `;` in the order of the rule book.
    var ids: String {
        RuleBook.ids.indices.filter { bits & 1 << UInt64($0) != 0 }.map { RuleBook.ids[$0].text }.joined(separator: ";")
    }
}

/// Goes through marks in the order of claims, and brings together those of one claim.
struct ClaimMarks {
    private var merge: RunMerge
    private let rings: RingMarks

    init(_ runs: [SortedRun], _ rings: RingMarks) throws(FileError) {
        merge = try RunMerge(runs)
        self.rings = rings
    }

    mutating func next() throws(FileError) -> MarkedClaim? {
        guard !merge.isAtEnd else { return nil }
        var claim = MarkedClaim(claim: merge.prefix, risk: .info)
        while !merge.isAtEnd, merge.prefix == claim.claim {
            let mark = merge.withRecord { Mark($0) }
            claim.rules.insert(mark.rule)
            claim.risk = max(claim.risk, mark.severity)
            if let joining = mark.joining, let ring = rings.ring(of: joining) {
                claim.rings.insert(ring.number)
                claim.rules.insert(ring.rule)
                claim.risk = max(claim.risk, ring.severity)
            }
            try merge.advance()
        }
        return claim
    }
}
