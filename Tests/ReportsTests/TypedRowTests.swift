import Encodings
import Engine
import Testing

@testable import Reports

struct `A typed row` {
    @Test func `reads back as it was written`() {
        var row = TypedRow()
        row.text("ü =1")
        row.code("high")
        row.code("")
        row.empty()
        row.number(-5)
        row.number(.max)
        row.date(Instant(milliseconds: -1500))
        row.hex([0xab, 0x01].span)
        row.endRow()
        row.text("next")
        row.endRow()
        let bytes = row.takeBytes()
        #expect(
            cells(of: bytes) == [
                "text ü =1", "text high", "empty", "empty", "number -5", "number \(Int.max)", "date -1500", "text ab01",
                "end", "text next", "end",
            ])
    }

    @Test func `has two empty cells of one byte each where findings go`() {
        var row = TypedRow()
        ReceiptsTable.writeNoFindings(to: &row)
        #expect(row.takeBytes().count == ReportFormat.xlsx.receiptsEncoder.emptyLength)
    }

    private func cells(of bytes: [UInt8]) -> [String] {
        var reader = TypedCells(bytes.span)
        var cells: [String] = []
        while let cell = reader.next() {
            switch cell {
            case .endOfRow: cells.append("end")
            case .empty: cells.append("empty")
            case .text(let range):
                #expect(bytes[range.upperBound - 1] == 0)
                cells.append("text " + String(decoding: bytes[range.dropLast()], as: UTF8.self))
            case .number(let number): cells.append("number \(number)")
            case .date(let date): cells.append("date \(date.milliseconds)")
            }
        }
        return cells
    }
}

struct `A date in a workbook` {
    @Test(arguments: [
        ("1900-03-01T00:00:00Z", 61.0), ("1970-01-01T00:00:00Z", 25_569), ("2026-06-30T12:00:00Z", 46_203.5),
        ("9999-12-31T00:00:00Z", 2_958_465),
    ])
    func `is a number of days`(date: String, days: Double) throws {
        #expect(WorkbookDate.number(of: try #require(Instant(rfc3339: date))) == days)
    }

    @Test(arguments: [-2_203_891_201, 253_402_300_800, .min, .max] as [Int64])
    func `is none where a spreadsheet has none`(seconds: Int64) {
        #expect(WorkbookDate.number(of: Instant(seconds: seconds)) == nil)
    }

    @Test func `loses milliseconds, as in every other format`() {
        #expect(WorkbookDate.number(of: Instant(milliseconds: 1999)) == 25_569 + 1.0 / 86_400)
    }
}
