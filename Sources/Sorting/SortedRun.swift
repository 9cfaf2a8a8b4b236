/// Some records in order, in memory or in a temporary file, which any number of threads may read.
public struct SortedRun: Sendable {
    enum Place: Sendable {
        case memory(CacheRun)
        case file(FileRun)
    }

    let place: Place
}

/// Records in memory, in order.
final class CacheRun: Sendable {
    let buffer: RecordBuffer

    init(sorting buffer: consuming RecordBuffer) {
        buffer.sort()
        self.buffer = buffer
    }
}

/// A part of all prefixes, by their first octet, so that several threads can share the merging of runs.
public struct PrefixSlice: Sendable {
    /// How many slices there are.
    public static let count = 256
    let number: Int

    /// - Parameter number: from 0 to ``count`` - 1.
    public init(_ number: Int) { self.number = number }

    /// The least prefix in it.
    var first: UInt64 { UInt64(number) << 56 }
}
