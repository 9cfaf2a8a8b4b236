/// A format of report files, selected by the extension.
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

    /// - Parameter path: a file's name or path. Standard output, `-`, is CSV; `-.json` is also standard output.
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

    /// The table of a report that names none; `nil` if it then holds all that it supports.
    public var defaultTable: ReportRequest.Table? { type.defaultTable }

    /// Whether the format supports reports of this table.
    public func holds(_ table: ReportRequest.Table) -> Bool { type.holds(table) }

    public static func == (a: Self, b: Self) -> Bool { a.type == b.type }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}
