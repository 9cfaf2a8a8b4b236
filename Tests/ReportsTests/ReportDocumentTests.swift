import Encodings
import Inputs
import Rules
import Testing

@testable import Reports

struct `A report for people` {
    @Test(arguments: [nil, ReportRequest.Table.fraud])
    func `says before the first finding how many are not on the page, and where they are`(
        table: ReportRequest.Table?
    ) throws {
        let report = SampleReport(
            findings: (0..<5004).map { DocumentSamples.compared("\($0)", rule: "shared-receipt", .high) })
        let html = try report.html(table)
        let note = try #require(html.firstRange(of: "These are 100 of 5,004 findings"))
        #expect(html[note.upperBound...].prefix(260).contains("--report fraud"))
        #expect(note.lowerBound < (try #require(html.firstRange(of: "<tr id=\"finding-"))).lowerBound)
        let markdown = try report.markdown(table)
        #expect(markdown.contains(table == nil ? "… and " : "These are 100 of 5,004 findings"))
    }

    @Test func `has the rules with the worst findings first, then in the order of the rule book`() throws {
        let findings = [
            ("shared-receipt", Severity.critical), ("untrusted-signer", .critical), ("forged-signature", .low),
        ]
        .map { DocumentSamples.compared("x", rule: $0, $1) }
        let counts = try SampleReport(findings: findings).stored().findingCounts()
        #expect(counts.byRule.map(\.rule) == ["untrusted-signer", "shared-receipt", "forged-signature"])
    }

    @Test func `shows the first products and the last months of many`() {
        let rows = (1...500).map { [Summary.Cell.code("\($0)"), .number($0)] }
        let products = Summary.Section("products", "", columns: ["product", "claims"], rows: rows)
        #expect(products.shownRows.first == rows.first)
        #expect(products.omissionNote == "and 380 more: see a summary report in CSV or JSON")
        let months = Summary.Section("months", "", columns: ["month", "valid"], rows: rows)
        #expect(months.shownRows.last == rows.last)
        #expect(months.omissionNote == "and 476 earlier: see a summary report in CSV or JSON")
    }

    @Test func `says so if there was nothing`() throws {
        let report = SampleReport(summary: Summary(sections: []))
        #expect(try report.document().verdict == ["There were no claims to audit.", "No rule found anything."])
        #expect(try report.markdown().contains("None.\n"))
        #expect(try report.html().contains("<p>None.</p>"))
    }

    @Test(arguments: [
        ("a/b-1.csv", "a/b-1.csv"), ("", "''"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("$(rm)`x`", "'$(rm)`x`'"),
        ("a\nb'", "$'a\\u000ab\\''"), ("*.csv", "'*.csv'"), ("~", "'~'"), ("\u{202e}", "$'\\u202e'"),
        ("'\u{301}", "''\\''\u{301}'"),
    ])
    func `quotes words of the command line for a shell`(word: String, quoted: String) {
        #expect(CommandWord.quoted(word) == quoted)
    }

    @Test func `repeats a run with a name that looks like an option`() {
        var run = RunDescription(
            version: "1", openSSL: "3", asOf: DocumentSamples.asOf, inputs: ["-x", "-"], roots: [])
        run.manifest = "my devices.csv"
        run.baseline = "old.csv"
        #expect(
            run.command
                == "audit run ./-x - --devices 'my devices.csv' --baseline old.csv --as-of 2026-06-30T00:00:00Z")
    }
}

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
        let report = report(section)
        #expect(
            try report.html().contains("<li><strong>first word</strong> what is counted</li>"))
        #expect(try report.markdown().contains("\n- **first word**: what is counted\n"))
    }

    @Test func `has nothing that only programs read, and data have nothing that only people read`() throws {
        var (programs, people) = (
            section("subscription_a", ["month", "a"]), section("subscription_b", ["month", "b"])
        )
        (programs.title, programs.readers) = ("Long form", .programs)
        (people.title, people.readers) = ("Short form", .people)
        let report = report(programs, people)
        for text in try [report.html(), report.markdown()] {
            #expect(text.contains("Short form") && !text.contains("Long form"))
        }
        #expect(report.summary.data.map(\.id) == ["subscription_a"])
    }

    @Test func `draws what is neither good nor bad in colours that do not say so`() throws {
        let chart = try #require(
            MonthColumns.chart(section("subscription_x", ["month", "a", "b", "c"])))
        for style in ["first", "second", "third"] { #expect(chart.svg.contains("class=\"\(style)\"")) }
        for style in ["good", "bad", "odd"] { #expect(!chart.svg.contains("class=\"\(style)\"")) }
    }

    @Test func `draws parts, and not beside them what they are parts of`() throws {
        let renewals = section("subscription_renewals", ["month", "started", "renewals", "moves"])
        let chart = try #require(Chart.of(renewals))
        #expect(
            chart.title == "Title" && chart.svg.contains(">started</text>") && chart.svg.contains(">renewals</text>"))
        #expect(!chart.svg.contains("moves"))
    }

    @Test func `shows the latest months in the chart and in the table`() throws {
        let section = section("subscription_x", ["month", "a"])
        let chart = try #require(MonthColumns.chart(section))
        #expect(chart.svg.contains("2021-05 to 2023-04") && chart.note == "The last 24 months.")
        #expect(section.shownRows.map { $0[0].plainText }.first == "2021-05")
    }

    private func report(_ sections: Summary.Section...) -> SampleReport {
        SampleReport(summary: Summary(sections: sections))
    }
}
