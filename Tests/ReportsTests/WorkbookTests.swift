import Checks
import Encodings
import Engine
import Files
import Rules
import Testing

@testable import Reports

struct `A workbook` {
    @Test func `has the sheets that an analyst goes through, in this order`() throws {
        let book = try WorkbookSamples.all()
        #expect(
            try book.sheets() == [
                "Overview", "Queue", "Entities", "Claims", "Links", "Unclaimed", "Refund requests", "Completeness",
                "Metrics", "Retention", "Rules",
            ])
        #expect(book.archive.sizes.keys.contains { $0.hasPrefix("xl/charts/") })
    }

    @Test(arguments: ReportRequest.Table.allCases.filter { ReportFormat.xlsx.holds($0) })
    func `has only the sheet of the table that is asked for`(table: ReportRequest.Table) throws {
        #expect(try WorkbookSamples.table(table).sheets() == [table.rawValue])
    }

    @Test func `has tables on its sheets, each named as the sheet`() throws {
        let book = try WorkbookSamples.all()
        #expect(book.archive.sizes.keys.count { $0.hasPrefix("xl/tables/") } == 10)
        let table = try book.text("xl/tables/table1.xml")
        #expect(table.contains("displayName=\"Queue\"") && table.contains("name=\"severity_rank\""))
    }

    @Test func `prints its overview up to the figures`() throws {
        let book = try WorkbookSamples.all()
        let area = #/Overview!\$A\$1:\$M\$([0-9]+)/#
        let last = try #require(try book.text("xl/workbook.xml").firstMatch(of: area)).1
        let rows = try book.text("xl/worksheets/sheet1.xml").matches(of: #/<row r="([0-9]+)"/#)
        #expect(try #require(Int(last)) < #require(rows.compactMap { Int($0.1) }.last))
    }

    @Test func `puts the most urgent findings first, whatever their order before`() throws {
        let book = try WorkbookSamples.all { sink in
            var closed = DocumentSamples.compared("closed", rule: "shared-receipt", .critical)
            closed.status = .ok
            for found in [
                closed, DocumentSamples.compared("old", rule: "shared-receipt", .high, .persisting),
                DocumentSamples.compared("new", rule: "shared-receipt", .high, .new),
                DocumentSamples.compared("gone", rule: "shared-receipt", .critical, .resolved),
            ] {
                try sink.write(found, of: FraudTable.self)
            }
        }
        let subjects = try book.rows("Queue", "subject", "status", "severity_rank")
        #expect(subjects == [["new", "open", "4"], ["old", "open", "4"], ["closed", "ok", "5"]])
    }

    @Test func `names a ring once among its top entities`() throws {
        let book = try WorkbookSamples.all { sink in
            for name in ["ab", "cd"] {
                var row = EntitySamples.entity(name)
                row.entity = Entity(.receipt, ExactText(name))
                try sink.write(row, of: EntitiesTable.self)
            }
        }
        let texts = try book.text("xl/sharedStrings.xml")
        #expect(texts.contains(">ab<") && texts.contains(">receipt and 1 more of a ring<"))
        #expect(!texts.contains(">cd<"))
    }

    @Test func `offers the statuses of a review where one is filled in`() throws {
        let book = try WorkbookSamples.all {
            try $0.write(DocumentSamples.compared("x", rule: "lent-app", .low), of: FraudTable.self)
        }
        let queue = try book.text("xl/worksheets/sheet2.xml")
        #expect(queue.contains("sqref=\"B2\"") && queue.contains("open,fraud,ok,watch"))
    }

    @Test func `says on the sheet and in the overview what it leaves out`() throws {
        let limits = WorkbookLimits(links: 2)
        let book = try WorkbookSamples.all(limits: limits) { sink in
            for number in 0..<5 { try sink.write(LinkSamples.link("claim \(number)"), of: LinksTable.self) }
        }
        #expect(try book.rows("Links", "rule").count == 2)
        let note =
            "These are 2 of 5 rows. The rest is in a report of its own, --report links=FILE.csv, and in a database, "
            + "--report FILE.sqlite."
        #expect(try book.text("xl/worksheets/sheet5.xml").contains(note))
        #expect(try book.text("xl/sharedStrings.xml").contains(note))
    }

    @Test func `is the same, byte by byte, if the run is, however the rows come`() throws {
        let rows = (0..<50).map { WorkbookSamples.row(["a \($0)", "valid"]) }
        let once = try WorkbookSamples.all { sink in for row in rows { try sink.write(rows: row.span, of: .receipts) } }
        let again = try WorkbookSamples.all { sink in
            let together = rows.flatMap { $0 }
            try sink.write(rows: together.span, of: .receipts)
        }
        #expect(once.bytes.starts(with: [0x50, 0x4b, 3, 4]))
        #expect(once.bytes == again.bytes)
    }

    @Test(arguments: [(0, 1), (1, 1), (9, 1), (10, 2), (18, 2), (19, 3), (95, 11)])
    func `goes on on another sheet when one is full`(rows: Int, sheets: Int) throws {
        let book = try WorkbookSamples.table(.receipts, limits: TableSheets.Limits(rowsPerSheet: 10)) { sink in
            let rows = (0..<rows).flatMap { WorkbookSamples.row(["row \($0)"]) }
            try sink.write(rows: rows.span, of: .receipts)
        }
        #expect(try book.sheets() == ["receipts"] + (1..<sheets).map { "receipts \($0 + 1)" })
    }

    @Test func `holds any untrusted text`() throws {
        let texts =
            ["=1+1", "\0\u{1}\r", "\u{fffe}", "<t>&]]>", "_x0000_", " ", "\n", "'", "https://example.com"]
            + [String(repeating: "🧾", count: 100_000)]
        let section = Summary.Section(
            "months", texts.joined(), columns: texts,
            rows: texts.map { [.text(ExactText($0)), .money(.max, currency: ExactText($0)), .share(1, of: 0)] })
        let book = try WorkbookSamples.all(summary: Summary(sections: [section])) { sink in
            for text in texts {
                let row = WorkbookSamples.row([String](repeating: text, count: ReceiptsTable.columns.count))
                try sink.write(rows: row.span, of: .receipts)
                var found = DocumentSamples.compared(text, rule: text, .high)
                (found.finding.claims, found.finding.devices) = (.max, .min)
                found.finding.atStake?.millionths = .max
                found.firstSeen = Instant(milliseconds: .max)
                try sink.write(found, of: FraudTable.self)
                try sink.write(LinkSamples.link(text), of: LinksTable.self)
                try sink.write(EntitySamples.entity(text, score: 1), of: EntitiesTable.self)
            }
        }
        #expect(try book.rows("Queue", "evidence").count == texts.count)
    }

    @Test func `goes where no file can be, and is gone where it fails`() throws {
        let folder = try TemporaryFolder()
        try WorkbookSamples.write(to: "/dev/null", in: folder)
        #expect(throws: FileError.self) { try WorkbookSamples.write(to: "/dev/full", in: folder) }
        #expect(throws: FileError.self) { try WorkbookSamples.write(to: "/proc/report.xlsx", in: folder) }
        #expect(try folder.names.isEmpty)
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
    func `is not there if the file is truncated`(length: Int) {
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
