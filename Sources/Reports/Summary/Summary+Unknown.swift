import Encodings
import Engine
import Receipts

extension Summary {
    /// Returns the members and values of tokens that this version does not know, the most frequent first.
    static func unknown(_ tally: UnknownTally) -> Section {
        var rows: [(unknown: UnknownMember, tokens: Int, decisive: Int)] = []
        for (unknown, tokens) in tally.sorted {
            // Decisive ones come first.
            let decisive = unknown.isDecisive ? tokens : 0
            let same = rows.firstIndex {
                !unknown.isDecisive && $0.unknown.isDecisive && $0.unknown.kind == unknown.kind
                    && $0.unknown.member == unknown.member && $0.unknown.value == unknown.value
            }
            if let same {
                rows[same].tokens = rows[same].tokens.addingSaturating(tokens)
            } else {
                rows.append((unknown, tokens, decisive))
            }
        }
        rows.sort { ($1.decisive, $1.tokens, $0.unknown) < ($0.decisive, $0.tokens, $1.unknown) }
        var section = Section(
            "unknown", "Unknown members and values",
            "Members and values in tokens signed by Apple that this version does not know. They enter no figure"
                + " and cause no finding; a newer version may know them. In decisive tokens they are in a place"
                + " where known values decide money or access.",
            columns: ["kind", "member", "value", "tokens", "decisive"],
            rows: rows.map { row in
                [
                    .code(row.unknown.kind.rawValue), .text(row.unknown.member),
                    row.unknown.value.map { .text($0) } ?? .none, .number(row.tokens),
                    row.decisive > 0 ? .number(row.decisive) : .none,
                ]
            })
        section.keys = 3
        if !tally.isComplete { section.explanation += " There are more than this table has." }
        return section
    }
}
