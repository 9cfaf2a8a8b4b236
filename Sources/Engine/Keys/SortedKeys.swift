import Files
import Sorting

/// Entries of ``KeyLog``s in the order of hashes and, under a hash, of identities, read from the front.
protocol SortedKeys {
    var isAtEnd: Bool { get }
    /// Of the entry that comes next. There must be one, here and below.
    var hash: UInt64 { get }
    var key: KeyRecord { get }
    /// Whether it is known that no other entry has its hash. Asked of the first one with a hash.
    var isAlone: Bool { get }
    mutating func advance() throws(FileError)
}

/// What takes entries in this order.
protocol KeyPicker {
    mutating func pick(from keys: consuming some SortedKeys, isStopped: () -> Bool) throws
}

extension [KeyPieces] {
    /// Hands the entries of a slice to a picker.
    ///
    /// - Parameter storage: what may be used to sort them. Where very many claims have one key, its slice is large.
    func pick(slice: Int, _ storage: Storage, with picker: inout some KeyPicker, isStopped: () -> Bool) throws {
        let width = first?.width ?? 2
        let count = reduce(0) { $0 + $1.count(inSlice: slice) }
        // Sorting takes as much again.
        guard count * 16 > storage.memory else {
            var words: [UInt64] = []
            words.reserveCapacity(count)
            for pieces in self { try pieces.append(slice: slice, to: &words) }
            return try picker.pick(from: KeySlice(sorting: words, width: width), isStopped: isStopped)
        }
        var sorter = KeySorter(width: width, storage)
        var words: [UInt64] = []
        for pieces in self { try pieces.append(slice: slice, to: &words) { words in try sorter.take(&words) } }
        try picker.pick(from: sorter.finish(), isStopped: isStopped)
    }
}
