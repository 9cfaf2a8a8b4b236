import Rules

/// Writes rows of the table `fraud` in one format.
struct FraudRows {
    private let format: ReportFormat
    private let withChange: Bool

    /// - Parameter withChange: whether there is an earlier report to compare with.
    init(_ format: ReportFormat, withChange: Bool) {
        self.format = format
        self.withChange = withChange
    }

    var columns: [String] { withChange ? FraudTable.columnsWithBaseline : FraudTable.columns }

    func encode(_ finding: ComparedFinding) -> [UInt8] {
        switch format {
        case .csv:
            var row = CSVRow()
            FraudTable.write(finding, withChange: withChange, to: &row)
            row.endRow()
            return row.bytes
        case .json, .ndjson:
            var row = JSONRow(columns)
            FraudTable.write(finding, withChange: withChange, to: &row)
            row.endRow()
            return row.bytes + Array(format.rowEnd.utf8)
        }
    }
}
