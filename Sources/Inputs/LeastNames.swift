import Encodings

/// The least of many names in the order of their bytes, up to a hundred.
///
/// Strangers choose the names, and how many there are. Which ones are kept depends on what there is, and not on its order.
public struct LeastNames: Sendable {
    /// How many are kept.
    package static let most = 100

    /// In the order of their bytes.
    public private(set) var names: [String] = []

    package init() {}

    /// Takes in a name, once however often it comes.
    package mutating func insert(_ name: String) {
        let place = place(of: name)
        guard place == names.count || !names[place].hasSameBytes(as: name) else { return }
        insert(name, at: place)
    }

    /// Takes in a name that may be there already, of something else.
    mutating func add(_ name: String) { insert(name, at: place(of: name)) }

    /// Where it is, or where it would be.
    private func place(of name: String) -> Int {
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if names[middle].utf8.lexicographicallyPrecedes(name.utf8) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func insert(_ name: String, at place: Int) {
        guard place < Self.most else { return }
        names.insert(name, at: place)
        if names.count > Self.most { names.removeLast() }
    }
}
