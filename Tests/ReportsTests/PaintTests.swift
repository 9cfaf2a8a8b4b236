import Checks
import Rules
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
