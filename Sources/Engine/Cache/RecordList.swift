import Encodings
import Sorting

/// Sorted records as one piece of bytes.
enum RecordList {
    /// - Returns: `nil` if they are too many.
    static func bytes(_ runs: [SortedRun], atMost most: Int) throws -> [UInt8]? {
        var list = RecordWriter()
        var merge = try RunMerge(runs)
        while !merge.isAtEnd {
            write(merge, to: &list)
            guard list.bytes.count <= most else { return nil }
            try merge.advance()
        }
        return list.bytes
    }

    static func runs(_ list: [UInt8], _ storage: Storage) throws -> [SortedRun] {
        let sorter = RecordSorter(budget: storage.memory / 4, folder: storage.folder)
        var fields = RecordReader(list.span)
        try read(&fields, into: sorter)
        return try sorter.finish()
    }

    /// Writes the next record at the end of a list.
    static func write(_ merge: borrowing RunMerge, to list: inout RecordWriter) {
        list.bytes.append(bigEndian: merge.prefix)
        merge.withRecord { list.octets($0) }
    }

    /// Adds the records of a list, of which the rest is left, to a sorter.
    static func read(_ fields: inout RecordReader, into sorter: RecordSorter) throws {
        var prefix: UInt64 = 0
        while !fields.isAtEnd {
            try fields.sortable(&prefix)
            try sorter.add(prefix, fields.octets())
        }
    }
}
