import Checks
import Encodings
import Engine
import Inputs
import Rules
import Testing

@testable import Reports

struct `A table` {
    private static let finding = DocumentSamples.compared("a", rule: "shared-receipt", .high, .new)

    /// The kind of cells of each column.
    private func kinds(_ schema: TableSchema) -> [String] {
        schema.columns.map { [.verdict, .severity].contains($0.kind) ? "code" : "\($0.kind)" }
    }

    /// The kinds of the cells that are not empty, and of their columns.
    private func compare(_ row: some TableRow) throws -> (found: [String], declared: [String]) {
        let found = KindRecorder.kinds(of: row)
        let declared = kinds(type(of: row).schema)
        try #require(found.count == declared.count)
        let pairs = zip(found, declared).filter { $0.0 != "empty" }
        return (pairs.map(\.0), pairs.map(\.1))
    }

    @Test func `of findings has cells of the kinds that its columns declare`() throws {
        let kinds = KindRecorder.kinds(of: Self.finding)
        #expect(kinds == self.kinds(FraudTable.schema))
    }

    @Test(arguments: [ComparedFinding.Change.new, .persisting, .resolved, nil])
    func `of findings has the same columns whatever there is to compare with`(
        change: ComparedFinding.Change?
    ) throws {
        var compared = Self.finding
        (compared.change, compared.firstSeen, compared.finding.atStake) = (change, nil, nil)
        let (found, declared) = try compare(compared)
        #expect(found == declared)
    }

    @Test func `of links has cells of the kinds that its columns declare`() throws {
        let (found, declared) = try compare(LinkSamples.link("a"))
        #expect(found.count == LinksTable.schema.columns.count)
        #expect(found == declared)
    }

    @Test func `of entities has cells of the kinds that its columns declare, whatever is known`() throws {
        for row in [EntitySamples.entity("a"), EntityRow(Entity(.signer, "b"))] {
            let (found, declared) = try compare(row)
            #expect(found == declared)
        }
        #expect(KindRecorder.kinds(of: EntitySamples.entity("a")) == kinds(EntitiesTable.schema))
    }

    @Test func `of claims has a cell for each column, and its risk where findings are filled in`() {
        let columns = ReceiptsTable.schema.columns
        let empty = NDJSONFormat.receiptsEncoder(maxRows: nil).emptyLength
        #expect(columns[ReceiptsTable.riskColumn].kind == .severity)
        #expect(empty == ",\"risk\":null,\"rules\":[]".utf8.count)
    }

    @Test func `of claims has cells of the kinds that its columns declare`() {
        var row = KindRecorder()
        let facts = Facts(claim: Claim(source: "a"))
        ReceiptsTable.write(facts, to: &row, findings: ReceiptsTable.writeNoFindings)
        #expect(row.kinds.count == ReceiptsTable.columns.count)
        let written = zip(row.kinds, kinds(ReceiptsTable.schema)).filter { $0.0 != "empty" }
        #expect(written.allSatisfy { $0.0 == $0.1 })
    }

    @Test func `has the name of its request`() {
        #expect(TableSchema.all.map(\.name) == ReportRequest.Table.allCases.map(\.rawValue))
    }

    @Test func `is written in lines that name it, with the same row in CSV`() {
        var (bytes, lines) = ([UInt8](), TableLineWriter(withCSV: true))
        lines.write(Self.finding, to: &bytes)
        let line = String(decoding: bytes, as: UTF8.self)
        var csv = CSVRow()
        Self.finding.write(to: &csv)
        let row = String(decoding: csv.bytes, as: UTF8.self).replacing("\"", with: "\\\"")
        #expect(line.hasPrefix("{\"table\":\"fraud\",\"severity\":\"high\","))
        #expect(row.hasPrefix("high,shared-receipt,a,2,2,0,"))
        #expect(line.hasSuffix(",\"csv\":\"\(row)\"}\n"))
    }
}

/// Records the kinds of the cells of a row; an empty code or text is an empty cell.
struct KindRecorder: CellWriter {
    private(set) var kinds: [String] = []

    static func kinds(of row: some TableRow) -> [String] {
        var recorder = KindRecorder()
        row.write(to: &recorder)
        return recorder.kinds
    }

    mutating func text(_ text: String) { kinds.append(text.isEmpty ? "empty" : "text") }
    mutating func code(_ code: String) { kinds.append(code.isEmpty ? "empty" : "code") }
    mutating func hex(_ bytes: Span<UInt8>) { kinds.append("hex") }
    mutating func number(_ number: Int) { kinds.append("number") }
    mutating func decimal(_ number: DecimalNumber) { kinds.append("decimal") }
    mutating func date(_ date: Instant) { kinds.append("date") }
    mutating func empty() { kinds.append("empty") }
}
