import Encodings

/// Rows as the ledger stores them: without the cell `source`, which is another one where a claim stands elsewhere.
extension EncodedRows {
    /// The rows without their first cell.
    ///
    /// - Parameter sources: the sources of all claims of the block.
    /// - Returns: `nil` if a row does not begin with its source.
    func withoutSources(_ sources: [ExactText], _ encoder: RowEncoder) -> EncodedRows? {
        guard !ends.isEmpty else { return self }
        guard ends.count == sources.count else { return nil }
        var stripped = EncodedRows()
        stripped.bytes.reserveCapacity(bytes.count)
        var cell: [UInt8] = []
        var start = 0
        for index in ends.indices {
            cell.removeAll(keepingCapacity: true)
            encoder.encodeSource(sources[index], &cell)
            let row = bytes.span.extracting(start..<ends[index])
            guard row.count >= cell.count, row.extracting(first: cell.count).isSame(as: cell),
                cells[index] - start >= cell.count
            else { return nil }
            let shift = start + cell.count - stripped.bytes.count
            stripped.bytes.append(copying: row.extracting(cell.count...))
            stripped.cells.append(cells[index] - shift)
            stripped.ends.append(stripped.bytes.count)
            start = ends[index]
        }
        return stripped
    }

    /// The rows with a first cell.
    ///
    /// - Parameter sources: the sources of all claims of the block, as many as there are rows.
    func withSources(_ sources: [ExactText], _ encoder: RowEncoder) -> EncodedRows {
        var rows = EncodedRows()
        rows.bytes.reserveCapacity(bytes.count + ends.count * 64)
        rows.ends.reserveCapacity(ends.count)
        rows.cells.reserveCapacity(ends.count)
        var start = 0
        for (index, source) in zip(ends.indices, sources) {
            encoder.encodeSource(source, &rows.bytes)
            let shift = rows.bytes.count - start
            rows.bytes.append(copying: bytes.span.extracting(start..<ends[index]))
            rows.cells.append(cells[index] + shift)
            rows.ends.append(rows.bytes.count)
            start = ends[index]
        }
        return rows
    }
}
