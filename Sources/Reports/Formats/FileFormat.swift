package import Checks
package import Files

/// Writes report files in one format.
package protocol FileFormat: SendableMetatype {
    /// The extension of the files.
    static var name: String { get }
    /// The table of a report that names none; `nil` for all.
    static var defaultTable: ReportRequest.Table? { get }
    /// Writes the cells of a row.
    associatedtype Row: RowBuffer
    /// What follows each row that ``Row`` wrote.
    static var rowEnd: String { get }

    /// Creates the file of a report beside the one that it will replace.
    static func sink(for request: ReportRequest, _ setting: ReportSetting) throws(FileError) -> any ReportSink

    /// Writes cells of a row at the end of some bytes, and ends the row after its last cell.
    ///
    /// This is a requirement so that it is compiled for each format: it runs for every claim.
    ///
    /// - Parameters:
    ///   - column: the index of the column of the first of the cells.
    ///   - names: the names of all columns.
    static func append(
        _ cells: ArraySlice<CellValue>, from column: Int, of names: [String], to bytes: inout [UInt8])

    /// Writes the row of a claim in which nothing was found at the end of some bytes.
    ///
    /// This is a requirement so that it is compiled for each format: it runs for every claim.
    ///
    /// - Returns: how many bytes precede the cells of what the rules found.
    static func append(_ facts: Facts, _ names: [String], to bytes: inout [UInt8]) -> Int

    /// Whether there are reports of this table in the format.
    static func holds(_ table: ReportRequest.Table) -> Bool

    /// Whether a report that names no table has the table `entities`.
    static var hasEntities: Bool { get }
}

extension FileFormat {
    package static var hasEntities: Bool { false }
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
