import Encodings
import Sorting

/// Sorted records as one piece of bytes.
enum ObservationList {
    /// - Returns: `nil` if they are too many.
    static func bytes(_ runs: [SortedRun], atMost most: Int) throws -> [UInt8]? {
        var list = RecordWriter()
        var merge = try RunMerge(runs)
        while !merge.isAtEnd {
            list.bytes.append(bigEndian: merge.prefix)
            merge.withRecord { list.octets($0) }
            guard list.bytes.count <= most else { return nil }
            try merge.advance()
        }
        return list.bytes
    }

    static func runs(_ list: [UInt8], _ storage: Storage) throws -> [SortedRun] {
        let sorter = RecordSorter(budget: storage.memory / 4, folder: storage.folder)
        var fields = RecordReader(list.span)
        var (prefix, record): (UInt64, [UInt8]) = (0, [])
        while !fields.isAtEnd {
            try fields.sortable(&prefix)
            try fields.octets(&record)
            try sorter.add(prefix, record.span)
        }
        return try sorter.finish()
    }
}
