import Files

/// The table `fraud` in a format that holds one table.
final class FraudSink: ReportSink {
    private let output: TableOutput
    private let format: ReportFormat
    private let withChange: Bool

    /// - Parameter withChange: whether there is an earlier report to compare with.
    init(_ path: String, _ format: ReportFormat, withChange: Bool, _ setting: ReportSetting) throws(FileError) {
        self.format = format
        self.withChange = withChange
        output = try TableOutput(path, format, setting)
        output.begin(columns)
    }

    var path: String { output.path }
    var file: OutputFile { output.file }
    var wantsFigures: Bool { false }

    private var columns: [String] { withChange ? FraudTable.columnsWithBaseline : FraudTable.columns }

    func write(_ finding: ComparedFinding) throws(FileError) {
        let row = format.row(columns) { row in FraudTable.write(finding, withChange: withChange, to: &row) }
        try output.write(row.span)
    }

    func finish() throws(FileError) { try output.finish() }
}
