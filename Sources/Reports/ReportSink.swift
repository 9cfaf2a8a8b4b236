package import Checks
package import Files
package import Rules

/// Writes one report file from the rows of a run's tables, which come by ``RunStage``.
package protocol ReportSink: AnyObject {
    /// The file that replaces the one at its path when all reports are written.
    var file: OutputFile { get }

    /// The tables that it shows of those whose rows are written when claims are checked.
    var encodedTables: [EncodedTable] { get }
    /// Whether it shows one table and nothing else.
    var isOneTable: Bool { get }

    /// Receives rows that the encoder of a table wrote, in pieces that end anywhere.
    func write(rows: Span<UInt8>, of table: ReportRequest.Table) throws(FileError)

    /// Receives a row of any other table, whether or not the report shows it.
    func write<Table: ReportTable>(_ row: Table.Row, of table: Table.Type) throws(FileError)

    /// The findings to repeat once all entities are known.
    var namedFindings: Set<FindingID> { get }
    /// Receives these, in the order of the table `fraud`.
    func write(named finding: FindingRow) throws(FileError)

    /// Completes the file and flushes it to disk.
    func finish(_ summary: Summary) throws(FileError)
}

extension ReportSink {
    var isOneTable: Bool { false }
    var namedFindings: Set<FindingID> { [] }
    func write(named finding: FindingRow) throws(FileError) {}
}
