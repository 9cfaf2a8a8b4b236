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
}
