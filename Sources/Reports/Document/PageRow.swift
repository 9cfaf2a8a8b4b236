/// Writes the cells of rows as markup, which strangers' texts are never taken for; the LF at a row's end is its only one.
protocol PageRow: RowBuffer {
    /// Appends to these bytes.
    ///
    /// - Parameter column: the column that will be written next; 0 for a new row.
    init(from column: Int, appendingTo bytes: consuming [UInt8])
}
