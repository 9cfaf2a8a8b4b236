package import Engine
package import Rules
package import Subscriptions

/// A table of reports: its columns, and the source of its rows.
package protocol ReportTable: SendableMetatype {
    associatedtype Row
    static var name: String { get }
    static var columns: [TableColumn<Row>] { get }

    /// The stage in which a run has its rows.
    static var stage: RunStage { get }
    /// Whether pages for people show it.
    static var isOnPages: Bool { get }
    /// Whether its cells hold objects, which only JSON can write.
    static var holdsObjects: Bool { get }
    /// Whether its rows depend on subscriptions, or on figures from the content of receipts.
    static var needsFigures: Bool { get }

    /// Whether its rows depend on the entities of findings.
    static var needsEntities: Bool { get }

    /// Visits its rows, if they are known only at the end of the run.
    static func forEachRow(of run: ReportedRun, _ body: (Row) throws -> Void) throws

    /// Returns the encoder with which workers write its rows, if they are known as soon as a claim is checked.
    ///
    /// - Parameter format: the format of the report.
    static func encoder(in format: any FileFormat.Type, _ policy: Policy) -> RowEncoder?

    /// Returns the cells of a row, in the order of the columns.
    ///
    /// This is a requirement so that it is compiled for each table.
    static func cells(of row: Row) -> [CellValue]
}

extension ReportTable {
    package static var isOnPages: Bool { false }
    package static var holdsObjects: Bool { false }
    package static var needsFigures: Bool { stage == .figures }
    package static var needsEntities: Bool { stage == .entities }
    package static func forEachRow(of run: ReportedRun, _ body: (Row) throws -> Void) throws {}
    package static func encoder(in format: any FileFormat.Type, _ policy: Policy) -> RowEncoder? {
        nil
    }
    package static func cells(of row: Row) -> [CellValue] { columns.map { $0.value(row) } }

    package static var schema: TableSchema { TableSchema(name: name, columns: columns.map(\.heading)) }
    package static var columnNames: [String] { columns.map(\.name) }

    /// Returns a row of this table as a row of another one, if the tables are the same.
    static func row<Other: ReportTable>(_ row: Row, of other: Other.Type) -> Other.Row? {
        Self.self == other ? row as? Other.Row : nil
    }
}

/// The stages of a run, in which tables are written.
package enum RunStage: Comparable, Sendable {
    /// The claims are checked.
    case claims
    case findings
    case links
    case entities
    case evidence
    case figures
}

/// A whole run, with the data that tables need.
package struct ReportedRun {
    /// The result; `nil` if the run is reduced line by line.
    let result: AuditResult?
    let figures: SubscriptionFigures
    let summary: Summary

    package init(_ figures: SubscriptionFigures, _ summary: Summary) {
        result = nil
        self.figures = figures
        self.summary = summary
    }

    init(_ result: AuditResult, _ summary: Summary) {
        self.result = result
        figures = result.figures
        self.summary = summary
    }
}

/// A table of a report with rows that are written when claims are checked, and the encoder of its rows.
package struct EncodedTable {
    package let table: ReportRequest.Table
    package let encoder: RowEncoder

    init(_ table: ReportRequest.Table, _ encoder: RowEncoder) { (self.table, self.encoder) = (table, encoder) }

    /// - Returns: `nil` if the rows of the table are known only later.
    init?(_ table: ReportRequest.Table, in format: any FileFormat.Type, _ policy: Policy) {
        guard let encoder = table.type.encoder(in: format, policy) else { return nil }
        self.init(table, encoder)
    }
}
