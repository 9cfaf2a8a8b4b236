import Engine
import Files
import Subscriptions

/// A format whose files hold one table and nothing else.
protocol TableFormat: FileFormat {
    /// Returns what precedes the first row.
    static func begin(_ columns: [String], withByteOrderMark: Bool) -> [UInt8]
    /// Completes the last bytes of a file, at least one row's end if there is a row.
    static func finish(_ bytes: inout [UInt8])
}

extension TableFormat {
    static var defaultTable: ReportRequest.Table? { .receipts }

    static func begin(_ columns: [String], withByteOrderMark: Bool) -> [UInt8] { [] }
    static func finish(_ bytes: inout [UInt8]) {}

    static func sink(for request: ReportRequest, _ setting: ReportSetting) throws(FileError) -> any ReportSink {
        try TableSink<Self>(request, setting)
    }
}

/// Writes one table to a file, row by row; what belongs to other tables is ignored.
final class TableSink<Format: TableFormat>: ReportSink {
    let file: OutputFile
    private let table: ReportRequest.Table
    private let columns: [String]
    let rowEncoder: RowEncoder?
    let isOneTable = true
    private var pending: [UInt8]

    /// How many bytes are written at once.
    private static var pieceSize: Int { 256 << 10 }
    /// How many bytes wait for ``TableFormat/finish(_:)``.
    private static var endSize: Int { 8 }

    init(_ request: ReportRequest, _ setting: ReportSetting) throws(FileError) {
        table = request.table ?? .receipts
        columns = table.schema.columnNames
        rowEncoder =
            switch table {
            case .receipts: Format.receiptsEncoder(maxRows: nil)
            case .purchases: Format.purchasesEncoder(setting.policy, maxClaims: nil)
            case .answers: AnswersTable.encoder(format: Format.name, rowEnd: Format.rowEnd)
            case .fraud, .links, .entities, .subscriptions, .evidence, .retention, .metrics, .summary: nil
            }
        file = try OutputFile(replacing: request.path)
        pending = Format.begin(columns, withByteOrderMark: setting.withByteOrderMark)
    }

    func write(rows: Span<UInt8>) throws(FileError) {
        pending.append(copying: rows)
        try flushIfLarge()
    }

    func write(_ finding: ComparedFinding) throws(FileError) {
        guard table == .fraud else { return }
        try writeRow { FraudTable.write(finding, to: &$0) }
    }

    func write(_ link: LinkRow) throws(FileError) {
        guard table == .links else { return }
        try writeRow { link.write(to: &$0) }
    }

    func write(_ entity: EntityRow) throws(FileError) {
        guard table == .entities else { return }
        try writeRow { entity.write(to: &$0) }
    }

    func write(_ evidence: EvidenceRow) throws(FileError) {
        guard table == .evidence else { return }
        try writeRow { evidence.write(to: &$0) }
    }

    func write(_ subscription: SubscriptionRow) throws(FileError) {
        guard table == .subscriptions else { return }
        try writeRow { SubscriptionsTable.write(subscription, to: &$0) }
    }

    func write(_ figures: SubscriptionFigures) throws(FileError) {
        if table == .retention {
            for row in figures.retentionRows { try writeRow { row.write(to: &$0) } }
        }
        if table == .metrics {
            try figures.forEachMetric { row throws(FileError) in try writeRow { row.write(to: &$0) } }
        }
    }

    func write(_ summary: Summary) throws(FileError) {
        guard table == .summary else { return }
        try SummaryTable.forEachRow(of: summary) { row throws(FileError) in try writeRow { row.write(to: &$0) } }
    }

    func finish() throws(FileError) {
        Format.finish(&pending)
        try flush(keeping: 0)
        try file.finish()
    }

    private func writeRow(_ write: (inout Format.Row) -> Void) throws(FileError) {
        var row = Format.Row(columns, from: 0, appendingTo: pending.take())
        write(&row)
        row.endRow()
        pending = row.takeBytes()
        pending.append(contentsOf: Format.rowEnd.utf8)
        try flushIfLarge()
    }

    private func flushIfLarge() throws(FileError) {
        if pending.count >= Self.pieceSize { try flush(keeping: Self.endSize) }
    }

    private func flush(keeping count: Int) throws(FileError) {
        // Out of the class while it is written, so that the same memory is used for the next piece.
        var piece = pending.take()
        try file.write(piece.span.extracting(droppingLast: min(count, piece.count)))
        piece.removeFirst(max(0, piece.count - count))
        swap(&piece, &pending)
    }
}
