import Corpus
import Files
import FoundationEssentials
import Sorting
import Testing

struct `A record sorter` {
    @Test(arguments: [0, 1, 1000, Exhaustive.count(60_000, sampled: 10_000)])
    func `gives back every record in byte order, in memory and from runs alike`(count: Int) throws {
        var generator = Seeded(state: 7)
        let records = (0..<count).map { _ in generator.record() }
        let expected = records.sorted { $0.lexicographicallyPrecedes($1) }
        for budget in [1 << 30, 64 << 10] {
            #expect(try sorted(records, budget: budget) == expected, "with a budget of \(budget) bytes")
        }
    }

    @Test func `gives equal records back as often as they went in`() throws {
        let records = [[UInt8]](repeating: [1, 2, 3], count: Exhaustive.count(50_000, sampled: 10_000))
        #expect(try sorted(records, budget: 64 << 10) == records)
    }

    @Test func `puts a record before every longer one that it begins`() throws {
        let records: [[UInt8]] = [[1, 2], [], [1], [1, 2, 0], [0, 0, 0, 0, 0, 0, 0, 0], [0]]
        #expect(
            try sorted(records, budget: 1 << 20) == [
                [], [0], [0, 0, 0, 0, 0, 0, 0, 0], [1], [1, 2], [1, 2, 0],
            ])
    }

    @Test func `leaves no file behind`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "audit-sort-\(UUID())").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let sorter = RecordSorter(budget: 64 << 10, folder: folder)
        for number in 0..<Exhaustive.count(100_000, sampled: 20_000) { try sorter.add(Array("\(number)".utf8)) }
        let merge = try RunMerge(sorter.finish())
        #expect(!merge.isAtEnd)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test func `says where it could not write`() throws {
        let sorter = RecordSorter(budget: 64 << 10, folder: "/nowhere/at/all")
        let error = #expect(throws: FileError.self) {
            for number in 0..<Exhaustive.count(100_000, sampled: 20_000) { try sorter.add(Array("\(number)".utf8)) }
        }
        #expect(error?.description.contains("/nowhere/at/all") == true)
    }

    private func sorted(_ records: [[UInt8]], budget: Int) throws -> [[UInt8]] {
        let sorter = RecordSorter(budget: budget, folder: FileManager.default.temporaryDirectory.path())
        for record in records { try sorter.add(record) }
        let runs = try sorter.finish()
        let whole = try merged(runs, slice: nil)
        let slices = try (0..<PrefixSlice.count).flatMap { try merged(runs, slice: PrefixSlice($0)) }
        #expect(slices == whole)
        return whole
    }

    private func merged(_ runs: [SortedRun], slice: PrefixSlice?) throws -> [[UInt8]] {
        var merge = try RunMerge(runs, slice: slice)
        var result: [[UInt8]] = []
        while !merge.isAtEnd {
            merge.withRecord { record in result.append(record.indices.map { record[$0] }) }
            try merge.advance()
        }
        return result
    }
}

extension RecordSorter {
    /// Adds a record. Its first bytes are its prefix.
    fileprivate func add(_ record: [UInt8]) throws {
        try add((0..<8).reduce(0) { $0 << 8 | ($1 < record.count ? UInt64(record[$1]) : 0) }, record.span)
    }
}

extension Seeded {
    /// Up to 40 bytes out of few values, so that many records share a beginning.
    fileprivate mutating func record() -> [UInt8] {
        (0..<below(41)).map { _ in UInt8(below(3)) }
    }
}
