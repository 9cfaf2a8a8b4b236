import Engine
import Files
import Subscriptions

/// A format for files with one table and nothing more.
protocol TableFormat: FileFormat {
    /// Returns the text before the first row.
    static func begin(_ columns: [String], withByteOrderMark: Bool) -> [UInt8]
    /// Completes the last bytes of a file, which include at least one row end if there is a row.
    static func finish(_ bytes: inout [UInt8])
}

extension TableFormat {
    static var defaultTable: ReportRequest.Table? { .receipts }

    static func begin(_ columns: [String], withByteOrderMark: Bool) -> [UInt8] { [] }
    static func finish(_ bytes: inout [UInt8]) {}

    static func sink(for request: ReportRequest, _ setting: ReportSetting) throws(FileError) -> any ReportSink {
        try TableSink<Self>(request, setting)
    }
}

/// Writes one table to a file, row by row; ignores rows of other tables.
final class TableSink<Format: TableFormat>: ReportSink {
    let file: OutputFile?
    private let output: OutputFile
    private let table: ReportRequest.Table
    private let names: [String]
    let encodedTables: [EncodedTable]
    let isOneTable = true
    private var pending: [UInt8]

    /// The number of bytes per write.
    private static var pieceSize: Int { 256 << 10 }
    /// The number of bytes held back for ``TableFormat/finish(_:)``.
    private static var endSize: Int { 8 }

    init(_ request: ReportRequest, _ setting: ReportSetting) throws(FileError) {
        table = request.table ?? .receipts
        names = table.schema.columnNames
        encodedTables = [EncodedTable(table, in: Format.self, setting.policy)].compactMap(\.self)
        output = try OutputFile(replacing: request.path)
        file = output
        pending = Format.begin(names, withByteOrderMark: setting.withByteOrderMark)
    }

    func write(rows: Span<UInt8>, of table: ReportRequest.Table) throws(FileError) {
        pending.append(copying: rows)
        try flushIfLarge()
    }

    func write<Table: ReportTable>(_ row: Table.Row, of table: Table.Type) throws(FileError) {
        guard self.table.type == table else { return }
        Format.append(table.cells(of: row)[...], from: 0, of: names, to: &pending)
        try flushIfLarge()
    }

    func finish(_ summary: Summary, from report: StoredReport?) throws {
        Format.finish(&pending)
        try flush(keeping: 0)
        try output.finish()
    }

    private func flushIfLarge() throws(FileError) {
        if pending.count >= Self.pieceSize { try flush(keeping: Self.endSize) }
    }

    private func flush(keeping count: Int) throws(FileError) {
        // Moved out of the class during the write, so that the next piece reuses its memory.
        var piece = pending.take()
        try output.write(piece.span.extracting(droppingLast: min(count, piece.count)))
        piece.removeFirst(max(0, piece.count - count))
        swap(&piece, &pending)
    }
}
