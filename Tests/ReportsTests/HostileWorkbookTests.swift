import Encodings
import Files
import Foundation
import Testing

@testable import Reports

/// Fewer of them, because every one goes through a compressed file and back.
struct `Hostile texts in a workbook` {
    private static let texts = Array(HostileStrings(4000, seed: 3)).filter { !$0.isEmpty }

    @Test func `are texts, never formulas or numbers, and come back as they were written`() throws {
        let sheet = try Self.sheet()
        #expect(!sheet.contains("<f>") && !sheet.contains("<f ") && !sheet.contains("hyperlink"))
        let cells = Self.cells(of: sheet).dropFirst(ReceiptsTable.columns.count)
        #expect(cells.count == 3 * Self.texts.count)
        var wrong: [String] = []
        for (index, text) in Self.texts.enumerated() {
            let row = Array(cells.dropFirst(3 * index).prefix(3))
            var written: [UInt8] = []
            WorkbookText.append(text, to: &written)
            let expected = [
                Cell(type: "inlineStr", content: written), Cell(type: "", content: Array("\(-index)".utf8)),
                Cell(type: "inlineStr", content: Array("\(9_007_199_254_740_993 + index)".utf8)),
            ]
            if row != expected { wrong.append(text.debugDescription) }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(3))")
    }

    @Test func `hold nothing that XML cannot or nobody can see, and fit into a cell`() {
        for text in HostileStrings(20_000, seed: 4) {
            var bytes: [UInt8] = []
            WorkbookText.append(text, to: &bytes)
            let written = String(decoding: bytes, as: UTF8.self)
            let isSafe = written.unicodeScalars.allSatisfy {
                $0 == "\t" || $0 == "\n" || !HiddenScalar.contains($0) && $0.value != 0xfffe && $0.value != 0xffff
            }
            #expect(isSafe && written.utf16.count <= WorkbookText.limit, "\(text.debugDescription)")
        }
    }

    private struct Cell: Equatable {
        var type: String
        var content: [UInt8]
    }

    /// The XML of a sheet with a row of three cells for each text, as minizip reads it out of the file.
    private static func sheet() throws -> String {
        let folder = try TemporaryFolder()
        let path = folder.path + "/report.xlsx"
        let setting = ReportSetting(asOf: Instant(seconds: 0), temporaryFolder: folder.path)
        let sink = try SampleSink(TableWorkbookSink(.receipts, path, setting), setting)
        var row = TypedRow()
        for (index, text) in texts.enumerated() {
            row.text(text)
            row.number(-index)
            row.text("\(9_007_199_254_740_993 + index)")
            row.endRow()
        }
        let rows = row.takeBytes()
        try sink.write(rows: rows.span, of: .receipts)
        try sink.finish(Summary(sections: []))
        var xml: [UInt8] = []
        _ = try ArchiveReader(path)?.read("xl/worksheets/sheet1.xml") { piece in
            xml.append(copying: piece)
            return true
        }
        return String(decoding: xml, as: UTF8.self)
    }

    /// All cells in order, with their texts as they were given to the library.
    private static func cells(of sheet: String) -> [Cell] {
        let bytes = Array(sheet.utf8)
        return bytes.split(separator: Array("<c r=".utf8)).dropFirst().map { cell in
            let isText = cell.firstRange(of: Array("t=\"inlineStr\"".utf8)) != nil
            let end = cell.firstRange(of: Array((isText ? "</t>" : "</v>").utf8))?.lowerBound ?? cell.startIndex
            let open = cell.firstRange(of: Array((isText ? "<t" : "<v").utf8))?.upperBound ?? cell.startIndex
            let start = cell[open...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? open
            let xml = Array(cell[min(start, end)..<end])
            let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")]
            let content = entities.reduce(xml) { $0.replacing(Array($1.0.utf8), with: Array($1.1.utf8)) }
            return Cell(type: isText ? "inlineStr" : "", content: content)
        }
    }
}
