import Testing

@testable import Reports

/// What a page shows of the figures of subscriptions.
struct `A page of subscriptions` {
    private func section(_ id: String, _ columns: [String]) -> Summary.Section {
        Summary.Section(
            id, "Title", "It means this.", columns: columns,
            rows: (1...40).map { number in
                [.code("\(2020 + (number - 1) / 12)-\(101 + (number - 1) % 12)".replacing("-1", with: "-"))]
                    + columns.indices.dropFirst().map { .number(number * $0) }
            })
    }

    @Test func `has a definition beside each word that is counted`() throws {
        var section = section("subscription_x", ["month", "first_word"])
        section.terms = [.init(name: "first_word", meaning: "what is counted")]
        let document = document(section)
        #expect(
            HTMLWriter.text(of: document).contains("<div><dt>first word</dt><dd>what is counted</dd></div>"))
        #expect(MarkdownWriter.text(of: document).contains("\n- **first word**: what is counted\n"))
    }

    @Test func `has nothing that only programs read, and data have nothing that only people read`() throws {
        var (programs, people) = (
            section("subscription_a", ["month", "a"]), section("subscription_b", ["month", "b"])
        )
        (programs.title, programs.readers) = ("Long form", .programs)
        (people.title, people.readers) = ("Short form", .people)
        let document = document(programs, people)
        for text in [HTMLWriter.text(of: document), MarkdownWriter.text(of: document)] {
            #expect(text.contains("Short form") && !text.contains("Long form"))
        }
        #expect(document.summary.data.map(\.id) == ["subscription_a"])
    }

    @Test func `draws what is neither good nor bad in colours that do not say so`() throws {
        let chart = try #require(
            MonthColumns.chart(section("subscription_x", ["month", "a", "b", "c"]), isStacked: false))
        for style in ["first", "second", "third"] { #expect(chart.svg.contains("class=\"\(style)\"")) }
        for style in ["good", "bad", "odd"] { #expect(!chart.svg.contains("class=\"\(style)\"")) }
    }

    @Test func `draws parts, and not beside them what they are parts of`() throws {
        let churn = section(
            "subscription_churn", ["month", "active_at_start", "lost", "resubscribed", "not_refreshed"])
        let chart = try #require(MonthColumns.chart(churn, isStacked: false))
        #expect(chart.title == "Title: lost, resubscribed, not refreshed")
    }

    @Test func `shows the latest months in the chart and in the table`() throws {
        let section = section("subscription_x", ["month", "a"])
        let chart = try #require(MonthColumns.chart(section, isStacked: false))
        #expect(chart.svg.contains("2021-05 to 2023-04") && chart.note == "The last 24 months.")
        #expect(section.shownRows.map { $0[0].plainText }.first == "2021-05")
    }

    private func document(_ sections: Summary.Section...) -> ReportDocument {
        ReportDocument(
            table: nil, summary: Summary(sections: sections), findings: FindingGroups(), withChange: false)
    }
}
