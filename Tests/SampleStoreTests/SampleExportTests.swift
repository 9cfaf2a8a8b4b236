import Dispatch
import Encodings
import SampleStore
import Synchronization
import Testing

struct `An export` {
    @Test func `is the same bytes for the same seed, in any order`() throws {
        let forward = try SampleExport(count: 60, seed: 7)
        let backward = try SampleExport(count: 60, seed: 7)
        let claims = try (0..<60).map { try forward.claim(at: $0) }
        for index in (0..<60).reversed() {
            let claim = try backward.claim(at: index)
            #expect(claim.file == claims[index].file)
            #expect(claim.row == claims[index].row)
        }
    }

    @Test func `is the same when all threads make it`() throws {
        let export = try SampleExport(count: 60, seed: 7)
        let expected = try (0..<60).map { try export.claim(at: $0).file }
        let equal = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: export.count) { index in
            if let claim = try? export.claim(at: index), claim.file == expected[index] {
                equal.add(1, ordering: .relaxed)
            }
        }
        #expect(equal.load(ordering: .relaxed) == 60)
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

    @Test func `names each genuine claim's device, app and version as its receipt has them`() throws {
        let export = try SampleExport(count: 150, seed: 11, forgeryShare: 0)
        for index in 0..<export.count {
            let claim = try export.claim(at: index)
            let draft = ClaimDraft(index: index, seed: 11, asOf: SampleExport.asOf)
            let file = try #require(claim.file)
            let answer = OpenSSLOracle.verify(container(in: file), root: export.root, at: draft.receipt.createdAt)
            guard case .accepted(let content) = answer else {
                Issue.record("\(claim.source): \(answer)")
                continue
            }
            let receipt = try DecodedAttributes(content)
            #expect(receipt.value(5) == draft.receipt.hash)
            #expect(try ["", receipt.text(2)].contains(claim.row.bundleID))
            #expect(try ["", receipt.text(3)].contains(claim.row.appVersion))
            let ids = claim.row.deviceID.split(separator: "|").map(String.init)
            #expect(ids.isEmpty || ids.contains(draft.receipt.device.text))
            let products = try receipt.purchases.map { try $0.text(1702) }
            #expect(products.isEmpty ? claim.row.productID.isEmpty : products.contains(claim.row.productID))
        }
    }

    @Test func `has about the size of real receipts, and some base64`() throws {
        let export = try SampleExport(count: 400, seed: 2, forgeryShare: 0)
        let files = try (0..<export.count).compactMap { try export.claim(at: $0).file }
        let mean = files.reduce(0) { $0 + container(in: $1).count } / files.count
        #expect((4500...5000).contains(mean), "\(mean)")
        #expect((4...40).contains(files.count { $0.path.hasSuffix(".b64") }))
    }
}
