import Checks
import Encodings
import Engine
import Files
import Rules
import Testing

@testable import Reports

struct `Links of a workbook` {
    private static let claim = LinkSamples.link("x").facts.claim
    private static let finding = DocumentSamples.compared("x", rule: "shared-receipt", .high).finding.id
    private static let device = LinkSamples.link("x").facts.device.map { "\($0)" } ?? ""

    /// Where the cells of a sheet lead, by the name of the column and the row: `subject 2`.
    private func links(_ book: WorkbookSamples.Book, _ sheet: Int, _ schema: TableSchema) throws -> [String: String] {
        var links: [String: String] = [:]
        for part in try book.text("xl/worksheets/sheet\(sheet).xml").split(separator: "<hyperlink ").dropFirst() {
            let texts = part.split(separator: "\"", omittingEmptySubsequences: false)
            let letters = texts[1].prefix { $0.isLetter }
            let column = letters.utf8.reduce(0) { $0 * 26 + Int($1) - 64 } - 1
            links["\(schema.columnNames[column]) \(texts[1].dropFirst(letters.count))"] = String(texts[3])
        }
        return links
    }

    /// A claim with a finding, by an account with a device.
    private func book(
        rows: Int = 1, guid: String = "match", _ change: (inout ComparedFinding) -> Void = { _ in }
    ) throws -> WorkbookSamples.Book {
        try WorkbookSamples.all { sink in
            for number in 0..<rows {
                let id = number == 0 ? Self.claim : ClaimID(high: 9, low: UInt32(number))
                try sink.write(rows: Self.claimRow(id, guid, risk: number == 0 ? "high" : "").span, of: .receipts)
            }
            var found = DocumentSamples.compared("account:x", rule: "shared-receipt", .high)
            (found.finding.accountID, found.finding.deviceID) = ("x", ExactText(Self.device))
            change(&found)
            try sink.write(found, of: FraudTable.self)
            var link = LinkSamples.link("x")
            link.finding = Self.finding
            (link.facts.claim, link.facts.isGenuine) = (Self.claim, true)
            try sink.write(link, of: LinksTable.self)
            for entity in [
                Entity(.account, "x"), Entity(.device, ExactText(Self.device)), Entity(.transaction, "100"),
            ] {
                var row = EntitySamples.entity("x")
                row.entity = entity
                row.marks = [EntityNote(finding: Self.finding, severity: .high)]
                row.ring = entity.kind == .account ? Self.finding : nil
                try sink.write(row, of: EntitiesTable.self)
            }
        }
    }

    private static func claimRow(_ id: ClaimID, _ guid: String, risk: String) -> [UInt8] {
        var row = TypedRow()
        let texts = [
            "source": "s", "claim_id": "\(id)", "risk": risk, "account_id": "x", "device_id": device, "guid": guid,
            "receipt_sha256": LinkSamples.digest,
        ]
        for column in ReceiptsTable.schema.columnNames {
            if column == "purchases" { row.number(1) } else { row.text(texts[column] ?? "") }
        }
        row.endRow()
        return row.takeBytes()
    }

    @Test func `lead from a finding to whom and what it is about`() throws {
        let links = try links(book(), 2, QueueSheet.schema)
        #expect(
            links.filter { !$0.key.hasPrefix("rule") } == [
                "subject 2": "'Entities'!A2", "sources 2": "'Claims'!A2", "finding_id 2": "'Links'!A2",
                "account_id 2": "'Entities'!A2", "device_id 2": "'Entities'!A3",
            ])
        #expect(links["rule 2"]?.hasPrefix("'Rules'!A") == true)
    }

    @Test func `lead from a finding about one claim to that claim`() throws {
        let book = try book { $0.finding.subject = ExactText("claim:\(Self.claim)") }
        #expect(try links(book, 2, QueueSheet.schema)["subject 2"] == "'Claims'!A2")
    }

    @Test func `lead from an entity to its worst finding, its ring and its first claim`() throws {
        let links = try links(book(), 3, EntitySheet.schema)
        for row in 2...4 {
            #expect(links["id \(row)"] == "'Queue'!A2" && links["ring \(row)"] == (row == 2 ? "'Queue'!A2" : nil))
            #expect(links["claims \(row)"] == "'Claims'!A2")
        }
    }

    @Test func `lead from a claim to its finding, its account and its device`() throws {
        let links = try links(book(), 4, ReceiptsTable.schema)
        #expect(
            links == [
                "source 2": "'Links'!A2", "claim_id 2": "'Queue'!A2", "account_id 2": "'Entities'!A2",
                "device_id 2": "'Entities'!A3",
            ])
    }

    @Test func `do not lead from a claim to a device that is not shown to be its own`() throws {
        #expect(try links(book(guid: "mismatch"), 4, ReceiptsTable.schema)["device_id 2"] == nil)
    }

    @Test func `are in every cell that looks like one`() throws {
        let book = try book(rows: 2)
        let styles = try book.text("xl/styles.xml")
        let fonts = styles.split(separator: "<font>").dropFirst()
        let blue = try #require(fonts.firstIndex { $0.contains("0563C1") }) - fonts.startIndex
        let formats = try #require(styles.split(separator: "<cellXfs").last).split(separator: "<xf ").dropFirst()
        let linked = formats.enumerated().filter { $0.element.contains("fontId=\"\(blue)\"") }.map { "\($0.offset)" }
        #expect(linked.count == 2)
        for sheet in 2...5 {
            let text = try book.text("xl/worksheets/sheet\(sheet).xml")
            let cells = text.split(separator: "<c ").dropFirst().filter { cell in
                linked.contains { cell.contains("s=\"\($0)\"") }
            }
            #expect(cells.count == text.split(separator: "<hyperlink ").count - 1, "\(sheet)")
        }
    }

    @Test(arguments: ["ring", "id"])
    func `stay texts, as all ids do, whatever is typed over them`(column: String) throws {
        let columns = [
            EntitySheet.schema, ReceiptsTable.schema, SubscriptionsTable.schema, PurchasesTable.schema,
            LinksTable.schema,
        ].flatMap(\.columns)
        for name in ["signer", "renews_to", "source", "file", "product_id", "app_version", "ring", "offer", "guid"] {
            #expect(columns.filter { $0.name == name }.allSatisfy { [.text, .code].contains($0.kind) }, "\(name)")
        }
        let book = try book()
        let styles = try book.text("xl/styles.xml")
        let formats = try #require(styles.split(separator: "<cellXfs").last).split(separator: "<xf ").dropFirst()
        let text = try #require(
            styles.split(separator: "formatCode=\"@\"").first?.split(separator: "\"").last { Int($0) != nil })
        let texts = formats.enumerated().filter { $0.element.contains("numFmtId=\"\(text)\"") }.map { "\($0.offset)" }
        let number = try #require(EntitySheet.schema.columnNames.firstIndex(of: column))
        let letter = String(UnicodeScalar(UInt8(65 + number)))
        let cell = try #require(
            try book.text("xl/worksheets/sheet3.xml").split(separator: "<c ").first { $0.hasPrefix("r=\"\(letter)2\"") }
        )
        #expect(texts.contains { cell.contains("s=\"\($0)\"") })
    }
}
