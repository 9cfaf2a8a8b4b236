import Foundation
import Rules
import SampleStore
import Sorting
import Testing

@testable import Engine

/// Which claims are brought together with others.
struct `Keys that come again` {
    private let folder = FileManager.default.temporaryDirectory.path()
    private let wanted = WantedKeys(RuleSet(Policy(), asOf: SampleExport.asOf), isForSubscriptions: false)

    /// The claims that are picked of those of two workers, each with the hash of its key.
    private func picked(
        _ kind: KeyKind, _ claims: [(number: UInt64, hash: UInt64)], telling: UInt64? = nil, budget: Int,
        withIdentities: Bool = false
    ) throws -> [UInt64] {
        var logs = [0, 1].map { _ in KeyLog(withIdentities: withIdentities, budget: budget, folder: folder) }
        for (index, claim) in claims.enumerated() {
            let worker = index % 2
            let key = KeyRecord(
                place: WorkerClaimID(claim.number, worker: 0), kind: kind, isSignificant: claim.number == telling)
            try logs[worker].append(claim.hash, key)
        }
        let pieces = [try logs[0].finish(), try logs[1].finish()]
        var picking = RepeatedKeys(wanted, nil) { RecordSorter(budget: 1 << 20, folder: folder) }
        for slice in 0..<PrefixSlice.count {
            let storage = Storage(memory: budget, folder: folder)
            try pieces.pick(slice: slice, storage, with: &picking, isStopped: { false })
        }
        var merge = try RunMerge(picking.found.finish())
        var places: [UInt64] = []
        while !merge.isAtEnd {
            places.append(merge.prefix)
            try merge.advance()
        }
        return places
    }

    @Test(arguments: [KeyKind.device, .account, .receipt], [64 << 10, 16 << 20])
    func `are picked, and no others, be they held in memory or in files`(kind: KeyKind, budget: Int) throws {
        let claims = (0..<UInt64(20_000)).map { claim in
            (number: claim, hash: (claim == 7_000 ? 7 : claim) &* 0x9e37_79b9_7f4a_7c15)
        }
        #expect(try picked(kind, claims, telling: 9, budget: budget) == [7, 9, 7_000])
        #expect(try picked(kind, claims, telling: 9, budget: budget, withIdentities: true) == [7, 9, 7_000])
    }

    @Test(arguments: [64 << 10, 16 << 20])
    func `are all picked where very many claims have one`(budget: Int) throws {
        let claims = (0..<UInt64(20_000)).map { (number: $0, hash: $0 % 10 == 0 ? 1 << 60 : 1 << 60 | $0) }
        #expect(try picked(.device, claims, budget: budget) == (0..<2_000).map { $0 * 10 })
    }

    @Test func `are told apart by their last bit`() throws {
        let claims = (0..<UInt64(1_000)).map { (number: $0, hash: 1 << 63 | $0 / 2) }
        #expect(try picked(.receipt, claims, budget: 1 << 20) == Array(0..<1_000))
        let others = (0..<UInt64(1_000)).map { (number: $0, hash: 1 << 63 | $0) }
        #expect(try picked(.receipt, others, budget: 1 << 20) == [])
    }
}
