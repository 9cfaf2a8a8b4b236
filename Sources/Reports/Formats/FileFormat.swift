package import Checks
package import Files

/// Writes report files in one format.
package protocol FileFormat: SendableMetatype {
    /// The extension of the files.
    static var name: String { get }
    /// The table of a report without a table name; `nil` for all tables.
    static var defaultTable: ReportRequest.Table? { get }
    /// Writes the cells of a row.
    associatedtype Row: RowBuffer
    /// The text after each row written by ``Row``.
    static var rowEnd: String { get }

    /// Creates the file of a report in the folder of the file that it will replace.
    static func sink(for request: ReportRequest, _ setting: ReportSetting) throws(FileError) -> any ReportSink

    /// Appends cells of a row to some bytes, and ends the row after its last cell.
    ///
    /// This is a requirement so that it is compiled for each format: it runs for every claim.
    ///
    /// - Parameters:
    ///   - column: the index of the first cell's column.
    ///   - names: the names of all columns.
    static func append(
        _ cells: ArraySlice<CellValue>, from column: Int, of names: [String], to bytes: inout [UInt8])

    /// Appends the row of a claim without findings to some bytes.
    ///
    /// This is a requirement so that it is compiled for each format: it runs for every claim.
    ///
    /// - Returns: the number of bytes before the cells for findings.
    static func append(_ facts: Facts, _ names: [String], to bytes: inout [UInt8]) -> Int

    /// Whether the format supports reports of this table.
    static func holds(_ table: ReportRequest.Table) -> Bool

    /// Whether a report without a table name has the table `entities`.
    static var hasEntities: Bool { get }

    /// Whether reports of this table are made from the database of the run.
    static func isView(of table: ReportRequest.Table?) -> Bool
}

extension FileFormat {
    package static var hasEntities: Bool { false }
    package static func isView(of table: ReportRequest.Table?) -> Bool { false }
    package static var defaultTable: ReportRequest.Table? { nil }
    package static var rowEnd: String { "" }
    package static func holds(_ table: ReportRequest.Table) -> Bool { !table.type.holdsObjects }

    package static func append(_ facts: Facts, _ names: [String], to bytes: inout [UInt8]) -> Int {
        let place = ReceiptsTable.append(facts, names, as: Row.self, to: &bytes)
        bytes.append(contentsOf: rowEnd.utf8)
        return place
    }

    package static func append(
        _ cells: ArraySlice<CellValue>, from column: Int, of names: [String], to bytes: inout [UInt8]
    ) {
        var row = Row(names, from: column, appendingTo: bytes.take())
        row.write(cells)
        let isWhole = column + cells.count == names.count
        if isWhole { row.endRow() }
        bytes = row.takeBytes()
        if isWhole { bytes.append(contentsOf: rowEnd.utf8) }
    }
}
