package import Files

/// Writes one report file from the rows of a run's tables, which arrive by ``RunStage``.
package protocol ReportSink: AnyObject {
    /// The new file, which replaces the one at its path after all reports are written; `nil` for a temporary database.
    var file: OutputFile? { get }

    /// The shown tables with rows that are written when claims are checked.
    var encodedTables: [EncodedTable] { get }
    /// Whether it shows one table and nothing more.
    var isOneTable: Bool { get }

    /// Receives rows from the encoder of a table, in pieces that may end anywhere.
    func write(rows: Span<UInt8>, of table: ReportRequest.Table) throws(FileError)

    /// Receives a row of any other table, even if the report does not show it.
    func write<Table: ReportTable>(_ row: Table.Row, of table: Table.Type) throws(FileError)

    /// Completes the file and flushes it to disk.
    ///
    /// - Parameter report: the database of the run, if a report is made from it.
    func finish(_ summary: Summary, from report: StoredReport?) throws
}

extension ReportSink {
    var isOneTable: Bool { false }
}
