import Files

/// Writes a document in one format.
protocol DocumentWriter {
    static func text(of document: ReportDocument) -> String
}

typealias MarkdownSink = DocumentSink<MarkdownWriter>
typealias HTMLSink = DocumentSink<HTMLWriter>

/// A report that people read: it is small, so it is put together in memory and written when the summary comes.
final class DocumentSink<Writer: DocumentWriter>: ReportSink {
    let file: OutputFile
    private let table: ReportRequest.Table?
    private let withChange: Bool
    private var findings = FindingGroups()

    /// - Parameters:
    ///   - table: the part that is wanted; `nil` for everything.
    ///   - withChange: whether there is an earlier report to compare with.
    init(_ path: String, _ table: ReportRequest.Table?, withChange: Bool) throws(FileError) {
        self.table = table
        self.withChange = withChange
        file = try OutputFile(replacing: path)
    }

    var path: String { file.path }
    var wantsFigures: Bool { table != .fraud }

    func write(_ finding: ComparedFinding) throws(FileError) { findings.take(finding) }

    func write(_ summary: Summary) throws(FileError) {
        let document = ReportDocument(table: table, summary: summary, findings: findings, withChange: withChange)
        let bytes = Array(Writer.text(of: document).utf8)
        try file.write(bytes.span)
    }

    func finish() throws(FileError) { try file.finish() }
}
