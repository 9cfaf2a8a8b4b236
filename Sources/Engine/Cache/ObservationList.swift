import Sorting

/// Sorted records as one piece of bytes.
enum ObservationList {
    /// - Returns: `nil` if they are too many.
    static func bytes(_ runs: [SortedRun], atMost most: Int) throws -> [UInt8]? {
        var list = RecordWriter()
        var merge = try RunMerge(runs)
        while !merge.isAtEnd {
            list.sortable(merge.prefix)
            merge.withRecord { record in
                list.number(UInt64(record.count))
                list.copy(record)
            }
            guard list.bytes.count <= most else { return nil }
            try merge.advance()
        }
        return list.bytes
    }

    static func runs(_ list: [UInt8], _ storage: Storage) throws -> [SortedRun] {
        let sorter = RecordSorter(budget: storage.memory / 4, folder: storage.folder)
        var fields = RecordReader(list.span)
        while fields.position < list.count {
            let prefix = fields.sortable()
            let record = fields.octets()
            try sorter.add(prefix, record.span)
        }
        return try sorter.finish()
    }
}
