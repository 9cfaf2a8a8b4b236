import Foundation
import Rules
import SampleStore
import Sorting
import Testing

@testable import Pipeline

/// Which claims are brought together with others.
struct `Keys that come again` {
    private let folder = FileManager.default.temporaryDirectory.path()

    /// The prefixes of what is picked when claim 7 and claim 7,000 have a key in common, and claim 9 has much to tell.
    private func picked(_ kind: KeyKind, budget: Int) throws -> [UInt64] {
        let wanted = WantedKeys(RuleSet(Policy(), asOf: SampleExport.asOf), isForSubscriptions: false)
        let (hashes, found) = (
            RecordSorter(budget: budget, folder: folder), RecordSorter(budget: 1 << 20, folder: folder)
        )
        for claim in 0..<UInt64(20_000) {
            var record = RecordWriter()
            KeyRecord(place: JudgedPlace(claim, worker: 0), kind: kind, identity: 0).write(
                to: &record, withIdentity: false)
            let bytes = record.bytes
            let hash = (claim == 7_000 ? 7 : claim) &* 0x9e37_79b9_7f4a_7c15
            try hashes.add(hash, bytes.span, isTelling: claim == 9)
        }
        var picking = RepeatedKeys(wanted, found: found)
        try picking.pick(from: RunMerge(hashes.finish()), isStopped: { false })
        var merge = try RunMerge(found.finish())
        var places: [UInt64] = []
        while !merge.isAtEnd {
            places.append(merge.prefix)
            try merge.advance()
        }
        return places
    }

    @Test(arguments: [KeyKind.device, .account, .receipt], [64 << 10, 16 << 20])
    func `are picked, and no others, be they sorted in memory or in files`(kind: KeyKind, budget: Int) throws {
        #expect(try picked(kind, budget: budget) == [7, 9, 7_000])
    }
}
