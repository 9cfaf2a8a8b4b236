import Testing

@testable import Engine

struct `Matching sold units with those that are shown` {
    /// Days that follow each other.
    private func missing(sold: [Int], shown: [Int]) -> [Int] {
        UnitMatch.missing(days: Array(0..<sold.count), sold: sold, shown: shown)
    }

    @Test func `finds what a day lacks`() {
        #expect(missing(sold: [3, 3, 3], shown: [3, 1, 3]) == [0, 2, 0])
        #expect(missing(sold: [5], shown: [0]) == [5])
        #expect(missing(sold: [], shown: []) == [])
    }

    @Test func `takes a unit of the day before or after`() {
        #expect(missing(sold: [0, 1], shown: [1, 0]) == [0, 0])
        #expect(missing(sold: [1, 0], shown: [0, 1]) == [0, 0])
    }

    @Test func `takes none of another day, and none twice`() {
        #expect(missing(sold: [0, 0, 1], shown: [1, 0, 0]) == [0, 0, 1])
        #expect(missing(sold: [1, 0, 1], shown: [0, 1, 0]) == [0, 0, 1])
        #expect(UnitMatch.missing(days: [1, 3], sold: [1, 0], shown: [0, 1]) == [1, 0])
    }

    @Test func `lets each unit between move by a day, as where the clocks of two countries differ`() {
        // Some of each day's units, 0, 3, 5 and 2, are in the report of the next one.
        #expect(missing(sold: [7, 12, 8, 13], shown: [10, 14, 5, 11]) == [0, 0, 0, 0])
    }

    @Test func `leaves a gap where it is, whatever is left over far away`() {
        #expect(missing(sold: [2, 2, 2, 2, 2, 0], shown: [0, 2, 2, 2, 2, 2]) == [2, 0, 0, 0, 0, 0])
    }

    @Test(arguments: [Int.max, 1 << 40]) func `overflows nowhere`(count: Int) {
        #expect(missing(sold: [count, 0, count], shown: [0, count, count]) == [0, 0, 0])
    }
}
