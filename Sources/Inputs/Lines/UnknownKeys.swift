import Synchronization

/// JSON keys that nobody asked for, to be named once in the summary.
///
/// Strangers choose them, so only the first few in sorted order are kept. Which ones that is does not
/// depend on which worker saw them first.
package final class UnknownKeys: Sendable {
    private let sorted = Mutex<[String]>([])
    /// How many are kept.
    package static let most = 100
    private static let longest = 100

    var names: [String] { sorted.withLock { $0 } }

    func insert(_ name: String) {
        guard name.utf8.count <= Self.longest else { return }
        sorted.withLock { names in
            let place = names.firstIndex { !$0.utf8.lexicographicallyPrecedes(name.utf8) } ?? names.count
            guard place < Self.most, place == names.count || names[place] != name else { return }
            names.insert(name, at: place)
            if names.count > Self.most { names.removeLast() }
        }
    }
}
