import Encodings
import Engine
import Subscriptions
import Testing

@testable import Reports

struct `The chart of an amount by month` {
    /// A run with the closing amounts of a year, in USD.
    private static func charts(_ months: [(month: String, value: Int, high: Int)]) throws -> [Chart] {
        let folder = try TemporaryFolder()
        let setting = ReportSetting(asOf: DocumentSamples.asOf, temporaryFolder: folder.path)
        let database = try ReportDatabase(temporary: setting, for: [ReportRequest(nil, .html, path: "-")])
        for (month, value, high) in months {
            let cells: [CellValue] = [
                .code("mrr_closing"), .empty, .empty, .empty, .empty, .code(month), .code("USD"),
                .decimal(DecimalNumber(millionths: Int128(value) * 1_000_000)),
                .decimal(DecimalNumber(millionths: Int128(value) * 1_000_000)),
                .decimal(DecimalNumber(millionths: Int128(high) * 1_000_000)), .number(7), .code("Production"),
            ]
            var row = StoredRow()
            row.write(cells)
            row.endRow()
            try database.write(rows: row.takeBytes().span, of: .metrics)
        }
        let amounts = try database.complete(DocumentSamples.summary("x")).amountByMonth("mrr_closing")
        return MoneyLine.charts(amounts, "MRR", id: "x", asOf: Instant(seconds: 1_782_691_200))
    }

    @Test func `has the line of what is known, and the band up to the most that it can be`() throws {
        let chart = try #require(try Self.charts([("2026-04", 100, 120), ("2026-05", 110, 150)]).first)
        #expect(chart.title == "MRR, USD" && chart.note.isEmpty)
        #expect(chart.svg.contains("<title>2026-05: 110.00 USD MRR, 110.00 USD to 150.00 USD</title>"))
        #expect(chart.svg.contains(">200</text>") && chart.svg.matches(of: /class="rate"/).count == 1)
    }

    @Test func `cuts a band that would make the line flat, and says how far it goes`() throws {
        let chart = try #require(try Self.charts([("2026-04", 100, 120), ("2026-05", 110, 15_000)]).first)
        #expect(chart.note == "The band goes on above the axis, to 15,000.00 USD at most.")
        // A quarter more than what is known, in whole steps.
        #expect(chart.svg.contains(">200</text>") && chart.svg.matches(of: /class="open"/).count == 1)
    }

    @Test func `hatches the month that is not over`() throws {
        let chart = try #require(try Self.charts([("2026-05", 100, 100), ("2026-06", 110, 110)]).first)
        #expect(chart.svg.contains("<title>2026-06: 110.00 USD MRR; the month is not over</title>"))
        #expect(chart.svg.contains(">not over</text>") && !chart.svg.contains("class=\"band\""))
    }

    @Test func `is none without amounts`() throws {
        #expect(try Self.charts([]).isEmpty)
    }
}
