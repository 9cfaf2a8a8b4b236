/// Column names and JSON keys that nobody asked for, to be named once in the summary.
///
/// Strangers choose them, so only the first few in sorted order are kept. Which ones that
/// is does not depend on who saw them first: workers can collect and merge in any order.
public struct UnknownNames: Equatable, Sendable {
    /// Sorted, each once.
    public private(set) var names: [String] = []
    /// Whether there were more.
    public private(set) var hasMore = false

    private static let most = 32
    private static let longest = 64

    public init() {}

    public mutating func insert(_ name: String) {
        let name = name.utf8.count <= Self.longest ? name : String(name.unicodeScalars.prefix(Self.longest / 4)) + "…"
        var place = names.count
        while place > 0, precedes(name, names[place - 1]) { place -= 1 }
        if place > 0, names[place - 1] == name { return }
        if names.count < Self.most {
            names.insert(name, at: place)
        } else {
            hasMore = true
            guard place < Self.most else { return }
            names.removeLast()
            names.insert(name, at: place)
        }
    }

    public mutating func merge(_ other: UnknownNames) {
        other.names.forEach { insert($0) }
        hasMore = hasMore || other.hasMore
    }

    private func precedes(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }
}
