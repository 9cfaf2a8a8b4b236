import Encodings

/// How the subscriptions that began in one month stand at the starts of later months.
///
/// A subscription stands the same for months on end, so only changes are kept: memory and time do not depend on how
/// many months there are.
struct Cohort: Equatable, Sendable, Codable {
    /// What is counted, in the order of ``changes``.
    private static let counts: [SubscriptionFigures.CohortCount] = [.paid, .lost, .notRefreshed]

    /// For each count: how many more there are than a month before; the first element is a month after the beginning.
    private var changes: [[Int]] = counts.map { _ in [] }

    /// Counts a subscription in so many months.
    mutating func add(_ count: SubscriptionFigures.CohortCount, months: Range<Int>) {
        guard !months.isEmpty, let index = Self.counts.firstIndex(of: count) else { return }
        while changes[index].count <= months.upperBound { changes[index].append(0) }
        changes[index][months.lowerBound] = changes[index][months.lowerBound].addingSaturating(1)
        changes[index][months.upperBound] = changes[index][months.upperBound].addingSaturating(-1)
    }

    static func += (cohort: inout Cohort, other: Cohort) {
        for (index, changes) in other.changes.enumerated() {
            for (month, change) in changes.enumerated() where index < cohort.changes.count {
                if cohort.changes[index].count <= month { cohort.changes[index].append(0) }
                cohort.changes[index][month] = cohort.changes[index][month].addingSaturating(change)
            }
        }
    }

    /// The counts of each later month; the first element is a month after the beginning.
    var cells: [Counts<SubscriptionFigures.CohortCount>] {
        let length = (changes.map(\.count).max() ?? 1) - 1
        var cells = (0..<max(0, length)).map { _ in Counts<SubscriptionFigures.CohortCount>() }
        for (index, changes) in changes.enumerated() {
            var number = 0
            for (month, change) in changes.enumerated() where month < cells.count {
                number = number.addingSaturating(change)
                cells[month].add(Self.counts[index], number)
            }
        }
        return cells
    }
}
