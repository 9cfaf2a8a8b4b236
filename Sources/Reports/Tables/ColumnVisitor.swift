/// Visits the columns of a table with a row per claim, which is too performance-critical for a list of columns.
///
/// After compilation, visiting a column is the same as writing its cell.
protocol ColumnVisitor {
    associatedtype Row
    /// A row, or nothing if only the columns are wanted.
    associatedtype Source

    /// Visits the next column.
    mutating func visit(_ column: TableColumn<Row>, of source: Source)
    /// Marks the place of the cells that are filled in later.
    mutating func mark()
}

/// Collects the columns.
struct ColumnCollector<Row>: ColumnVisitor {
    private(set) var columns: [TableColumn<Row>] = []
    private(set) var marked = 0

    mutating func visit(_ column: TableColumn<Row>, of source: Void) { columns.append(column) }
    mutating func mark() { marked = columns.count }
}

/// Writes the cells of a row.
struct CellVisitor<Row, Cells: RowBuffer>: ColumnVisitor {
    var cells: Cells
    /// The number of bytes before the marked cells.
    private(set) var marked = 0

    init(_ cells: consuming Cells) { self.cells = cells }

    @inline(__always)
    mutating func visit(_ column: TableColumn<Row>, of row: Row) { cells.write(column.value(row)) }
    mutating func mark() { marked = cells.bytes.count }
}
