import Corpus
import Encodings
import FoundationEssentials

@testable import Reports

/// Workbooks in which an analyst wrote: one whose only sheet, or whose shared texts, are the input, and the input itself
/// as a file.
struct WorkbookSubject: Subject {
    /// Memory, so that no disk is written to.
    private let path = "/dev/shm/audit-fuzz-\(ProcessInfo.processInfo.processIdentifier).xlsx"

    private static let required = ["finding_id", "status"]

    func read(_ bytes: [UInt8]) {
        do {
            try read(file: Self.file(bytes))
        } catch {
            demand(false, "\(error)")
        }
    }

    private static func file(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: Array("PK".utf8)) { return bytes }
        let text = String(decoding: bytes, as: UTF8.self)
        let isShared = text.contains("<sst")
        return book(sheet: isShared ? sheet : text, shared: isShared ? text : shared)
    }

    /// A file is read, or refused for a reason that can be printed.
    private func read(file bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: path))
        do {
            let rows = try WorkbookReader(path).rows(required: Self.required, optional: ["note"])
            for row in rows {
                demand((1...16_777_216).contains(row.number), "row \(row.number)")
                demand(row.cells.count == 3 && row.cells.contains { !$0.isEmpty }, "no cells")
            }
        } catch let failure as ArchiveReader.Failure {
            demand(isPrintable(failure.reason), "not fit for a terminal: \(failure.reason.debugDescription)")
        }
        // What `audit review --import` makes of it; the command escapes the cell that an error names.
        do {
            _ = try ReviewedRows(reading: path)
        } catch let error as ReviewedRows.Unreadable {
            demand(error.description.utf8.count < 1000, "an error of \(error.description.utf8.count) bytes")
        }
    }

    private static func book(sheet: String, shared: String) -> [UInt8] {
        let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        let book =
            "<Relationships><Relationship Id=\"r\" Type=\"\(office)/officeDocument\" Target=\"b.xml\"/></Relationships>"
        let parts =
            "<Relationships><Relationship Id=\"a\" Type=\"\(office)/worksheet\" Target=\"s.xml\"/>"
            + "<Relationship Id=\"b\" Type=\"\(office)/sharedStrings\" Target=\"t.xml\"/></Relationships>"
        let sheets = "<workbook><sheets><sheet name=\"Queue\" id=\"a\"/></sheets></workbook>"
        return PlainArchive([
            "_rels/.rels": book, "b.xml": sheets, "_rels/b.xml.rels": parts, "s.xml": sheet, "t.xml": shared,
        ]).bytes
    }

    private static let shared =
        "<sst><si><t>finding_id</t></si><si><t>status</t></si><si><r><t>fraud</t></r></si></sst>"

    private static let sheet =
        "<s><row><c t=\"s\"><v>0</v></c><c t=\"s\"><v>1</v></c></row><row><c t=\"s\"><v>3</v></c><c t=\"s\"><v>2</v></c></row></s>"

    /// The inputs to start from.
    static let seeds = [
        Array(sheet.utf8), Array(shared.utf8), book(sheet: sheet, shared: shared),
        Array(
            ("<x:s xmlns:x=\"urn:x\"><x:row r=\"1\"><x:c r=\"A1\" t=\"inlineStr\"><x:is><x:t>finding_id</x:t></x:is></x:c>"
                + "<x:c r=\"C1\" t=\"str\"><x:v>status</x:v></x:c></x:row><x:row r=\"7\"><x:c r=\"C7\" t=\"inlineStr\"><x:is>"
                + "<x:r><x:t>fra</x:t></x:r><x:r><x:t>ud</x:t></x:r><x:rPh><x:t>no</x:t></x:rPh></x:is></x:c></x:row></x:s>")
                .utf8),
    ]
}
