import Files

/// The table `summary` in a format that holds one table: a row for each number, with where it belongs.
final class SummarySink: ReportSink {
    private let output: TableOutput
    private let format: ReportFormat

    init(_ path: String, _ format: ReportFormat, _ setting: ReportSetting) throws(FileError) {
        self.format = format
        output = try TableOutput(path, format, setting)
        output.begin(SummaryTable.columns)
    }

    var path: String { output.path }
    var file: OutputFile { output.file }

    func write(_ summary: Summary) throws(FileError) {
        for section in summary.data {
            for row in section.rows {
                for (column, cell) in zip(section.columns, row).dropFirst(section.keys) {
                    guard !cell.isNone else { continue }
                    let bytes = format.row(SummaryTable.columns) { writer in
                        SummaryTable.write(section, row, column, cell, to: &writer)
                    }
                    try output.write(bytes.span)
                }
            }
        }
    }

    func finish() throws(FileError) { try output.finish() }
}
