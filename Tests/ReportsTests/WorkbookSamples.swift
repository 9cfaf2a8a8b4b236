import Encodings
import Files

@testable import Reports

/// Workbooks of tests.
enum WorkbookSamples {
    /// The bytes of a workbook, read back.
    struct Book {
        let folder: TemporaryFolder
        let path: String
        let bytes: [UInt8]

        var archive: FinishedArchive { FinishedArchive(tail: bytes) }

        /// The text of a part.
        func text(_ part: String) throws -> String {
            guard let archive = ArchiveReader(path) else { return "" }
            var bytes: [UInt8] = []
            _ = try archive.read(part) { piece in
                bytes.append(copying: piece)
                return true
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// The names of the sheets.
        func sheets() throws -> [String] {
            try text("xl/workbook.xml").split(separator: "<sheet name=\"").dropFirst().map {
                String($0.prefix { $0 != "\"" })
            }
        }

        /// The cells of some columns of a sheet.
        func rows(_ sheet: String, _ columns: String...) throws -> [[String]] {
            try WorkbookReader(path).rows(required: columns).filter { $0.sheet == sheet }.map(\.cells)
        }
    }

    /// A workbook for analysts.
    static func all(
        summary: Summary = standard, limits: WorkbookLimits = WorkbookLimits(),
        _ write: (SampleSink) throws -> Void = { _ in }
    ) throws -> Book {
        let folder = try TemporaryFolder()
        return try book(in: folder, summary) { path in
            let sink = try SampleSink(WorkbookSink(path, setting(folder), limits: limits), setting(folder))
            try write(sink)
            return sink
        }
    }

    /// A workbook of one table.
    static func table(
        _ table: ReportRequest.Table, limits: TableSheets.Limits = TableSheets.Limits(),
        _ write: (SampleSink) throws -> Void = { _ in }
    ) throws -> Book {
        let folder = try TemporaryFolder()
        return try book(in: folder) { path in
            let sink = try SampleSink(TableWorkbookSink(table, path, setting(folder), limits: limits), setting(folder))
            try write(sink)
            return sink
        }
    }

    private static func book(
        in folder: TemporaryFolder, _ summary: Summary = standard, _ make: (String) throws -> SampleSink
    ) throws -> Book {
        let path = folder.path + "/report.xlsx"
        try make(path).finish(summary)
        return Book(folder: folder, path: path, bytes: try FileContents.bytes(of: path, limit: 1 << 26))
    }

    /// Writes a workbook without rows.
    static func write(to path: String, in folder: TemporaryFolder) throws {
        try SampleSink(WorkbookSink(path, setting(folder)), setting(folder)).finish(standard)
    }

    private static let standard = Summary(sections: [
        Summary.Section(
            "verdicts", "Verdicts", columns: ["verdict", "claims", "share"],
            rows: [[.code("valid"), .number(1), .share(1, of: 1)]])
    ])

    private static func setting(_ folder: TemporaryFolder) -> ReportSetting {
        ReportSetting(asOf: DocumentSamples.asOf, temporaryFolder: folder.path)
    }

    static func row(_ texts: [String]) -> [UInt8] {
        var row = TypedRow()
        for text in texts { row.text(text) }
        row.endRow()
        return row.takeBytes()
    }

    /// A row of the table `receipts` with these cells.
    static func claim(_ cells: [String: String]) -> [UInt8] {
        row(ReceiptsTable.columnNames.map { cells[$0] ?? "" })
    }
}
