import Encodings
import Files
import Rules
import Testing

@testable import Reports

struct `A workbook` {
    @Test func `has a sheet for each table but those of rows without number, the summary first`() throws {
        let parts = try workbook { _ in }.sizes
        let tables = ReportRequest.Table.allCases.filter { ![.purchases, .links, .evidence, .answers].contains($0) }
        #expect(parts.keys.filter { $0.hasPrefix("xl/worksheets/sheet") }.count == tables.count)
        #expect(parts["xl/workbook.xml"] != nil)
        #expect(parts.keys.contains { $0.hasPrefix("xl/charts/") })
    }

    @Test(arguments: ReportRequest.Table.allCases.filter { ReportFormat.xlsx.holds($0) })
    func `has only the sheet that is asked for`(table: ReportRequest.Table) throws {
        let parts = try workbook(only: table) { _ in }.sizes
        #expect(parts.keys.filter { $0.hasPrefix("xl/worksheets/sheet") }.count == 1)
    }

    @Test func `is the same, byte by byte, if the run is, however the rows come`() throws {
        let rows = (0..<50).map { row(["a \($0)", "valid"]) }
        let files = try TemporaryFolder()
        let once = try files.write("a.xlsx") { sink in for row in rows { try sink.write(rows: row.span) } }
        let again = try files.write("b.xlsx") { sink in
            let together = rows.flatMap { $0 }
            try sink.write(rows: together.span)
        }
        #expect(once.starts(with: [0x50, 0x4b, 3, 4]))
        #expect(once == again)
    }

    @Test(arguments: [(0, 1), (1, 1), (9, 1), (10, 2), (18, 2), (19, 3), (95, 11)])
    func `goes on on another sheet when one is full`(rows: Int, sheets: Int) throws {
        let parts = try workbook(only: .receipts, rowsPerSheet: 10) { sink in
            let rows = (0..<rows).flatMap { row(["row \($0)"]) }
            try sink.write(rows: rows.span)
        }.sizes
        #expect(parts.keys.filter { $0.hasPrefix("xl/worksheets/sheet") }.count == sheets)
    }

    @Test func `holds any untrusted text`() throws {
        let texts =
            ["=1+1", "\0\u{1}\r", "\u{fffe}", "<t>&]]>", "_x0000_", " ", "\n", "'", "https://example.com"]
            + [String(repeating: "🧾", count: 100_000)]
        let file = try workbook { sink in
            for text in texts {
                let row = row([String](repeating: text, count: ReceiptsTable.columns.count))
                try sink.write(rows: row.span)
                var found = DocumentSamples.compared(text, rule: text, .high)
                (found.finding.claims, found.finding.devices) = (.max, .min)
                found.finding.atStake?.millionths = .max
                found.firstSeen = Instant(milliseconds: .max)
                try sink.write(found)
                try sink.write(LinkSamples.link(text))
            }
            try sink.write(
                Summary(sections: [
                    Summary.Section(
                        "months", text(texts), columns: texts,
                        rows: texts.map {
                            [.text(ExactText($0)), .money(.max, currency: ExactText($0)), .share(1, of: 0)]
                        })
                ]))
        }
        #expect(file.sizes["xl/worksheets/sheet1.xml", default: 0] > 1000)
    }

    @Test func `goes where no file can be, and is gone where it fails`() throws {
        let files = try TemporaryFolder()
        _ = try files.write(to: "/dev/null") { _ in }
        #expect(throws: FileError.self) { try files.write(to: "/dev/full") { _ in } }
        #expect(throws: FileError.self) { try files.write(to: "/proc/report.xlsx") { _ in } }
        #expect(try files.names.isEmpty)
    }

    private func text(_ texts: [String]) -> String { texts.joined() }

    private func workbook(
        only table: ReportRequest.Table? = nil, rowsPerSheet: Int = TableSheets.maxRows,
        _ write: (WorkbookSink) throws -> Void
    ) throws -> FinishedArchive {
        let files = try TemporaryFolder()
        let bytes = try files.write("report.xlsx", only: table, rowsPerSheet: rowsPerSheet, write)
        #expect(try files.names == ["report.xlsx"])
        return FinishedArchive(tail: bytes)
    }

    private func row(_ texts: [String]) -> [UInt8] {
        var row = TypedRow()
        for text in texts { row.text(text) }
        row.endRow()
        return row.takeBytes()
    }
}

extension TemporaryFolder {
    /// Writes a workbook with a summary into this folder, and reads it.
    fileprivate func write(
        _ name: String, only table: ReportRequest.Table? = nil, rowsPerSheet: Int = TableSheets.maxRows,
        _ write: (WorkbookSink) throws -> Void
    ) throws -> [UInt8] {
        try self.write(to: path + "/" + name, only: table, rowsPerSheet: rowsPerSheet, write)
        return try FileContents.bytes(of: path + "/" + name, limit: 1 << 24)
    }

    fileprivate func write(
        to file: String, only table: ReportRequest.Table? = nil, rowsPerSheet: Int = TableSheets.maxRows,
        _ write: (WorkbookSink) throws -> Void
    ) throws {
        let setting = ReportSetting(asOf: Instant(seconds: 1_782_820_800), temporaryFolder: path)
        let sink = try WorkbookSink(ReportRequest(table, .xlsx, path: file), setting, rowsPerSheet: rowsPerSheet)
        try write(sink)
        let section = Summary.Section(
            "verdicts", "Verdicts", columns: ["verdict", "claims"], rows: [[.code("valid"), .number(1)]])
        try sink.write(Summary(sections: [section]))
        try sink.finish()
        try sink.file.publish()
    }
}

struct `The list at the end of an archive` {
    /// One part of 1,000 bytes, named `xl/a.xml`, and the end of the list.
    private static let tail: [UInt8] = entry("xl/a.xml", size: 1000) + end(listSize: 54)

    @Test func `says which parts there are, and how large`() {
        let archive = FinishedArchive(tail: [1, 2, 3] + Self.tail)
        #expect(archive.sizes == ["xl/a.xml": 1000])
        #expect(archive.hasParts(ofAtLeast: ["xl/a.xml": 1000]))
        #expect(!archive.hasParts(ofAtLeast: ["xl/a.xml": 1001]))
        #expect(!archive.hasParts(ofAtLeast: ["xl/b.xml": 0]))
    }

    @Test func `cannot say more than that a part is large`() {
        let tail = Self.entry("a", size: FinishedArchive.large) + Self.end(listSize: 47)
        #expect(FinishedArchive(tail: tail).hasParts(ofAtLeast: ["a": 5 << 30]))
    }

    @Test(arguments: 0..<76)
    func `is not there if the file is cut short`(length: Int) {
        #expect(FinishedArchive(tail: Array(Self.tail.prefix(length))).sizes.isEmpty)
    }

    private static func entry(_ name: String, size: Int) -> [UInt8] {
        var entry = [UInt8](repeating: 0, count: 46)
        entry.replaceSubrange(0..<4, with: [0x50, 0x4b, 1, 2])
        for index in 0..<4 { entry[24 + index] = UInt8(truncatingIfNeeded: size >> (8 * index)) }
        entry[28] = UInt8(name.utf8.count)
        return entry + Array(name.utf8)
    }

    private static func end(listSize: UInt8) -> [UInt8] {
        [0x50, 0x4b, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0, listSize, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    }
}
