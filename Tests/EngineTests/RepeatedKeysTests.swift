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
        trait: (UInt64) -> ClaimTrait = { _ in .significant }
    ) throws -> [UInt64] {
        let storage = Storage(memory: budget, folder: folder)
        let logs = [0, 1].map { _ in ValueSorter<KeyRecord>(storage) }
        for (index, claim) in claims.enumerated() {
            let key = ClaimKey(
                hash: claim.hash, kind: kind, isSignificant: claim.number == telling, trait: trait(claim.number))
            try logs[index % 2].add(KeyRecord(key, of: claim.number, at: WorkerClaimID(claim.number, worker: 0)))
        }
        let keys = try logs.flatMap { try $0.finish() }
        let picking = RepeatedKeys(wanted, nil, Storage(memory: 1 << 20, folder: folder))
        for slice in 0..<PrefixSlice.count {
            try picking.pick(from: RunMerge(keys, slice: PrefixSlice(slice)), isStopped: { false })
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

    @Test(arguments: [64 << 10, 16 << 20])
    func `are left out where all claims say the same`(budget: Int) throws {
        // Four claims have each key. Under every tenth one of them differs.
        let claims = (0..<UInt64(8_000)).map { (number: $0, hash: ($0 / 4) &* 0x9e37_79b9_7f4a_7c15) }
        let found = try picked(.receipt, claims, budget: budget) { claim in
            ClaimTrait(presenterHash: 2, contentHash: claim % 40 == 3 ? 4 : 2)
        }
        let wanted: [UInt64] = claims.map(\.number).filter { $0 % 40 < 4 }
        #expect(found == wanted)
    }

    @Test func `are picked with a claim that is significant by itself`() throws {
        let claims = (0..<UInt64(3)).map { (number: $0, hash: 7 as UInt64) }
        #expect(
            try picked(.receipt, claims, budget: 1 << 20) { _ in ClaimTrait(presenterHash: 2, contentHash: 2) } == [])
        let found = try picked(.receipt, claims, budget: 1 << 20) {
            $0 == 1 ? .significant : ClaimTrait(presenterHash: 2, contentHash: 2)
        }
        #expect(found == [0, 1, 2])
    }

    @Test func `are picked with as many differing claims as it takes under their kind of key`() throws {
        // More than five devices, or two accounts, for one original transaction.
        func claims(_ count: UInt64, withAccount: Bool) throws -> [UInt64] {
            try picked(.originalTransaction, (0..<count).map { ($0, 7) }, budget: 1 << 20) {
                ClaimTrait(presenterHash: withAccount ? 3 + 2 * $0 : 2, contentHash: withAccount ? 2 : $0)
            }
        }
        #expect(try claims(5, withAccount: false) == [])
        #expect(try claims(6, withAccount: false).count == 6)
        #expect(try claims(1, withAccount: true) == [])
        #expect(try claims(2, withAccount: true).count == 2)
    }

    @Test func `are picked where more claims say the same than may wait in memory`() throws {
        let claims = (0..<UInt64(70_000)).map { (number: $0, hash: 7 as UInt64) }
        #expect(
            try picked(.receipt, claims, budget: 16 << 20) { _ in ClaimTrait(presenterHash: 2, contentHash: 2) }.count
                == 70_000)
    }

    @Test func `are picked under a device where an older receipt came after a newer one`() throws {
        func claims(_ moments: [(presented: UInt64, created: UInt64)]) throws -> Int {
            try picked(.device, moments.indices.map { (UInt64($0), 7) }, budget: 1 << 20) {
                let moment = moments[Int($0)]
                return ClaimTrait(presenterHash: 2, contentHash: moment.presented << 32 | moment.created)
            }.count
        }
        #expect(try claims([(10, 1), (30, 5), (20, 1), (40, 5)]) == 0)
        #expect(try claims([(10, 1), (30, 5), (40, 1)]) == 3)
        #expect(try claims([(10, 1), (10, 2)]) == 2)
    }

    @Test func `are read as they were written`() throws {
        let key = ClaimKey(
            hash: 5, kind: .account, isSignificant: true, trait: ClaimTrait(presenterHash: 8, contentHash: 7))
        var written = KeyRecord(key, of: 9, at: WorkerClaimID(0xffff_ffff_fffe, worker: 255))
        var record = RecordWriter()
        written.code(&record)
        let bytes = record.bytes
        let read = try KeyRecord(record: bytes.span)
        #expect(read.place.rawValue == written.place.rawValue)
        #expect(read.key.kind == .account && read.key.isSignificant && read.identity == 9)
        #expect(read.key.trait == ClaimTrait(presenterHash: 8, contentHash: 7))
    }
}
