import Testing

@testable import Ledgers

struct `Which tiers are merged` {
    private static let few: [[Int64]] = [
        [], [1], Array(repeating: 10_000, count: 7), [1_000_000] + Array(repeating: 10_000, count: 7),
    ]

    @Test(arguments: few)
    func `is none if there are few of any size`(rows: [Int64]) {
        #expect(Self.merged(rows) == [])
    }

    @Test func `is eight of one size, and what is smaller, but nothing larger`() {
        let small: [Int64] = [5, 100] + [Int64](repeating: 10_000, count: 8)
        #expect(Self.merged(small + [40_000, 1_000_000]) == small)
    }

    @Test func `is more if they become one of eight`() {
        let all = [Int64](repeating: 80_000, count: 7) + [Int64](repeating: 10_000, count: 8)
        #expect(Self.merged(all + [1_000_000]) == all.sorted())
    }

    @Test func `leaves few tiers, and writes a row anew only now and then`() {
        var tiers: [Int64] = [1_000_000]
        var written: Int64 = 0
        for night in 1...2000 {
            tiers.append(10_000)
            let merged = Self.merged(tiers)
            written += merged.reduce(0, +)
            for rows in merged { if let place = tiers.firstIndex(of: rows) { tiers.remove(at: place) } }
            if !merged.isEmpty { tiers.append(merged.reduce(0, +)) }
            #expect(tiers.count <= 30, "after \(night) nights")
        }
        #expect(tiers.reduce(0, +) == 21_000_000)
        #expect(written < 4 * 21_000_000)
    }

    /// How many rows those have that are merged, in ascending order.
    private static func merged(_ rows: [Int64]) -> [Int64] {
        TierPlan(rows.enumerated().map { Tier(number: Int64($0.offset), rows: $0.element) }).merged.map(\.rows).sorted()
    }
}
