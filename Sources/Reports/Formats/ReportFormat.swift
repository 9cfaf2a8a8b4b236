import Checks
import Engine
import Files
import Rules
import Subscriptions

/// A format of report files, known by the extension.
public struct ReportFormat: CaseIterable, Hashable, Sendable {
    public static let csv = ReportFormat(CSVFormat.self)
    public static let json = ReportFormat(JSONFormat.self)
    public static let ndjson = ReportFormat(NDJSONFormat.self)
    public static let xlsx = ReportFormat(WorkbookFormat.self)
    public static let md = ReportFormat(MarkdownFormat.self)
    public static let html = ReportFormat(HTMLFormat.self)
    public static let sqlite = ReportFormat(SQLiteFormat.self)

    /// The registry: a new format is a file with its ``FileFormat``, and its place in this list.
    public static let allCases = [csv, json, ndjson, xlsx, md, html, sqlite]

    let type: any FileFormat.Type

    private init(_ type: any FileFormat.Type) { self.type = type }

    /// - Parameter path: a file's name or path. Standard output, `-`, is CSV; `-.json` is standard output, too.
    public init?(path: String) {
        guard path != "-" else {
            self = .csv
            return
        }
        guard let dot = path.lastIndex(of: ".") else { return nil }
        let name = path[path.index(after: dot)...].lowercased()
        guard let format = Self.allCases.first(where: { $0.rawValue == name }) else { return nil }
        self = format
    }

    /// The extension of its files.
    public var rawValue: String { type.name }

    /// Whether there are reports of this table in the format.
    public func holds(_ table: ReportRequest.Table) -> Bool { type.holds(table) }

    public static func == (a: Self, b: Self) -> Bool { a.type == b.type }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}

/// Writes report files in one format.
protocol FileFormat: SendableMetatype {
    /// The extension of the files.
    static var name: String { get }
    /// The table of a report that names none; `nil` for all.
    static var defaultTable: ReportRequest.Table? { get }
    /// Writes the cells of a row.
    associatedtype Row: RowBuffer
    /// What follows each row that ``Row`` wrote.
    static var rowEnd: String { get }

    /// Creates the file of a report beside the one that it will replace.
    static func sink(for request: ReportRequest, _ setting: ReportSetting) throws(FileError) -> any ReportSink

    /// Returns the encoder with which the workers of a run write rows of the table `receipts`.
    ///
    /// This is a requirement so that it is compiled for each format: the encoder runs for every claim.
    ///
    /// - Parameter maxRows: how many of the first rows are wanted; `nil` for all.
    static func receiptsEncoder(maxRows: Int?) -> RowEncoder

    /// Returns the same for rows of the table `purchases`.
    ///
    /// - Parameter maxClaims: how many of the first claims are wanted; `nil` for all.
    static func purchasesEncoder(_ policy: Policy, maxClaims: Int?) -> RowEncoder

    /// Whether there are reports of this table in the format.
    static func holds(_ table: ReportRequest.Table) -> Bool

    /// Whether a report that names no table has the table `entities`.
    static var hasEntities: Bool { get }
}

extension FileFormat {
    static var hasEntities: Bool { false }
    static var defaultTable: ReportRequest.Table? { nil }
    static var rowEnd: String { "" }
    static func holds(_ table: ReportRequest.Table) -> Bool { table != .answers }

    static func purchasesEncoder(_ policy: Policy, maxClaims: Int?) -> RowEncoder {
        let rowEnd = rowEnd
        return RowEncoder(
            name: "purchases \(name)" + (maxClaims.map { " \($0)" } ?? ""), maxRows: maxClaims,
            encode: { facts, bytes, ends in
                PurchasesTable.forEachRow(of: facts, policy) { purchase in
                    var row = Row(PurchasesTable.columns, from: 0, appendingTo: bytes.take())
                    purchase.write(to: &row)
                    row.endRow()
                    bytes = row.takeBytes()
                    bytes.append(contentsOf: rowEnd.utf8)
                    ends.append(bytes.count)
                }
            },
            encodeSource: { source, bytes in
                var row = Row(PurchasesTable.columns, from: 0, appendingTo: bytes.take())
                row.text(source)
                bytes = row.takeBytes()
            })
    }

