/// A format of report files, known by the extension.
public enum ReportFormat: String, CaseIterable, Sendable {
    case csv
    case json
    case ndjson
    case xlsx
    case md
    case html

    /// - Parameter path: a file's name or path. Standard output, `-`, is CSV; `-.json` is standard output, too.
    public init?(path: String) {
        guard path != "-" else {
            self = .csv
            return
        }
        guard let dot = path.lastIndex(of: ".") else { return nil }
        self.init(rawValue: path[path.index(after: dot)...].lowercased())
    }

    /// What stands before the first row.
    func beginning(_ columns: [String]) -> [UInt8] {
        switch self {
        case .csv:
            var row = CSVRow()
            row.header(columns)
            return row.bytes
        case .json: return Array("[\n".utf8)
        case .ndjson, .xlsx, .md, .html: return []
        }
    }

    /// One row, whose cells a body writes, in a format of rows.
    func row(_ columns: [String], _ write: (inout any CellWriter) -> Void) -> [UInt8] {
        var row: any CellWriter = self == .csv ? CSVRow() : JSONRow(columns)
        write(&row)
        switch row {
        case var row as CSVRow:
            row.endRow()
            return row.bytes
        case var row as JSONRow:
            row.endRow()
            return row.bytes + Array(rowEnd.utf8)
        default: return []
        }
    }

    /// What ends every row. In JSON the last one is taken back.
    var rowEnd: String {
        switch self {
        case .csv: "\r\n"
        case .json: ",\n"
        case .ndjson: "\n"
        case .xlsx, .md, .html: ""
        }
    }
}
