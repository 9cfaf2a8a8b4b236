import Corpus
import Encodings
import Foundation
import Testing

@testable import Reports

/// Workbooks as Excel, LibreOffice and others save them.
struct `The reader of workbooks` {
    @Test func `reads columns by their names, wherever they stand`() throws {
        let rows = try read(
            sheet: "<row r=\"1\">" + texts("b", "a", "c") + "</row><row r=\"2\">" + texts("2", "1", "3") + "</row>")
        #expect(rows == [.init(sheet: "One", number: 2, cells: ["1", "3", ""])])
    }

    @Test(
        arguments: [
            ("<c r=\"A2\" t=\"s\"><v>1</v></c>", "shared"),
            ("<c r=\"A2\" t=\"s\"><v>2</v></c>", "in two parts"),
            ("<c r=\"A2\" t=\"s\"><v>9</v></c>", ""),
            ("<c r=\"A2\" t=\"inlineStr\"><is><r><t>in</t></r><r><t>line</t></r></is></c>", "inline"),
            ("<c r=\"A2\" t=\"inlineStr\"><is><t>a</t><rPh sb=\"0\" eb=\"1\"><t>b</t></rPh></is></c>", "a"),
            ("<c r=\"A2\" t=\"str\"><f>A1</f><v>result</v></c>", "result"),
            ("<c r=\"A2\"><v>17</v></c>", "17"),
            ("<c t=\"inlineStr\"><is><t>no reference</t></is></c>", "no reference"),
            ("<c r=\"A2\" t=\"inlineStr\"><is><t>_x0041_&amp;_x005F_x0041_</t></is></c>", "A&_x0041_"),
        ])
    func `reads every kind of cell`(cell: String, text: String) throws {
        let rows = try read(
            sheet: "<row r=\"1\">" + texts("a", "c") + "</row><row r=\"2\">" + cell
                + "<c r=\"B2\" t=\"inlineStr\"><is><t>x</t></is></c></row>")
        #expect(rows == [.init(sheet: "One", number: 2, cells: [text, "x", ""])])
    }

    @Test(arguments: ["9223372036854775807", "-3", "0", "99999999999999999999", "x"])
    func `counts on from the row before where a number cannot be a row's`(number: String) throws {
        let rows = try read(
            sheet: "<row>" + texts("a", "c") + "</row><row r=\"\(number)\">" + texts("1", "2") + "</row><row>"
                + texts("3", "4") + "</row>")
        #expect(rows.map(\.number) == [2, 3])
    }

    @Test func `reads no column that a spreadsheet has not`() throws {
        let many = String(repeating: "<c/>", count: 16_383)
        let rows = try read(
            sheet: "<row>" + texts("a") + many + texts("d") + "</row><row>" + texts("1") + many + texts("2") + "</row>")
        #expect(rows.isEmpty)
        #expect(try read(sheet: "<row>" + many + texts("a") + "</row><row>" + many + texts("1") + "</row>").isEmpty)
        let last = "<row><c r=\"XFD1\" t=\"inlineStr\"><is><t>c</t></is></c>" + texts("e") + "</row>"
        #expect(try read(sheet: last).isEmpty)
    }

    @Test func `reads no more of a cell than a spreadsheet holds`() throws {
        let rows = try read(
            sheet: "<row>" + texts("a", "c") + "</row><row>" + texts(String(repeating: "x&amp;", count: 100_000), "2")
                + "</row>")
        #expect(rows.map { $0.cells[0].utf8.count } == [98_301] && rows[0].cells[1] == "2")
    }

