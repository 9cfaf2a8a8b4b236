import Checks
import Encodings
import Engine
import Inputs
import Rules
import Subscriptions
import Testing

@testable import Reports

struct `Paint for a terminal` {
    @Test func `colours a text, and nothing behind it`() {
        #expect(Paint(isColored: true)("new", .green) == "\u{1b}[32mnew\u{1b}[0m")
        #expect(Paint(isColored: true)("new", .green, to: 5) == "\u{1b}[32mnew\u{1b}[0m  ")
    }

    @Test func `is left out where nobody wants it, and the blanks stay`() {
        #expect(Paint(isColored: false)("new", .green) == "new")
        #expect(Paint(isColored: false)("new", .green, to: 5) == "new  ")
    }

    @Test func `cuts nothing that is too wide`() { #expect(Paint(isColored: false)("new", .green, to: 2) == "new") }

    @Test func `tells verdicts and severities by their colours`() {
        #expect([Verdict.valid, .invalid, .unreadable].map { Paint.Color($0) } == [.green, .red, .yellow])
        let severities: [Severity] = [.info, .low, .medium, .high, .critical]
        #expect(severities.map { Paint.Color($0) } == [.dim, .dim, .yellow, .red, .red])
    }
}

struct `A text in a column` {
    @Test func `stands at its left or at its right`() {
        #expect(TextLayout.padded("7", to: 3) == "7  ")
        #expect(TextLayout.right("7", to: 3) == "  7")
    }

    @Test func `is whole where the column is too narrow`() {
        #expect(TextLayout.padded("700", to: 2) == "700")
        #expect(TextLayout.right("700", to: 2) == "700")
    }
}

struct `The summary of unreadable folders` {
    private static func rows(folders: Int) throws -> [[Summary.Cell]] {
        var run = RunDescription(version: "1", openSSL: "3", asOf: Instant(seconds: 0), inputs: ["in"], roots: [])
        for number in 0..<folders { run.omissions.skipped.add(unreadableFolder: "\(number)") }
        let figures = SubscriptionFigures(asOf: Instant(seconds: 0), policy: Policy())
        let summary = Summary(
            Tally(), Breakdown(), FindingTally(), figures, run, Policy(), unknown: UnknownTally())
        return try #require(summary.sections.first { $0.id == "skipped" }).rows
    }

    @Test func `names each, if they are few`() throws {
        #expect(
            try Self.rows(folders: 2) == [
                [.code("folder that cannot be opened"), .number(1), .text("0")],
                [.code("folder that cannot be opened"), .number(1), .text("1")],
            ])
    }

    @Test func `says how many there are besides the hundred that it names`() throws {
        let rows = try Self.rows(folders: 130)
        #expect(rows.count == 101)
        #expect(rows.last == [.code("more folders that cannot be opened"), .number(30), .none])
    }
}
