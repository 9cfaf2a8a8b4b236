import Encodings
import Engine
import Rules
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
        row.decimal(DecimalNumber(millionths: -12_250_000))
        row.date(Instant(milliseconds: -1500))
        row.hex([0xab, 0x01].span)
        row.endRow()
        row.text("next")
        row.endRow()
        let bytes = row.takeBytes()
        #expect(
            cells(of: bytes) == [
                "text ü =1", "text high", "empty", "empty", "number -5", "number \(Int.max)",
                "decimal -12.25", "date -1500", "text ab01", "end", "text next", "end",
            ])
    }

    @Test func `has two empty cells of one byte each where findings go`() throws {
        let encoder = ReceiptsTable.encoder(in: WorkbookFormat.self)
        #expect(encoder.emptyLength == 2)
    }

    @Test(arguments: [1, 2, 3, 7, 30, 1000]) func `is whole again, whatever the pieces in which it arrives`(size: Int) {
        var row = TypedRow()
        for number in 0..<40 {
            row.text(String(repeating: "ü", count: number * 7))
            row.empty()
            row.number(number)
            row.date(Instant(milliseconds: Int64(number)))
            row.endRow()
        }
        let written = row.takeBytes()
        var (rows, found) = (TypedRows(), [[String]]())
        for start in stride(from: 0, to: written.count, by: size) {
            let piece = Array(written[start..<min(start + size, written.count)])
            let whole = rows.whole(with: piece.span)
            #expect(whole.isEmpty || whole.last == written.last)
            found.append(cells(of: whole))
        }
        #expect(found.flatMap { $0 } == cells(of: written))
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
            case .decimal(let number): cells.append("decimal \(number)")
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
        let second: Double = 25_569 + 1.0 / 86_400
        #expect(WorkbookDate.number(of: Instant(milliseconds: 1999)) == second)
    }
}

struct `Text in a workbook` {
    @Test(arguments: [
        "plain", "=1+1", "+49", "-1", "@SUM(A1)", "  =1+1", "1000000472106082", "ü — 漢 🧾", "two\nlines", "a\tb", "_x",
        "a_x00zz_b", "'quoted", "https://example.com/", "file:///etc/passwd",
    ])
    func `is written as it is`(text: String) {
        #expect(cell(text) == text)
    }

    @Test(arguments: [
        ("a\0b", "a␀b"), ("a\rb", "a␍b"), ("\u{1}\u{1f}", "␁␟"), ("a\u{fffe}b\u{ffff}", "a\u{fffd}b\u{fffd}"),
        ("a\u{7f}b", "a␡b"), ("a\u{202e}\u{200b}b", "a\\u{202e}\\u{200b}b"), ("\u{e0041}", "\\u{e0041}"),
        ("_x003D_1", "_x005F_x003D_1"), ("_x000d__x000D_", "_x005F_x000d__x005F_x000D_"),
    ])
    func `shows what a cell cannot hold, or nobody could see in it`(text: String, expected: String) {
        #expect(cell(text) == expected)
    }

    @Test(arguments: ["a", "ü", "漢", "🧾", "\0", "_x0041_", "a🧾", "\u{200b}", "\u{e0041}"])
    func `is cut where a cell ends, with a mark`(unit: String) {
        let longest = String(repeating: unit, count: 32_767 / cell(unit).utf16.count)
        #expect(cell(longest).utf16.count <= 32_767)
        #expect(!cell(longest).hasSuffix(WorkbookText.mark))

        let cut = cell(longest + unit)
        #expect((32_740...32_767).contains(cut.utf16.count))
        #expect(cut.hasSuffix(WorkbookText.mark))
        #expect(cut.dropLast(WorkbookText.mark.count).allSatisfy { cell(unit).contains($0) })
        #expect(cell(longest + longest) == cut)
    }

    private func cell(_ text: String) -> String {
        var bytes: [UInt8] = []
        WorkbookText.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
