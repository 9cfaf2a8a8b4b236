import Checks
import Corpus
import Engine
import SampleStore
import Subscriptions
import Testing

/// Whole runs over exports whose truth is known.
struct `A run over a made-up export` {
    @Test(arguments: Exhaustive.cases([1, 2, 3] as [UInt64], every: 3))
    func `finds exactly what was forged, and nothing else`(seed: UInt64) throws {
        try SampleAudit.with(count: Exhaustive.count(600, sampled: 200), seed: seed) { sample in
            let found = try sample.run().rows
            #expect(found.count == sample.export.count)
            for index in 0..<sample.export.count {
                let claim = try sample.export.claim(at: index)
                #expect(found[index].source == claim.source)
                #expect(found[index].failed == claim.failedCheck ?? "", "\(claim.source)")
            }
        }
    }

    @Test func `counts each claim once, with one verdict`() throws {
        try SampleAudit.with(count: Exhaustive.count(600, sampled: 200), seed: 5) { sample in
            let tally = try sample.run().tally
            let verdicts = tally.verdicts.occurring.map(\.count).reduce(0, +)
            #expect(tally.claims == sample.export.count)
            #expect(verdicts == sample.export.count)
        }
    }
}

struct `The same inputs` {
    @Test func `give the same with any number of workers and any memory`() throws {
        try SampleAudit.with(count: Exhaustive.count(1500, sampled: 300), seed: 4, plants: 0.2) { sample in
            let expected = try sample.run(workers: 1)
            #expect(!expected.findings.isEmpty)
            for (workers, memory) in [(2, 64 << 20), (3, 0), (8, 1 << 20), (1, 0)] {
                let found = try sample.run(workers: workers, memory: memory)
                #expect(found.rows == expected.rows, "\(workers) workers, \(memory) bytes")
                #expect(found.findings == expected.findings, "\(workers) workers, \(memory) bytes")
                #expect(found.findingTally == expected.findingTally)
            }
        }
    }
}
