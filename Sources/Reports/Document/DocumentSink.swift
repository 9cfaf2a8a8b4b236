import Engine
import Files

/// Writes a document in one format.
protocol DocumentWriter: SendableMetatype {
    associatedtype Row: PageRow
    static var format: ReportFormat { get }
    /// What stands before and behind the rows of the table `receipts`, if the document has any.
    static func parts(of document: ReportDocument) -> (before: String, behind: String)
}

typealias MarkdownSink = DocumentSink<MarkdownWriter>
typealias HTMLSink = DocumentSink<HTMLWriter>

/// A report that people read, put together and written when the summary comes: it is small, and rows of the table
/// `receipts` wait in a file if all of them are wanted.
final class DocumentSink<Writer: DocumentWriter>: ReportSink {
    let file: OutputFile
    private let table: ReportRequest.Table?
    private let withChange: Bool
    private var findings = FindingGroups()
    private let receipts: PageRows?

    /// - Parameters:
    ///   - table: the part that is wanted; `nil` for everything.
    ///   - withChange: whether there is an earlier report to compare with.
    ///   - setting: where rows wait.
    init(
        _ path: String, _ table: ReportRequest.Table?, withChange: Bool, _ setting: ReportSetting
    ) throws(FileError) {
        self.table = table
        receipts =
            switch table {
            case nil: PageRows(most: ReportDocument.maxReceipts)
            case .receipts: try PageRows(in: setting.temporaryFolder)
            default: nil
            }
        self.withChange = withChange
        file = try OutputFile(replacing: path)
    }

    var path: String { file.path }
    var wantsFigures: Bool { table != .fraud && table != .receipts }
    var receiptsEncoder: RowEncoder? { receipts.map { Writer.receiptsEncoder(maxRows: $0.most) } }

    func write(receipts rows: Span<UInt8>) throws(FileError) { try receipts?.append(rows) }
    func write(_ finding: ComparedFinding) throws(FileError) { findings.take(finding) }

    func write(_ summary: Summary) throws(FileError) {
        var document = ReportDocument(table: table, summary: summary, findings: findings, withChange: withChange)
        document.shownReceipts = receipts?.count ?? 0
        let (before, behind) = Writer.parts(of: document)
        try file.write(Array(before.utf8).span)
        try receipts?.write(to: file)
        try file.write(Array(behind.utf8).span)
    }

    func finish() throws(FileError) { try file.finish() }
}
