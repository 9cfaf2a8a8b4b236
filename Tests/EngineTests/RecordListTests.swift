import Foundation
import Sorting
import Testing

@testable import Engine

/// Records of all claims that one run leaves to the next.
struct `A list of records` {
    private let storage = Storage(memory: 1 << 20, folder: FileManager.default.temporaryDirectory.path())

    private func runs(_ records: [(UInt64, [UInt8])]) throws -> [SortedRun] {
        let sorters = [0, 1].map { _ in RecordSorter(budget: 1 << 20, folder: storage.folder) }
        for (index, record) in records.enumerated() {
            try sorters[index % 2].add(record.0, record.1.span)
        }
        return try sorters.flatMap { try $0.finish() }
    }

    private func records(_ runs: [SortedRun]) throws -> [[UInt64]] {
        var merge = try RunMerge(runs)
        var found: [[UInt64]] = []
        while !merge.isAtEnd {
            let prefix = merge.prefix
            found.append([prefix] + merge.withRecord { record in record.indices.map { UInt64(record[$0]) } })
            try merge.advance()
        }
        return found
    }

    private static let some: [(UInt64, [UInt8])] = (0..<500).map { index in
        (UInt64(index % 50) << 56 | UInt64(index), [UInt8](repeating: UInt8(index % 251), count: index))
    }

    @Test(arguments: [0, 1, 500]) func `has the records of all runs, in order`(count: Int) throws {
        let runs = try runs(Array(Self.some.prefix(count)))
        let list = try #require(try RecordList.bytes(runs, atMost: 1 << 20))
        #expect(try records(RecordList.runs(list, storage)) == records(runs))
        #expect(try records(runs).count == count)
    }

    @Test func `is not made if it would be too long`() throws {
        let runs = try runs(Self.some)
        let size = try #require(try RecordList.bytes(runs, atMost: 1 << 20)).count
        #expect(try RecordList.bytes(runs, atMost: size) != nil)
        #expect(try RecordList.bytes(runs, atMost: size - 1) == nil)
    }

    @Test func `is refused if it is cut off within a record`() throws {
        let list = try #require(try RecordList.bytes(try runs(Array(Self.some.suffix(2))), atMost: 1 << 20))
        for count in list.count / 2 + 9..<list.count {
            #expect(throws: RecordError.self) { _ = try RecordList.runs(Array(list.prefix(count)), storage) }
        }
    }
}