    static func receiptsEncoder(maxRows: Int?) -> RowEncoder {
        var empty = Row(ReceiptsTable.columns, from: ReceiptsTable.riskColumn, appendingTo: [])
        ReceiptsTable.writeNoFindings(to: &empty)
        let rowEnd = rowEnd
        return RowEncoder(
            name: name + (maxRows.map { " \($0)" } ?? ""), maxRows: maxRows, emptyLength: empty.bytes.count,
            encode: { facts, bytes in
                var row = Row(ReceiptsTable.columns, from: 0, appendingTo: bytes.take())
                var cells = 0
                ReceiptsTable.write(facts, to: &row) { row in
                    cells = row.bytes.count
                    ReceiptsTable.writeNoFindings(to: &row)
                }
                row.endRow()
                bytes = row.takeBytes()
                bytes.append(contentsOf: rowEnd.utf8)
                return cells
            },
            encodeSource: { source, bytes in
                var row = Row(ReceiptsTable.columns, from: 0, appendingTo: bytes.take())
                ReceiptsTable.writeSource(source, to: &row)
                bytes = row.takeBytes()
            },
            fill: { risk, rules, bytes in
                var row = Row(ReceiptsTable.columns, from: ReceiptsTable.riskColumn, appendingTo: bytes.take())
                ReceiptsTable.writeFindings(risk, rules, to: &row)
                bytes = row.takeBytes()
            })
    }
}

/// Writes one report file from the results of a run, which come in this order: rows of `receipts`, findings, the worst
/// first, links, entities, evidence, subscriptions, figures, the summary.
protocol ReportSink: AnyObject {
    /// The file that replaces the one at its path when all reports are written.
    var file: OutputFile { get }
    /// Encodes rows of the table `receipts` or `purchases`; `nil` if neither is wanted.
    var rowEncoder: RowEncoder? { get }

    /// Encodes rows of the table `purchases`, beside those of ``rowEncoder``; `nil` if they are not wanted.
    var purchaseEncoder: RowEncoder? { get }
    /// Whether it shows one table and nothing else.
    var isOneTable: Bool { get }

    /// Receives rows that ``rowEncoder`` encoded.
    func write(rows: Span<UInt8>) throws(FileError)
    /// Receives rows that ``purchaseEncoder`` encoded.
    func write(purchases: Span<UInt8>) throws(FileError)
    func write(_ finding: ComparedFinding) throws(FileError)
    func write(_ link: LinkRow) throws(FileError)
    /// Receives which findings concern an entity, before the entities.
    func write(_ mark: EntityMark) throws(FileError)
    func write(_ entity: EntityRow) throws(FileError)
    /// The findings that are wanted once more, when all entities are known.
    var namedFindings: Set<FindingID> { get }
    /// Receives these, in the order of the table `fraud`.
    func write(named finding: FindingRow) throws(FileError)
    func write(_ evidence: EvidenceRow) throws(FileError)
    func write(_ subscription: SubscriptionRow) throws(FileError)
    /// Writes the tables `retention` and `metrics`.
    func write(_ figures: SubscriptionFigures) throws(FileError)
    func write(_ summary: Summary) throws(FileError)
    /// Completes the file and flushes it to disk.
    func finish() throws(FileError)
}

extension ReportSink {
    var purchaseEncoder: RowEncoder? { nil }
    var isOneTable: Bool { false }
    func write(purchases: Span<UInt8>) throws(FileError) {}
    func write(_ mark: EntityMark) throws(FileError) {}
    var namedFindings: Set<FindingID> { [] }
    func write(named finding: FindingRow) throws(FileError) {}
}
