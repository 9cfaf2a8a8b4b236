import Encodings

/// Matches the units that Apple sold with those that are shown, of one product.
///
/// A shown unit counts for its own day first. One that is left over counts for the day before or after instead, because
/// the clocks of Apple and of a storefront may disagree about midnight: then each unit between may move by a day, too,
/// but none by more. So days that lack units by themselves are the only ones that can miss any.
enum UnitMatch {
    /// The maximum distance between a day that lacks units, and one with units left over.
    private static let maxDistance = 3

    /// Returns how many sold units nothing shows, for each day.
    ///
    /// - Parameter days: the days in order. Units move only between days that follow each other.
    static func missing(days: [Int], sold: [Int], shown: [Int]) -> [Int] {
        var missing = zip(sold, shown).map { max(0, $0 - $1) }
        var spare = zip(sold, shown).map { max(0, $1 - $0) }
        // How many shown units of a day moved to the next one; negative if units of the next one moved to it.
        var moved = [Int](repeating: 0, count: days.count)
        for distance in 1...maxDistance {
            for day in days.indices where missing[day] > 0 {
                for source in [day - distance, day + distance]
                where days.indices.contains(source) && spare[source] > 0 && missing[day] > 0 {
                    let edges = min(source, day)..<max(source, day)
                    guard edges.allSatisfy({ days[$0 + 1] == days[$0] + 1 }) else { continue }
                    let step = source < day ? 1 : -1
                    let room = edges.map { Self.room(on: $0, step, moved, shown) }.min() ?? 0
                    let count = min(missing[day], spare[source], room)
                    for edge in edges { moved[edge] += step * count }
                    missing[day] -= count
                    spare[source] -= count
                }
            }
        }
        return missing
    }

    /// Returns how many more units can move over an edge between a day and the next one.
    private static func room(on edge: Int, _ step: Int, _ moved: [Int], _ shown: [Int]) -> Int {
        let from = step > 0 ? edge : edge + 1
        let left = from > 0 ? max(0, -moved[from - 1]) : 0
        let right = max(0, moved[from])
        let back = step > 0 ? max(0, -moved[edge]) : max(0, moved[edge])
        return max(0, shown[from] - left - right).addingSaturating(back)
    }
}
