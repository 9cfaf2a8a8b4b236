public import Files
public import Pipeline
import Rules

/// One report that was asked for.
public struct ReportRequest: Sendable {
    public enum Table: String, CaseIterable, Sendable {
        case receipts
        case fraud
    }

    public var table: Table
    public var format: ReportFormat
    public var path: String

    public init(_ table: Table, _ format: ReportFormat, path: String) {
        self.table = table
        self.format = format
        self.path = path
    }
}

/// The report files of one run, which appear together at its end or not at all.
public final class ReportFiles {
    private let files: [(request: ReportRequest, output: TableOutput)]

    /// Creates the files beside those that they will replace, so that a bad path fails in the first second.
    public init(_ requests: [ReportRequest]) throws(FileError) {
        var files: [(ReportRequest, TableOutput)] = []
        for request in requests { files.append((request, try TableOutput(request.path, request.format))) }
        self.files = files
    }

    /// The paths of the files, without standard output.
    public var paths: [String] { files.map(\.output.path).filter { $0 != "-" } }

    private var receipts: [(request: ReportRequest, output: TableOutput)] {
        files.filter { $0.request.table == .receipts }
    }
    private var fraud: [(request: ReportRequest, output: TableOutput)] { files.filter { $0.request.table == .fraud } }

    /// What the run must write rows with, for ``write(_:baseline:)``.
    public var encoders: [RowEncoder] { receipts.map(\.request.format.receiptsEncoder) }

    /// Writes all reports.
    public func write(_ result: AuditResult, baseline: Baseline?) throws {
        try writeReceipts(result)
        try writeFraud(result, baseline)
    }

    private func writeReceipts(_ result: AuditResult) throws {
        let outputs = receipts.map(\.output)
        guard !outputs.isEmpty else { return }
        for output in outputs { output.begin(ReceiptsTable.columns) }
        try result.writeReceipts { format, rows in try outputs[format].write(rows) }
        for output in outputs { try output.finish() }
    }

    private func writeFraud(_ result: AuditResult, _ baseline: Baseline?) throws {
        let outputs = fraud.map { (rows: FraudRows($0.request.format, withChange: baseline != nil), output: $0.output) }
        guard !outputs.isEmpty else { return }
        for (rows, output) in outputs { output.begin(rows.columns) }
        let write = { (finding: ComparedFinding) throws(FileError) in
            for (rows, output) in outputs {
                let row = rows.encode(finding)
                try output.write(row.span)
            }
        }
        var comparison = Comparison(baseline)
        try result.forEachFinding { try write(comparison.compare($0)) }
        for finding in comparison.resolved { try write(finding) }
        for (_, output) in outputs { try output.finish() }
    }

    /// Puts all of them in place, after all have been written and flushed.
    public func publish() throws(FileError) {
        for (_, output) in files { try output.publish() }
    }
}
