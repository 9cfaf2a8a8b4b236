import Dispatch
import Encodings
import SampleStore
import Synchronization
import Testing

struct `An export` {
    @Test(arguments: [0, 0.5]) func `is the same bytes for the same seed, in any order`(plants: Double) throws {
        let forward = try SampleExport(count: 200, seed: 7, plantShare: plants)
        let backward = try SampleExport(count: 200, seed: 7, plantShare: plants)
        let claims = try (0..<200).map { try forward.claim(at: $0) }
        for index in (0..<200).reversed() {
            let claim = try backward.claim(at: index)
            #expect(claim.file == claims[index].file && claim.row == claims[index].row)
            #expect(claim.truth == claims[index].truth)
        }
        #expect(forward.expectedFindings() == backward.expectedFindings())
    }

    @Test func `is the same when all threads make it`() throws {
        let export = try SampleExport(count: 200, seed: 7, plantShare: 0.8)
        let expected = try (0..<200).map { try export.claim(at: $0).file }
        let equal = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: export.count) { index in
            if let claim = try? export.claim(at: index), claim.file == expected[index] {
                equal.add(1, ordering: .relaxed)
            }
        }
        #expect(equal.load(ordering: .relaxed) == 200)
    }

    @Test func `is pinned: these bytes may change only on purpose`() throws {
        let export = try SampleExport(count: 200, seed: 1)
        var bytes = export.root
        for index in 0..<200 {
            let claim = try export.claim(at: index)
            bytes += claim.row.line + (claim.file?.bytes ?? [])
        }
        #expect(
            Hex.string(SampleDigest.sha256.hash(bytes).span)
                == "a668058567b7f4a0a7d2b17a67f0048a8b8e727a81ccbfb5557b8419f70a95c3")
    }

    @Test func `is another for another seed`() throws {
        let one = try SampleExport(count: 1, seed: 7).claim(at: 0)
        let other = try SampleExport(count: 1, seed: 8).claim(at: 0)
        #expect(one.file != other.file)
    }

    @Test func `does not change a claim when more are made`() throws {
        let few = try SampleExport(count: 10, seed: 7).claim(at: 9)
        let many = try SampleExport(count: 1_000_000, seed: 7).claim(at: 9)
        #expect(few.file == many.file)
    }

    @Test func `spreads its forgeries evenly, and is over 8 MiB once`() throws {
        let export = try SampleExport(count: 21_000, seed: 3, forgeryShare: 0.1)
        var counts: [Forgery: Int] = [:]
        for index in 0..<export.count {
            if let forgery = export.forgery(at: index) { counts[forgery, default: 0] += 1 }
        }
        #expect(counts.values.reduce(0, +) == 2100)
        #expect(counts.removeValue(forKey: .receiptUnreadable) == 1)
        #expect(counts.count == Forgery.ofExports.count - 1)
        #expect(counts.values.allSatisfy { (100...110).contains($0) })
    }

    @Test(arguments: [0.0, 1.0])
    func `can be all genuine or all forged`(share: Double) throws {
        let export = try SampleExport(count: 40, seed: 3, forgeryShare: share)
        let forged = (0..<40).count { export.forgery(at: $0) != nil }
        #expect(forged == Int(share) * 40)
    }

    @Test func `has about the size of real receipts, and some base64`() throws {
        let export = try SampleExport(count: 400, seed: 2, forgeryShare: 0)
        let files = try (0..<export.count).compactMap { try export.claim(at: $0).file }
        let packed = files.filter { $0.path.hasSuffix(".b64") }
        let mean =
            files.filter { !packed.contains($0) }.reduce(0) { $0 + $1.bytes.count } / (files.count - packed.count)
        #expect((4500...5000).contains(mean), "\(mean)")
        #expect((4...40).contains(packed.count))
    }
}
