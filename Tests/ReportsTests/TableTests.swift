import Checks
import Encodings
import Engine
import Inputs
import Rules
import Subscriptions
import Testing

@testable import Reports

struct `A table` {
    private static let finding = DocumentSamples.compared("a", rule: "shared-receipt", .high, .new)

    /// Whether each cell of a row is empty or of the kind of its column.
    private func hasCellsOfItsKinds<Table: ReportTable>(_ row: Table.Row, of table: Table.Type) -> Bool {
        zip(table.cells(of: row), table.columns).allSatisfy { $0.kind == nil || $0.kind == $1.heading.kind }
    }

    @Test(arguments: [ComparedFinding.Change.new, .persisting, .resolved, nil])
    func `of findings has cells of the kinds of its columns, whatever there is to compare with`(
        change: ComparedFinding.Change?
    ) {
        var compared = Self.finding
        (compared.change, compared.firstSeen, compared.finding.atStake) = (change, nil, nil)
        #expect(hasCellsOfItsKinds(Self.finding, of: FraudTable.self))
        #expect(hasCellsOfItsKinds(compared, of: FraudTable.self))
    }

    @Test func `of links, entities and claims has cells of the kinds of its columns`() {
        #expect(hasCellsOfItsKinds(LinkSamples.link("a"), of: LinksTable.self))
        #expect(hasCellsOfItsKinds(EntitySamples.entity("a"), of: EntitiesTable.self))
        #expect(hasCellsOfItsKinds(EntityRow(Entity(.signer, "b")), of: EntitiesTable.self))
        #expect(hasCellsOfItsKinds(Facts(claim: Claim(source: "a")), of: AnswersTable.self))
    }

    @Test(arguments: ReportRequest.Table.allCases)
    func `has columns of different names`(table: ReportRequest.Table) {
        #expect(Set(table.schema.columnNames).count == table.schema.columns.count)
    }

    @Test func `of claims has a place for findings, filled in when all claims are checked`() throws {
        let encoder = ReceiptsTable.encoder(in: NDJSONFormat.self)
        let empty = ",\"risk\":null,\"rules\":[]"
        var row: [UInt8] = []
        let place = encoder.encode(Facts(claim: Claim(source: "a")), &row)
        #expect(encoder.emptyLength == empty.utf8.count)
        #expect(String(decoding: row.dropFirst(place).prefix(encoder.emptyLength), as: UTF8.self) == empty)
        var cells: [UInt8] = []
        encoder.fill(.high, "lent-app", &cells)
        #expect(String(decoding: cells, as: UTF8.self) == ",\"risk\":\"high\",\"rules\":[\"lent-app\"]")
    }

    @Test func `is found by its name`() {
        for table in ReportRequest.Table.allCases { #expect(ReportRequest.Table(rawValue: table.rawValue) == table) }
        #expect(ReportRequest.Table(rawValue: "entity_marks") == nil)
    }

    @Test func `is written in lines that name it, with the same row in CSV`() {
        var (bytes, lines) = ([UInt8](), TableLineWriter(withCSV: true))
        lines.write(Self.finding, of: FraudTable.self, to: &bytes)
        let line = String(decoding: bytes, as: UTF8.self)
        var csv = CSVRow()
        csv.write(FraudTable.cells(of: Self.finding))
        let row = String(decoding: csv.bytes, as: UTF8.self).replacing("\"", with: "\\\"")
        #expect(line.hasPrefix("{\"table\":\"fraud\",\"severity\":\"high\","))
        #expect(row.hasPrefix("high,shared-receipt,a,2,2,0,"))
        #expect(line.hasSuffix(",\"csv\":\"\(row)\"}\n"))
    }
}

extension CellValue {
    /// The kind of column that it belongs to; `nil` for an empty cell.
    fileprivate var kind: ColumnHeading.Kind? {
        switch self {
        case .empty: nil
        case .text, .texts, .hex, .json: .text
        case .codes, .id: .code
        case .code(let code): Verdict(rawValue: code) == nil ? .code : .verdict
        case .severity: .severity
        case .number: .number
        case .decimal: .decimal
        case .date: .date
        }
    }
}
