import Checks
public import Encodings
import Rules

/// Counts by app, which add up in any order; of very many apps, those with the smallest ids.
public struct AppTally: Sendable, Codable {
    private var counts = BottomMap<ExactText, Occurrences>()

    public init() {}

    /// The apps, by id.
    public var sorted: [(app: ExactText, count: Int)] { counts.sorted.map { ($0.key, $0.value.count) } }

    /// The apps.
    package var apps: Set<ExactText> { Set(sorted.map(\.app)) }

    mutating func count(_ app: ExactText?) {
        guard let app, !app.isEmpty else { return }
        counts.add(app, Occurrences(1))
    }

    static func += (tally: inout AppTally, other: AppTally) { tally.counts.add(other.counts) }

    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var kept = sorted
        try coder.list(&kept, of: (app: "", count: 0)) { (entry, coder) throws(Coder.Failure) in
            try coder.text(&entry.app)
            try coder.count(&entry.count)
        }
        var isComplete = counts.isComplete
        try coder.bool(&isComplete)
        guard Coder.isReading else { return }
        counts = BottomMap(kept.map { ($0.app, Occurrences($0.count)) }, isComplete: isComplete)
    }
}
