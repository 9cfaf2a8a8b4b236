import Checks
import Encodings
import Engine
import Rules
import Testing

@testable import Reports

struct `The sheet Entities` {
    private static let ring = FindingID(high: 7, low: 1)

    private static func member(_ name: String, ring: FindingID? = ring) -> EntityRow {
        var row = EntitySamples.entity(name)
        row.ring = ring
        return row
    }

    @Test func `has one row for a ring, with its other members`() throws {
        let book = try WorkbookSamples.all { sink in
            for row in [Self.member("ana"), Self.member("bob", ring: nil), Self.member("cem"), Self.member("dora")] {
                try sink.write(row, of: EntitiesTable.self)
            }
        }
        let rows = try book.rows("Entities", "id", "members")
        #expect(rows.map { $0[0] } == ["ana", "bob"])
        #expect(rows[0][1] == "critical account:cem, 4 findings\ncritical account:dora, 4 findings")
        #expect(rows[1][1].isEmpty)
    }

    @Test func `has a row for each member that a cell does not name`() throws {
        let count = TopEntities.Ring.maxNamed + 3
        let book = try WorkbookSamples.all { sink in
            for number in 0..<count { try sink.write(Self.member("m\(number)"), of: EntitiesTable.self) }
        }
        let rows = try book.rows("Entities", "id", "members")
        #expect(rows.map { $0[0] } == ["m0", "m101", "m102"])
        #expect(rows[0][1].hasSuffix("\nand 2 more, each in a row of its own: filter ring"))
    }

    @Test func `has a row for each member of a ring that begins after the first entities`() throws {
        let book = try WorkbookSamples.all { sink in
            for number in 0..<TopEntities.maxRows {
                try sink.write(Self.member("e\(number)", ring: nil), of: EntitiesTable.self)
            }
            for name in ["ana", "bob"] { try sink.write(Self.member(name), of: EntitiesTable.self) }
        }
        #expect(try book.rows("Entities", "id", "members").suffix(2) == [["ana", ""], ["bob", ""]])
    }

    @Test func `is where a member's finding leads, to the row of its ring`() throws {
        let book = try WorkbookSamples.all { sink in
            var found = DocumentSamples.compared("account:cem", rule: "shared-receipt", .high)
            found.finding.accountID = "cem"
            try sink.write(found, of: FraudTable.self)
            for row in [Self.member("bob", ring: nil), Self.member("ana"), Self.member("cem")] {
                try sink.write(row, of: EntitiesTable.self)
            }
        }
        let queue = try book.text("xl/worksheets/sheet2.xml")
        #expect(queue.contains("location=\"'Entities'!A3\" display=\"account:cem\""))
    }
}
