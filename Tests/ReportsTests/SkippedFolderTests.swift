import Checks
import Encodings
import Engine
import Inputs
import Rules
import Subscriptions
import Testing

@testable import Reports

struct `The summary of unreadable folders` {
    private static func rows(folders: Int) throws -> [[Summary.Cell]] {
        var run = RunDescription(version: "1", openSSL: "3", asOf: Instant(seconds: 0), inputs: ["in"], roots: [])
        for number in 0..<folders { run.omissions.skipped.note(unreadableFolder: "\(number)") }
        let figures = SubscriptionFigures(asOf: Instant(seconds: 0), policy: Policy())
        let summary = Summary(Tally(), Breakdown(), FindingTally(), figures, run, Policy())
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
