import Files

/// Rows of ``TypedRow`` that wait in files until their order is known: in groups, the greatest first.
///
/// The keys of the first rows stay in memory, so that other sheets can find their places.
final class WaitingRows<Key: Hashable> {
    private struct Group {
        let rows: PageRows
        var keys: [Key] = []
        var count = 0
    }

    private let folder: String
    private let maxRows: Int
    private var groups: [Int: Group] = [:]

    /// The maximum number of rows per group with kept keys.
    static var maxKeys: Int { WorkbookSheet.maxLinks }

    /// - Parameter maxRows: the maximum number of kept rows per group; the others are counted.
    init(in folder: String, maxRows: Int = .max) { (self.folder, self.maxRows) = (folder, maxRows) }

    /// - Parameter row: the row as encoded by ``TypedRow``; `nil` if it is written before the waiting ones.
    func append(_ key: Key, group: Int = 0, _ row: @autoclosure () -> [UInt8]?) throws(FileError) {
        var found = groups[group] ?? Group(rows: PageRows(in: folder))
        groups[group] = nil
        defer { groups[group] = found }
        found.count += 1
        guard found.count <= maxRows else { return }
        if found.keys.count < Self.maxKeys { found.keys.append(key) }
        guard let bytes = row() else { return }
        try found.rows.append(bytes.span)
    }

    /// The number of rows, including those that were not kept.
    var count: Int { groups.values.reduce(0) { $0 + $1.count } }

    /// Returns the first row of each key, for at most as many keys as a sheet has links.
    ///
    /// - Parameter key: returns the lookup name for a row's key.
    func firstRows<Name: Hashable>(by key: (Key) -> Name) -> [Name: Int] {
        var places: [Name: Int] = [:]
        var row = 0
        for group in inOrder {
            for (index, found) in group.keys.enumerated() where places.count < Self.maxKeys {
                let name = key(found)
                if places[name] == nil { places[name] = row + index }
            }
            row += min(group.count, maxRows)
        }
        return places
    }

    /// The kept keys in the order of the rows.
    var keys: [Key] { inOrder.flatMap(\.keys) }

    /// Writes the rows once, and counts those that were not kept.
    func write(to sheets: TableSheets) throws(FileError) {
        for group in inOrder {
            var pieces = TypedRows()
            try group.rows.forEachPiece { piece throws(FileError) in
                let whole = pieces.whole(with: piece)
                try sheets.write(whole.span)
            }
        }
        sheets.omit(groups.values.reduce(0) { $0 + max(0, $1.count - maxRows) })
    }

    private var inOrder: [Group] { groups.sorted { $0.key > $1.key }.map(\.value) }
}