    @Test(arguments: ["<c t=\"inlineStr\"><is><t>some text</t></is></c>", "<c t=\"s\"><v>2</v></c>"])
    func `refuses a sheet with more text than there may be`(cell: String) throws {
        let folder = try TemporaryFolder()
        let rows = "<row>" + texts("a", "c") + "</row><row>" + cell + texts("1") + "</row>"
        let path = try workbook(in: folder, sheet: document(rows))
        let failure = #expect(throws: ArchiveReader.Failure.self) {
            _ = try WorkbookReader(path, maxText: 9).rows(required: ["a", "c"])
        }
        #expect(failure?.reason == "a sheet has more than 9 bytes of text")
    }

    @Test func `skips sheets without the columns, and rows without their cells`() throws {
        #expect(try read(sheet: "<row r=\"1\">" + texts("a", "b") + "</row><row>" + texts("1", "2") + "</row>").isEmpty)
        let rows = try read(
            sheet: "<row>" + texts("a", "c", "d") + "</row><row/><row r=\"9\">" + texts("", "", "3") + "</row><row>"
                + "<c t=\"s\"><v>7</v></c></row>")
        #expect(rows == [.init(sheet: "One", number: 9, cells: ["", "", "3"])])
    }

    @Test func `reads elements with a prefix, and parts by absolute names`() throws {
        let sheet =
            "<x:worksheet xmlns:x=\"urn:x\"><x:sheetData><x:row>"
            + texts("a", "c").replacing("<", with: "<x:").replacing("<x:/", with: "</x:")
            + "</x:row><x:row><x:c t=\"inlineStr\"><x:is><x:t>1</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>"
        let folder = try TemporaryFolder()
        let rows = try WorkbookReader(workbook(in: folder, sheet: sheet, target: "/xl/worksheets/sheet1.xml")).rows(
            required: ["a", "c"])
        #expect(rows == [.init(sheet: "One", number: 2, cells: ["1", ""])])
    }

    @Test(
        arguments: [
            ("<row><c", "its XML is damaged"), ("<row></c></row>", "its XML is damaged"),
            ("&unknown;", "its XML is damaged"),
        ])
    func `refuses XML that is damaged`(sheet: String, reason: String) throws {
        let failure = #expect(throws: ArchiveReader.Failure.self) { _ = try read(sheet: sheet) }
        #expect(failure?.reason == reason)
    }

    @Test func `refuses a document type, whose entities could make text of any length`() throws {
        let folder = try TemporaryFolder()
        let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><x>&b;</x>"
        let failure = #expect(throws: ArchiveReader.Failure.self) {
            _ = try WorkbookReader(workbook(in: folder, sheet: bomb)).rows(required: ["a"])
        }
        #expect(failure?.reason == "it has a document type")
    }

    private static let row =
        "<row><c t=\"inlineStr\"><is><t>a</t></is></c><c t=\"inlineStr\"><is><t>c</t></is></c></row>"

    /// Expat before 2.6.0 takes quadratic time for one long token in many pieces (CVE-2023-52425).
    @Test(
        arguments: [
            ("<!--", "-->"), ("<?x ", "?>"), ("<x a=\"", "\"/>"), ("<row><c><v>", "</v></c></row>"),
            ("<row><c><v><![CDATA[", "]]></v></c></row>"),
        ])
    func `refuses a token or a text of more than 1 MiB`(start: String, end: String) throws {
        let limit = XMLReader.maxToken
        let isTag = !start.hasSuffix(">") && !start.hasSuffix("[")
        let most = isTag ? limit - start.utf8.count - end.utf8.count : limit
        #expect(throws: Never.self) {
            _ = try read(sheet: Self.row + start + String(repeating: "y", count: most) + end)
        }
        for count in [most + 1, Exhaustive.count(20, sampled: 2) * limit] {
            let failure = #expect(throws: ArchiveReader.Failure.self) {
                _ = try read(sheet: Self.row + start + String(repeating: "y", count: count) + end)
            }
            #expect(failure?.reason == "its XML has a token of more than 1 MiB", "\(start) \(count)")
        }
    }

    @Test func `reads many long tokens in time that grows with their size`() throws {
        let token = "<!--" + String(repeating: "y", count: 1_000_000) + "-->"
        let one = try ProcessorTime.measure { _ = try read(sheet: Self.row + token) }
        let many = try ProcessorTime.measure { _ = try read(sheet: Self.row + String(repeating: token, count: 16)) }
        #expect(many < one * 64 + .milliseconds(100))
    }

    @Test func `refuses elements that are nested without end`() throws {
        let failure = #expect(throws: ArchiveReader.Failure.self) {
            _ = try read(sheet: String(repeating: "<a>", count: 10_000))
        }
        #expect(failure?.reason == "its XML is nested deeper than 1000 elements")
    }

    @Test func `refuses what is no workbook`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/x.xlsx"
        for bytes in [[], Array("PK".utf8), PlainArchive(["a.txt": "a"]).bytes] {
            try Data(bytes).write(to: URL(filePath: path))
            let failure = #expect(throws: ArchiveReader.Failure.self) { _ = try WorkbookReader(path) }
            #expect(failure?.reason == "it is not a workbook (.xlsx)")
        }
    }

    @Test func `refuses a workbook that was cut or altered, wherever that is, or reads the same`() throws {
        let folder = try TemporaryFolder()
        let path = try workbook(
            in: folder, sheet: document("<row>" + texts("a", "c") + "</row><row>" + texts("1", "2") + "</row>"))
        let whole = try Data(contentsOf: URL(filePath: path))
        let rows = try WorkbookReader(path).rows(required: ["a", "c"])
        var refused = 0
        for index in stride(from: 0, to: whole.count, by: 7) {
            for isCut in [true, false] {
                var bytes = isCut ? whole.prefix(index) : whole
                if !isCut { bytes[index] ^= 0x55 }
                try bytes.write(to: URL(filePath: path))
                if let read = try? WorkbookReader(path).rows(required: ["a", "c"]) {
                    // A part that is no longer found is a sheet less.
                    #expect(read == rows || read.isEmpty || !isCut, "\(index)")
                } else {
                    refused += 1
                }
            }
        }
        #expect(refused > whole.count / 7)
    }

    private func read(sheet rows: String) throws -> [WorkbookReader.Row] {
        let folder = try TemporaryFolder()
        return try WorkbookReader(workbook(in: folder, sheet: document(rows))).rows(
            required: ["a", "c"], optional: ["d"])
    }

    private func document(_ rows: String) -> String {
        "<?xml version=\"1.0\"?><worksheet xmlns=\"urn:main\"><sheetData>\(rows)</sheetData></worksheet>"
    }

    private func texts(_ texts: String...) -> String {
        texts.map { "<c t=\"inlineStr\"><is><t>\($0)</t></is></c>" }.joined()
    }

    /// Writes a workbook with one sheet, and returns its path.
    private func workbook(
        in folder: TemporaryFolder, sheet: String, target: String = "worksheets/sheet1.xml"
    ) throws -> String {
        let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        let archive = PlainArchive([
            "_rels/.rels":
                "<Relationships><Relationship Id=\"r1\" Type=\"\(office)/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>",
            "xl/workbook.xml":
                "<workbook xmlns:r=\"\(office)\"><sheets><sheet name=\"One\" sheetId=\"1\" r:id=\"a\"/></sheets></workbook>",
            "xl/_rels/workbook.xml.rels":
                "<Relationships><Relationship Id=\"a\" Type=\"\(office)/worksheet\" Target=\"\(target)\"/>"
                + "<Relationship Id=\"b\" Type=\"\(office)/sharedStrings\" Target=\"sharedStrings.xml\"/></Relationships>",
            "xl/sharedStrings.xml":
                "<sst><si><t>a</t></si><si><t>shared</t></si><si><r><t>in two</t></r><r><t xml:space=\"preserve\"> parts</t></r>"
                + "<rPh sb=\"0\" eb=\"2\"><t>x</t></rPh></si></sst>",
            "xl/worksheets/sheet1.xml": sheet,
        ])
        let path = folder.path + "/book.xlsx"
        try Data(archive.bytes).write(to: URL(filePath: path))
        return path
    }
}
