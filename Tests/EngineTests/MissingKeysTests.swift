import Checks
import Corpus
import Encodings
import Foundation
import Inputs
import Ledgers
import Proofs
import Rules
import SampleStore
import Testing

@testable import Engine

/// Runs that know most blocks of the last run, and do not search the ledger for every key.
struct `What blocks say that a run does not have` {
    private struct Night: Equatable {
        var findings: [FindingRow] = []
        var rows: [UInt8] = []
        var last: LedgerRun?
        var observations = 0
        var known = 0
        /// Whether the missing blocks stood for the ledger.
        var hasMissingKeys = false
    }

    /// Audits some rows of a manifest with a ledger.
    ///
    /// - Parameter memory: that of the run; too little of it for keys makes the run search the ledger.
    private func night(_ audit: SampleAudit, _ rows: [String], _ ledger: String, memory: Int) throws -> Night {
        let table = audit.folder + "/receipts/night.csv"
        try ([self.rows(audit).header] + rows).map { $0 + "\r\n" }.joined().write(
            toFile: table, atomically: false, encoding: .utf8)
        let open = {
            try Ledger(
                ledger, origin: LedgerOrigin(trustAnchors: ["1"], pseudonymKey: nil), runAt: SampleExport.asOf)
        }
        var night = Night()
        do {
            let cache = try RunCache(
                open(), settings: [1], asOf: SampleExport.asOf, trustsStatus: false, startedAt: SampleExport.asOf)
            let run = AuditRun(
                trust: try TrustAnchors(files: [(name: "root.cer", bytes: audit.export.root)]),
                expectations: Expectations(asOf: SampleExport.asOf, Policy()),
                rules: RuleSet(Policy(), asOf: SampleExport.asOf), workers: 2,
                storage: Storage(memory: memory, folder: FileManager.default.temporaryDirectory.path()), cache: cache)
            let result = try run.run(Inputs([table]), encoders: [GroupRun.encoder(maxRows: nil)], isStopped: { false })
            night.hasMissingKeys = try cache.missingKeys(memory: memory / 8) != nil
            try result.writeRows { _, rows in night.rows.append(copying: rows) }
            try result.forEachFinding { night.findings.append($0) }
            night.known = cache.work.cached
            try cache.commit(result.tally, inputs: [])
        }
        let after = try open()
        (night.last, night.observations) = (after.lastRun, after.observationCount)
        return night
    }

    /// The rows of an export, and above them its header.
    private func rows(_ audit: SampleAudit) throws -> (header: String, all: [String]) {
        let manifest = try String(contentsOfFile: audit.folder + "/receipts/devices.csv", encoding: .utf8)
        let lines = manifest.split(separator: "\r\n").map(String.init)
        return (lines[0], Array(lines.dropFirst()))
    }

    enum Change: CaseIterable {
        case moved
        case removed
        case replaced
        case repeated
    }

    @Test(arguments: Exhaustive.isOn ? Change.allCases : [.replaced])
    func `say what the whole ledger would say`(change: Change) throws {
        let count = Exhaustive.count(900, sampled: 500)
        try SampleAudit.with(count: count, seed: 21, plants: 0.4) { audit in
            let all = try rows(audit).all
            #expect(all.count == count)
            let (cut, last) = (count / 3, count - 50)
            let (first, second) =
                switch change {
                case .moved: (all, Array(all[cut...] + all[..<cut]))
                case .removed: (all, Array(all[..<cut] + all[(cut + 40)...]))
                case .replaced: (Array(all[..<last]), Array(all[..<cut] + all[last...] + all[(cut + 40)..<last]))
                // The same claims once more, in blocks of their own.
                case .repeated: (all, all + all[100..<170])
                }
            let nights = try [64 << 20, 1].map { memory in
                let ledger = audit.folder + "/ledger-\(memory).db"
                _ = try night(audit, first, ledger, memory: memory)
                return try [second, second, first].map { try night(audit, $0, ledger, memory: memory) }
            }
            #expect(nights[0][0].hasMissingKeys && !nights[1][0].hasMissingKeys)
            #expect(nights[0][0].known > count / 5 && nights[0][0].known < count)
            #expect(!nights[0][0].findings.isEmpty)
            for (fast, searched) in zip(nights[0], nights[1]) {
                #expect(fast.findings == searched.findings)
                #expect(fast.rows == searched.rows)
                #expect(fast.last == searched.last)
                #expect(fast.observations == searched.observations)
                #expect(fast.known == searched.known)
            }
            let coversAll = nights[0][0].last?.coversAll
            #expect(coversAll == (change == .moved || change == .repeated))
        }
    }

    @Test func `are of no use if the last run had claims that are in no block, or blocks that stood there twice`()
        throws
    {
        try SampleAudit.with(count: 400, seed: 22) { audit in
            let all = try rows(audit).all
            let ledger = audit.folder + "/ledger.db"
            // Two equal blocks, or more, of rows whose hashes are the same.
            let same = Array(repeating: all[0], count: 2000)
            _ = try night(audit, all + same, ledger, memory: 64 << 20)
            let second = try night(audit, Array(all[200...] + all[..<200]) + same, ledger, memory: 64 << 20)
            #expect(second.known > 0 && !second.hasMissingKeys)
        }
    }
}
