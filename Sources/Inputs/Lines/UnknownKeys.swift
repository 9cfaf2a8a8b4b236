import Synchronization

/// JSON keys that nobody asked for, to be named once in the summary: the least hundred of those that are not too long.
package struct UnknownNames: Sendable {
    private static let longest = 100
    private var least = LeastNames()

    package init() {}

    /// In the order of their bytes.
    package var names: [String] { least.names }

    package mutating func insert(_ name: String) {
        if Self.mayBeNamed(name) { least.insert(name) }
    }

    static func mayBeNamed(_ name: String) -> Bool { name.utf8.count <= longest }
}

/// The same of all claims, whichever worker sees them.
final class UnknownKeys: Sendable {
    private let unknown = Mutex(UnknownNames())

    var names: [String] { unknown.withLock { $0.names } }

    func insert(_ name: String) { unknown.withLock { $0.insert(name) } }
}
