import Engine
import Files
import Subscriptions

/// A format for people: a page with all tables. Each row of it ends with its only LF.
protocol DocumentFormat: FileFormat {
    /// Returns what precedes and what follows the rows of the table `receipts`, if the document has any.
    static func parts(of document: ReportDocument) -> (before: String, after: String)
}

extension DocumentFormat {
    /// All but those that are for programs.
    static func holds(_ table: ReportRequest.Table) -> Bool {
        ![.purchases, .links, .evidence, .answers].contains(table)
    }

    static func sink(for request: ReportRequest, _ setting: ReportSetting) throws(FileError) -> any ReportSink {
        try DocumentSink<Self>(request, setting)
    }
}

/// Writes a page for people when the summary comes. Rows of the table `receipts` wait in a file if all are wanted.
final class DocumentSink<Format: DocumentFormat>: ReportSink {
    let file: OutputFile
    private let table: ReportRequest.Table?
    private let withChange: Bool
    private var findings = FindingGroups()
    private var entities = TopEntities()
    private let receipts: PageRows?

    init(_ request: ReportRequest, _ setting: ReportSetting) throws(FileError) {
        table = request.table
        withChange = setting.withChange
        receipts =
            switch table {
            case nil: PageRows(max: ReportDocument.maxReceipts)
            case .receipts: try PageRows(in: setting.temporaryFolder)
            default: nil
            }
        file = try OutputFile(replacing: request.path)
    }

    var rowEncoder: RowEncoder? { receipts.map { Format.receiptsEncoder(maxRows: $0.maxCount) } }

    func write(rows: Span<UInt8>) throws(FileError) { try receipts?.append(rows) }
    func write(_ finding: ComparedFinding) throws(FileError) { findings.add(finding) }

    func write(_ link: LinkRow) throws(FileError) {}
    func write(_ entity: EntityRow) throws(FileError) { entities.add(entity) }
    func write(_ evidence: EvidenceRow) throws(FileError) {}
    func write(_ subscription: SubscriptionRow) throws(FileError) {}
    func write(_ figures: SubscriptionFigures) throws(FileError) {}

    func write(_ summary: Summary) throws(FileError) {
        var document = ReportDocument(table: table, summary: summary, findings: findings, withChange: withChange)
        document.shownReceipts = receipts?.count ?? 0
        document.entities = entities
        let (before, after) = Format.parts(of: document)
        try file.write(Array(before.utf8).span)
        try receipts?.write(to: file)
        try file.write(Array(after.utf8).span)
    }

    func finish() throws(FileError) { try file.finish() }
}

/// Holds rows of the table `receipts` until their page is written: a few in memory, or all in a file.
final class PageRows {
    /// The largest number of rows; `nil` for all.
    let maxCount: Int?
    private(set) var count = 0
    private var bytes: [UInt8] = []
    private let temporary: TemporaryFile?
    private var size = 0
    private static let pieceSize = 256 << 10

    /// Holds the first rows in memory.
    init(max: Int) {
        maxCount = max
        temporary = nil
    }

    /// Holds all rows in a file without a name.
    init(in folder: String) throws(FileError) {
        maxCount = nil
        temporary = try TemporaryFile(in: folder)
    }

    /// Appends whole rows, each of which ends with its only LF.
    func append(_ rows: Span<UInt8>) throws(FileError) {
        var end = 0
        while end < rows.count, maxCount.map({ count < $0 }) ?? true {
            while end < rows.count, rows[end] != 0x0a { end += 1 }
            end = min(end + 1, rows.count)
            count += 1
        }
        bytes.append(copying: rows.extracting(first: end))
        if temporary != nil, bytes.count >= Self.pieceSize { try spill() }
    }

    /// Writes the rows, once.
    func write(to output: OutputFile) throws(FileError) {
        if let temporary {
            try spill()
            for start in stride(from: 0, to: size, by: Self.pieceSize) {
                let end = min(start + Self.pieceSize, size)
                var piece = [UInt8](repeating: 0, count: end - start)
                try temporary.read(start..<end, into: &piece)
                try output.write(piece.span)
                temporary.release(start..<end)
            }
        } else {
            let rows = bytes
            try output.write(rows.span)
        }
    }

    private func spill() throws(FileError) {
        let piece = bytes.take()
        try temporary?.write(piece.span, at: size)
        size += piece.count
    }
}
