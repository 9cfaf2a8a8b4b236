/// Tells whether two lists hold the same paths, each as often, in whatever order: without sorting them.
///
/// The sum of 128 bits of a keyed hash over one list less that over the other. It is the standard library's `Hasher`, whose key
/// each process draws anew, so that nobody can choose paths by which other lists balance.
struct PathBalance {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Whether what was added was removed, and nothing else.
    var isEven: Bool { low == 0 && high == 0 }

    mutating func add(_ path: Span<UInt8>) {
        low &+= hash(path, 0)
        high &+= hash(path, 1)
    }

    mutating func remove(_ path: Span<UInt8>) {
        low &-= hash(path, 0)
        high &-= hash(path, 1)
    }

    private func hash(_ path: Span<UInt8>, _ half: UInt8) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(half)
        hasher.combine(path.count)
        var word: UInt64 = 0
        for index in path.indices {
            word = word << 8 | UInt64(path[index])
            if index & 7 == 7 { hasher.combine(word) }
        }
        hasher.combine(word)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
