import Encodings

/// Rows as the ledger stores them: without the cell `source`, which changes when a claim moves.
extension EncodedRows {
    /// The number of bytes that most sources need besides their text: a separator and quotation marks.
    private static let quotes = 3

    /// Returns the rows without their first cell.
    ///
    /// - Parameter sources: the sources of all claims of the block.
    /// - Returns: `nil` if a row does not begin with its source.
    func withoutSources(_ sources: [ExactText], _ encoder: RowEncoder) -> EncodedRows? {
        guard !ends.isEmpty else { return self }
        var stripped = EncodedRows()
        stripped.isPlain = isPlain
        stripped.bytes.reserveCapacity(bytes.count)
        var cell: [UInt8] = []
        var start = 0
        for index in ends.indices {
            cell.removeAll(keepingCapacity: true)
            guard sources.indices.contains(claim(ofRow: index)) else { return nil }
            encoder.encodeSource(sources[claim(ofRow: index)], &cell)
            let row = bytes.span.extracting(start..<ends[index])
            guard row.count >= cell.count, row.extracting(first: cell.count).isSame(as: cell),
                isPlain || cells[index] - start >= cell.count
            else { return nil }
            let shift = start + cell.count - stripped.bytes.count
            stripped.bytes.append(copying: row.extracting(cell.count...))
            stripped.cells.append(isPlain ? cells[index] : cells[index] - shift)
            stripped.ends.append(stripped.bytes.count)
            start = ends[index]
        }
        return stripped
    }

    /// Returns the rows with a first cell.
    ///
    /// - Parameter sources: the sources of all claims of the block.
    func withSources(_ sources: [ExactText], _ encoder: RowEncoder) -> EncodedRows {
        var rows = EncodedRows()
        // Rows are held until the end, so an oversized reservation takes memory from others.
        var size = bytes.count
        for index in ends.indices where sources.indices.contains(claim(ofRow: index)) {
            size += sources[claim(ofRow: index)].text.utf8.count + Self.quotes
        }
        rows.bytes.reserveCapacity(size)
        rows.ends.reserveCapacity(ends.count)
        rows.cells.reserveCapacity(ends.count)
        var start = 0
        rows.isPlain = isPlain
        for index in ends.indices where sources.indices.contains(claim(ofRow: index)) {
            encoder.encodeSource(sources[claim(ofRow: index)], &rows.bytes)
            let shift = rows.bytes.count - start
            rows.bytes.append(copying: bytes.span.extracting(start..<ends[index]))
            rows.cells.append(isPlain ? cells[index] : cells[index] + shift)
            rows.ends.append(rows.bytes.count)
            start = ends[index]
        }
        return rows
    }
}
