import Checks
import Encodings
import Foundation
import Inputs
import Ledgers
import Proofs
import Rules
import SampleStore
import Testing

@testable import Engine

/// Blocks that are found in a ledger by the status of their files, which are then not read.
struct `A block whose files did not change` {
    @Test func `is found without reading them, until the bytes or the status of one change`() throws {
        try SampleAudit.with(count: 300, seed: 3) { audit in
            let ledger = audit.folder + "/ledger.db"
            do {
                let first = try memory(ledger)
                _ = try run(audit, first).run(source(audit), encoders: [], isStopped: { false })
                try first.commit(Tally(), inputs: [])
            }
            let before = try foundBlocks(audit, ledger)
            #expect(before.count > 1 && before.allSatisfy { $0 })
            let manifest = try String(contentsOfFile: audit.folder + "/receipts/devices.csv", encoding: .utf8)
            let file = try #require(manifest.split(separator: "\r\n")[1].split(separator: ",").first)
            let path = audit.folder + "/receipts/" + file
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            #expect(try foundBlocks(audit, ledger) == [false] + before.dropFirst())
        }
    }

    private func memory(_ ledger: String) throws -> RunHistory {
        let ledger = try Ledger(
            ledger, origin: LedgerOrigin(trustAnchors: ["1"], pseudonymKey: nil), runAt: SampleExport.asOf)
        // As if the run began when all files were long settled.
        let later = Instant(milliseconds: Int64(Date(timeIntervalSinceNow: 3600).timeIntervalSince1970 * 1000))
        return RunHistory(ledger, settings: [1], asOf: SampleExport.asOf, trustsStatus: true, startedAt: later)
    }

    private func source(_ audit: SampleAudit) throws -> Inputs { try Inputs([audit.folder + "/receipts"]) }

    private func run(_ audit: SampleAudit, _ memory: RunHistory) throws -> AuditRun {
        AuditRun(
            trust: try TrustAnchors(files: [(name: "root.cer", bytes: audit.export.root)]),
            expectations: Expectations(asOf: SampleExport.asOf, Policy()),
            rules: RuleSet(Policy(), asOf: SampleExport.asOf), workers: 1,
            storage: Storage(memory: 64 << 20, folder: FileManager.default.temporaryDirectory.path()), history: memory)
    }

    /// Of each block of the export, whether a run would find it before its files are read.
    private func foundBlocks(_ audit: SampleAudit, _ ledger: String) throws -> [Bool] {
        let finder = try #require(try BlockFinder(memory(ledger)))
        let source = try source(audit)
        var found: [Bool] = []
        while let block = try source.next() {
            var statusKey: [UInt8]?
            found.append(try finder.find(block, statusKey: &statusKey) != nil)
        }
        return found
    }
}
