import Encodings
import Foundation
import Testing

/// A dictionary whose encoding does not depend on how it came about.
struct `A dictionary that is encoded by key` {
    private struct Table: Codable, Equatable {
        @SortedByKey var counts: [ExactText: Int] = [:]
    }

    private func text(_ table: Table) throws -> String {
        String(decoding: try JSONEncoder().encode(table), as: UTF8.self)
    }

    @Test func `has its keys in order, each with its value`() throws {
        let table = Table(counts: ["b": 2, "a": 1, "c": 3, "": 0])
        #expect(try text(table) == #"{"counts":["",0,"a",1,"b",2,"c",3]}"#)
    }

    @Test func `is encoded alike, in whatever order the keys were added`() throws {
        var (first, second) = (Table(), Table())
        for number in 0..<200 { first.counts[ExactText("key \(number)")] = number }
        for number in (0..<200).reversed() { second.counts[ExactText("key \(number)")] = number }
        #expect(try text(first) == text(second))
    }

    @Test func `is decoded to what it was`() throws {
        let table = Table(counts: ["e\u{301}": 1, "\u{e9}": 2, "x": 3])
        #expect(table.counts.count == 3)
        #expect(try JSONDecoder().decode(Table.self, from: Data(text(table).utf8)) == table)
    }

    @Test(arguments: [#"{"counts":["a"]}"#, #"{"counts":["a",1,"b"]}"#, #"{"counts":[1,"a"]}"#, #"{"counts":{}}"#])
    func `is refused if its keys and values do not alternate`(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Table.self, from: Data(text.utf8)) }
    }
}
