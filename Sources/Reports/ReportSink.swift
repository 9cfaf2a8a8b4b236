package import Checks
package import Files
package import Rules

/// Writes one report file from the rows of a run's tables, which arrive by ``RunStage``.
package protocol ReportSink: AnyObject {
    /// The new file. It replaces the one at its path after all reports are written.
    var file: OutputFile { get }

    /// The shown tables with rows that are written when claims are checked.
    var encodedTables: [EncodedTable] { get }
    /// Whether it shows one table and nothing more.
    var isOneTable: Bool { get }

    /// Receives rows from the encoder of a table, in pieces that may end anywhere.
    func write(rows: Span<UInt8>, of table: ReportRequest.Table) throws(FileError)

    /// Receives a row of any other table, even if the report does not show it.
    func write<Table: ReportTable>(_ row: Table.Row, of table: Table.Type) throws(FileError)

    /// The findings to repeat after all entities are known.
    var namedFindings: Set<FindingID> { get }
    /// Receives these findings, in the order of the table `fraud`.
    func write(named finding: FindingRow) throws(FileError)

    /// Completes the file and flushes it to disk.
    func finish(_ summary: Summary) throws(FileError)
}

extension ReportSink {
    var isOneTable: Bool { false }
    var namedFindings: Set<FindingID> { [] }
    func write(named finding: FindingRow) throws(FileError) {}
}
