import Encodings
import Testing

@testable import Rules

struct `The first sources of a finding` {
    private static let names =
        ["a.csv:2", "a.csv:10", "\u{e9}.csv:3", "\u{e9}.csv:1", "e\u{301}.csv:3", "e\u{301}.csv:2", "f.csv:1"]

    private func first(of names: [String]) -> [[UInt8]] {
        var sources = FirstSources()
        for name in names { sources.insert(ExactText(name)) }
        return sources.names.map { Array($0.utf8) }
    }

    @Test func `are by table and line, in whatever order they come and however they are spelled`() {
        let order = [0, 1, 5, 4, 6, 3, 2].map { Array(Self.names[$0].utf8) }
        #expect(first(of: Self.names) == order)
        #expect(first(of: Self.names.reversed()) == order)
        #expect(first(of: Self.names + Self.names) == order)
    }

    @Test func `are ten`() {
        let names = (0..<30).map { "a.csv:\($0)" }
        #expect(first(of: names.reversed()) == names.prefix(10).map { Array($0.utf8) })
    }
}
