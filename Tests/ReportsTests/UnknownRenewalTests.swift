import Encodings
import Rules
import Testing

@testable import Reports
@testable import Subscriptions

/// What becomes, on pages and in workbooks, of subscriptions of which no proof says whether they were renewed.
struct `A renewal that is not known` {
    private static let columns = ["cohort"] + (1...3).map(String.init)

    /// Retention of one cohort: known, partly known, and not known at all.
    private static let retention = Summary.Section(
        Summary.retentionID, "Retention by renewal", columns: columns,
        rows: [
            [
                .code("2026-01"), .share(9, of: 10), .knownShare(3, of: 4, unknown: 6),
                .knownShare(0, of: 0, unknown: 10),
            ]
        ])

    private static let june = Month(Instant(seconds: 1_780_272_000))

    private static let churn = Summary.Section(
        "subscription_churn", "Churn",
        columns: ["month", "active_at_start", "lost", "not_refreshed", "resubscribed", "churn"],
        rows: [
            [.code("2026-02"), .number(40), .number(4), .number(0), .number(1), .share(4, of: 40)],
            [.code("2026-03"), .number(40), .number(4), .number(0), .number(1), .share(4, of: 40)],
            [.code("2026-04"), .number(7), .number(0), .number(7), .number(0), .share(0, of: 0)],
            [.code("2026-05"), .number(40), .number(5), .number(7), .number(1), .share(5, of: 33)],
            [.cutMonth(june), .number(40), .number(1), .number(0), .number(0), .share(1, of: 40)],
        ])

    @Test func `is in no share of the figure, and counted beside it`() {
        let cells = Self.retention.rows[0]
        #expect(cells.map(\.displayText) == ["2026-01", "90.0 %", "75.0 %, 6 ?", "10 ?"])
        #expect(cells[2].plainText == "0.750")
    }

    @Test func `is a hatched part of its cell, and a question mark where nothing is known`() throws {
        let svg = try #require(HeatMap.chart(Self.retention)).svg
        #expect(svg.contains("<title>2026-01, 1: 90.0 %, 9 of 10</title>"))
        #expect(svg.contains("<title>2026-01, 2: 75.0 %, 3 of 4; 6 not known</title>"))
        #expect(svg.contains("<title>2026-01, 3: 10 not known</title>"))
        // Six of ten in a cell that is 40 wide, and all of it.
        #expect(
            svg.contains("width=\"24\" height=\"5\" class=\"third\"")
                && svg.contains("width=\"40\" height=\"5\" class=\"third\""))
        #expect(svg.matches(of: /url\(#[a-z-]+-hatch\)/).count == 2 && svg.contains(">?</text>"))
        // Only what is known has a colour of retention.
        #expect(svg.matches(of: /class="heat"/).count == 2)
    }

    @Test func `is explained below the chart, if there is any`() throws {
        #expect(
            try #require(HeatMap.chart(Self.retention)).note.contains(
                "Hatched at the bottom: the part that is not known"))
        var known = Self.retention
        known.rows = [[.code("2026-01")] + (1...3).map { .share($0, of: 3) }]
        #expect(try #require(HeatMap.chart(known)).note.contains("Hatched") == false)
    }

    @Test func `widens the band of the rate, and nothing is drawn for a rate without a whole`() throws {
        let chart = try #require(Chart.of(Self.churn))
        #expect(chart.title == "Churn")
        #expect(chart.svg.contains("<title>2026-03: 10 % churn</title>"))
        #expect(chart.svg.contains("<title>2026-04: churn not known, 0 % to 100 %</title>"))
        #expect(chart.svg.contains("<title>2026-05: 15.2 % churn, 12.5 % to 30 %</title>"))
        // The two bands, and the legend's; the line ends where nothing is known.
        #expect(chart.svg.matches(of: /class="band"/).count == 3)
        #expect(chart.svg.matches(of: /class="rate"/).count == 1)
    }

    @Test func `ends the line before a month that is not over, whose point stands alone`() throws {
        let svg = try #require(Chart.of(Self.churn)).svg
        // The points of May and June, and the legend's.
        #expect(svg.matches(of: /class="first"/).count == 3)
        let line = try #require(svg.firstMatch(of: /<polyline points="([^"]*)"/)).1
        #expect(line.split(separator: " ").count == 2)
    }

    @Test func `hatches the month that is not over under columns, too`() throws {
        let renewals = Summary.Section(
            "subscription_renewals", "Renewals", columns: ["month", "started", "renewals"],
            rows: [[.code("2026-05"), .number(9), .number(9)], [.cutMonth(Self.june), .number(1), .number(1)]])
        let svg = try #require(Chart.of(renewals)).svg
        #expect(svg.matches(of: /class="cut"/).count == 2 && svg.contains(">not over</text>"))
    }

    @Test func `is another thing than a month that is not over, which is hatched`() throws {
        let svg = try #require(Chart.of(Self.churn)).svg
        #expect(svg.contains("<title>2026-06: 2.5 % churn; the month is not over</title>"))
        #expect(svg.matches(of: /class="cut"/).count == 2 && svg.contains(">not over</text>"))
    }

    @Test func `is between the lines of the least and the most in the workbook's chart of churn`() throws {
        var churn = Self.churn
        churn.columns += ["churn_low", "churn_high"]
        for index in churn.rows.indices { churn.rows[index] += [.share(1, of: 40), .share(2, of: 40)] }
        let chart = try #require(SummaryChart.charts(of: [churn]).first)
        #expect(chart.series.map { churn.chartName(ofColumn: $0.column) } == ["churn", "churn low", "churn high"])
        #expect(chart.kind == .lines && chart.isShare)
    }
}
