import Files
import Sorting

/// Sorts the entries of a slice that is too large for memory.
struct KeySorter {
    private let width: Int
    private let sorter: RecordSorter
    private let budget: Int
    private var record = RecordWriter()

    init(width: Int, _ storage: Storage) {
        self.width = width
        budget = storage.memory / 2
        sorter = RecordSorter(budget: budget, folder: storage.folder)
    }

    /// Takes entries, and leaves nothing of them.
    mutating func take(_ words: inout [UInt64]) throws(FileError) {
        for index in stride(from: 0, to: words.count, by: width) {
            record.removeAll()
            if width == 3 { record.sortable(words[index + 2]) }
            record.sortable(words[index + 1])
            let bytes = record.bytes
            try sorter.add(words[index], bytes.span)
        }
        words.removeAll(keepingCapacity: true)
    }

    func finish() throws(FileError) -> MergedKeys {
        MergedKeys(merge: try RunMerge(sorter.finish(), budget: budget), width: width)
    }
}

/// Entries that were sorted in files.
struct MergedKeys: SortedKeys {
    fileprivate var merge: RunMerge
    fileprivate let width: Int

    var isAtEnd: Bool { merge.isAtEnd }
    var hash: UInt64 { merge.prefix }
    var isAlone: Bool { false }

    var key: KeyRecord {
        merge.withRecord { record in
            var fields = RecordReader(record)
            let identity = width == 3 ? fields.sortable() : 0
            return KeyRecord(word: fields.sortable(), identity: identity)
        }
    }

    mutating func advance() throws(FileError) { try merge.advance() }
}
