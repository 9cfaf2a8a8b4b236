import Checks
import Engine
import Files
import Rules
import Subscriptions

/// A format for people: a page with all tables. Each row of it ends with its only LF.
protocol DocumentFormat: FileFormat {
    /// Returns what precedes and what follows the rows of the table `receipts`, if the document has any.
    static func parts(of document: ReportDocument) -> (before: String, after: String)

    /// Whether a page that has everything names the findings of its entities.
    static var hasCards: Bool { get }
}

extension DocumentFormat {
    static var hasEntities: Bool { true }
    static var hasCards: Bool { false }

    /// Returns all but those that are for programs.
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
    private var findings = FindingQueue()
    private var entities = TopEntities()
    /// Rows of the table `receipts`, if they are all wanted.
    private let receipts: PageRows?
    private var claims: PageClaims?

    init(_ request: ReportRequest, _ setting: ReportSetting) throws(FileError) {
        table = request.table
        withChange = setting.withChange
        receipts = table == .receipts ? PageRows(in: setting.temporaryFolder) : nil
        claims = table == nil ? PageClaims(asOf: setting.asOf) : nil
        file = try OutputFile(replacing: request.path)
    }

    var rowEncoder: RowEncoder? {
        if receipts != nil { return Format.receiptsEncoder(maxRows: nil) }
        return claims == nil ? nil : PageClaim.encoder
    }

    func write(rows: Span<UInt8>) throws(FileError) {
        try receipts?.append(rows)
        claims?.add(rows)
    }

    func write(_ finding: ComparedFinding) throws(FileError) { findings.add(finding) }

    func write(_ link: LinkRow) throws(FileError) {}
    func write(_ entity: EntityRow) throws(FileError) { entities.add(entity) }

    var namedFindings: Set<FindingID> { Format.hasCards ? entities.named : [] }
    func write(named finding: FindingRow) throws(FileError) { entities.add(named: finding) }

    func write(_ evidence: EvidenceRow) throws(FileError) {}
    func write(_ subscription: SubscriptionRow) throws(FileError) {}
    func write(_ figures: SubscriptionFigures) throws(FileError) {}

    func write(_ summary: Summary) throws(FileError) {
        var document = ReportDocument(table: table, summary: summary, findings: findings, withChange: withChange)
        document.shownReceipts = receipts?.count ?? 0
        document.entities = entities
        document.pageClaims = claims
        let (before, after) = Format.parts(of: document)
        try file.write(Array(before.utf8).span)
        try receipts?.write(to: file)
        try file.write(Array(after.utf8).span)
    }

    func finish() throws(FileError) { try file.finish() }
}

/// Holds rows until the page or the sheet is written on which they stand: the first ones in memory, many in a file.
final class PageRows {
    private(set) var count = 0
    private var bytes: [UInt8] = []
    private let folder: String
    /// `nil` while all rows are in memory.
    private var temporary: TemporaryFile?
    private var size = 0
    private static let pieceSize = 256 << 10

    init(in folder: String) { self.folder = folder }

    /// Appends whole rows; those of a page end with their only LF.
    func append(_ rows: Span<UInt8>) throws(FileError) {
        for index in rows.indices where rows[index] == 0x0a { count += 1 }
        bytes.append(copying: rows)
        if bytes.count >= Self.pieceSize { try spill() }
    }

    /// Writes the rows, once.
    func write(to output: OutputFile) throws(FileError) {
        try forEachPiece { piece throws(FileError) in try output.write(piece) }
    }

    /// Calls a body with the rows, once, in pieces that end anywhere.
    func forEachPiece(_ body: (Span<UInt8>) throws(FileError) -> Void) throws(FileError) {
        if let temporary {
            for start in stride(from: 0, to: size, by: Self.pieceSize) {
                let end = min(start + Self.pieceSize, size)
                var piece = [UInt8](repeating: 0, count: end - start)
                try temporary.read(start..<end, into: &piece)
                try body(piece.span)
                temporary.release(start..<end)
            }
        }
        let rest = bytes.take()
        try body(rest.span)
    }

    private func spill() throws(FileError) {
        let file: TemporaryFile
        if let temporary { file = temporary } else { file = try TemporaryFile(in: folder) }
        temporary = file
        let piece = bytes.take()
        try file.write(piece.span, at: size)
        size += piece.count
    }
}
