import Checks
import Encodings
import Foundation
import Inputs
import Proofs
import Rules
import SampleStore
import Testing

@testable import Engine

/// Where files have to be waited for, readers fetch them, and a worker gets what comes first.
struct `Claims that a worker judges in another order than theirs` {
    @Test(arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]])
    func `are brought together all the same`(order: [Int]) throws {
        let export = try SampleExport(count: 4, seed: 1, forgeryShare: 0)
        let trust = try TrustAnchors(files: [(name: "root.cer", bytes: export.root)])
        let checker = try Checker(trust: trust, expectations: Expectations(asOf: SampleExport.asOf))
        let file = try #require(try (0..<4).lazy.map { try export.claim(at: $0) }.first?.file)
        try #require(!file.path.hasSuffix(".b64"))
        let rules = RuleSet(Policy(), asOf: SampleExport.asOf)
        let storage = Storage(memory: 1 << 20, folder: FileManager.default.temporaryDirectory.path())
        let run = AuditRun(
            trust: trust, expectations: Expectations(asOf: SampleExport.asOf), rules: rules, workers: 1,
            storage: storage)
        let identities = try IdentityHasher()
        let store = try WorkerStore(rules, asOf: SampleExport.asOf, number: 0, storage: storage)
        for number in order {
            var claim = Claim(source: "\(number)")
            claim.deviceID = "A9FEC5A7-83B0-40DA-A134-ADB0E15DCA8\(number)"
            var facts = checker.facts(of: claim, receipt: file.bytes.span)
            identities.identify(&facts, raw: file.bytes.span)
            _ = try store.add(ClaimObservations(facts, claim: ClaimNumber(rawValue: UInt64(number))))
        }
        let judged = MappedClaims(tally: Tally(), spool: try RowSpool([], storage), stores: [store])
        let found = try run.reduce(judged, isStopped: { false }, onProgress: { _ in })
        let rule = try #require(RuleBook.ids.firstIndex(of: "shared-receipt"))
        var severities: [Severity] = []
        try MergedFinding.forEach(in: found.findings) { found in
            if found.finding.rule == rule { severities.append(found.finding.severity) }
        }
        #expect(severities == [.critical])
    }
}
