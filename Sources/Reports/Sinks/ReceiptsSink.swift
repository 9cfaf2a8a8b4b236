import Engine
import Files

/// The table `receipts` in a format that holds one table.
final class ReceiptsSink: ReportSink {
    private let output: TableOutput
    private let format: ReportFormat

    init(_ path: String, _ format: ReportFormat, _ setting: ReportSetting) throws(FileError) {
        self.format = format
        output = try TableOutput(path, format, setting)
        output.begin(ReceiptsTable.columns)
    }

    var path: String { output.path }
    var file: OutputFile { output.file }
    var wantsFigures: Bool { false }
    var receiptsEncoder: RowEncoder? { format.receiptsEncoder }

    func write(receipts rows: Span<UInt8>) throws(FileError) { try output.write(rows) }
    func finish() throws(FileError) { try output.finish() }
}
