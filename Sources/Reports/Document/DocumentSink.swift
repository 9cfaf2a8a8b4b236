import Encodings
import Files

/// A format for people: a page made from the database of a run.
protocol DocumentFormat: FileFormat {
    /// Writes a page.
    static func write(_ document: ReportDocument, to page: PageWriter) throws
}

extension DocumentFormat {
    static var hasEntities: Bool { true }
    static func isView(of table: ReportRequest.Table?) -> Bool { true }

    static func holds(_ table: ReportRequest.Table) -> Bool { table.type.isOnPages }

    static func sink(for request: ReportRequest, _ setting: ReportSetting) throws(FileError) -> any ReportSink {
        try DocumentSink(request, self)
    }
}

/// Writes a report for people from the database of a run alone, once that is complete.
protocol ViewSink: ReportSink {
    func write(_ report: StoredReport) throws
}

extension ViewSink {
    var encodedTables: [EncodedTable] { [] }
    func write(rows: Span<UInt8>, of table: ReportRequest.Table) {}
    func write<Table: ReportTable>(_ row: Table.Row, of table: Table.Type) {}
    func finish(_ summary: Summary, from report: StoredReport?) throws { if let report { try write(report) } }
}

/// Writes a page for people.
final class DocumentSink: ViewSink {
    let file: OutputFile?
    private let page: PageWriter
    private let table: ReportRequest.Table?
    private let format: any DocumentFormat.Type

    init(_ request: ReportRequest, _ format: any DocumentFormat.Type) throws(FileError) {
        table = request.table
        self.format = format
        let file = try OutputFile(replacing: request.path)
        self.file = file
        page = PageWriter(file)
    }

    func write(_ report: StoredReport) throws {
        try format.write(ReportDocument(report, table: table), to: page)
        try page.finish()
    }
}

/// The text of a page, which goes to its file in pieces.
final class PageWriter {
    private let file: OutputFile?
    private var pending: [UInt8] = []
    private static let pieceSize = 256 << 10

    /// - Parameter file: the file; `nil` to keep the text.
    init(_ file: OutputFile?) { self.file = file }

    /// The text that is not in a file yet.
    var text: String { String(decoding: pending, as: UTF8.self) }

    func write(_ text: String) throws(FileError) {
        pending.append(contentsOf: text.utf8)
        try flush(below: Self.pieceSize)
    }

    /// Writes all rows of the table `receipts`.
    func writeReceipts<Format: DocumentFormat>(of report: StoredReport, as format: Format.Type) throws {
        let names = ReceiptsTable.columnNames
        try report.forEachReceipt { cells in
            Format.append(cells[...], from: 0, of: names, to: &pending)
            try flush(below: Self.pieceSize)
        }
    }

    func finish() throws(FileError) {
        try flush(below: 1)
        try file?.finish()
    }

    private func flush(below size: Int) throws(FileError) {
        guard let file, pending.count >= size else { return }
        let piece = pending.take()
        try file.write(piece.span)
    }
}

extension StoredReport {
    /// Makes pages and workbooks from the database, all or none.
    public func write(_ views: [ReportRequest], temporaryFolder folder: String) throws {
        let run = try StoredSections.read(reader).summary
        let setting = ReportSetting(asOf: run.asOf ?? Instant(seconds: 0), temporaryFolder: folder)
        var files: [OutputFile] = []
        for view in views {
            guard let sink = try view.format.type.sink(for: view, setting) as? any ViewSink else { continue }
            try sink.write(self)
            files += [sink.file].compactMap(\.self)
        }
        try Publication.publish(files)
    }
}
