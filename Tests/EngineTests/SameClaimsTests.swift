import Checks
import Encodings
import Foundation
import Inputs
import Proofs
import Rules
import SampleStore
import Sorting
import Testing

@testable import Engine
@testable import Ledgers

/// Runs over claims that are all those of the last run.
struct `The findings of a run over the claims of the last one` {
    private static let storage = Storage(memory: 64 << 20, folder: FileManager.default.temporaryDirectory.path())

    private struct Night: Equatable {
        var rows: [UInt8] = []
        var findings: [FindingRow] = []
        var tally = FindingTally()
        var atStake: [AmountAtStake] = []
        var usedRefundsAtStake: [AmountAtStake] = []
        var unpriced = 0
    }

    /// What decides what is found, besides the claims.
    private struct Setting {
        var asOf = SampleExport.asOf
        var policy = Policy()

        var rules: RuleSet { RuleSet(policy, asOf: asOf) }
    }

    private func history(_ folder: String, _ setting: Setting) throws -> RunHistory {
        let ledger = try Ledger(
            folder + "/ledger.db", origin: LedgerOrigin(trustAnchors: ["1"], pseudonymKey: nil), runAt: setting.asOf)
        return RunHistory(ledger, asOf: setting.asOf)
    }

    private func night(_ audit: SampleAudit, _ setting: Setting = Setting()) throws -> Night {
        let (history, rules) = (try history(audit.folder, setting), setting.rules)
        let run = AuditRun(
            trust: try TrustAnchors(files: [(name: "root.cer", bytes: audit.export.root)]),
            expectations: Expectations(asOf: setting.asOf, setting.policy), rules: rules, workers: 2,
            storage: Self.storage, history: history)
        let source = try Inputs([audit.folder + "/receipts"])
        let result = try run.run(source, encoders: [GroupRun.encoder], isStopped: { false })
        var night = Night()
        try result.writeRows { _, rows in night.rows.append(copying: rows) }
        try result.forEachFinding {
            _ = try history.record($0)
            night.findings.append($0)
        }
        night.tally = result.findingTally
        (night.atStake, night.unpriced) = result.atStake
        night.usedRefundsAtStake = result.usedRefundsAtStake.amounts
        try history.commit(result.tally, inputs: [])
        try history.publish()
        return night
    }

    private func withAudit(_ body: (SampleAudit) throws -> Void) throws {
        try SampleAudit.with(count: 250, seed: 8, plants: 0.4, body)
    }

    @Test func `are those of the last run`() throws {
        try withAudit { audit in
            let (first, second) = (try night(audit), try night(audit))
            #expect(first.findings.contains { $0.rule == "fraud-ring" })
            let areSame = first == second
            #expect(areSame)
            let history = try LedgerHistory(audit.folder + "/ledger.db")
            #expect(history.runs[0].findings == history.runs[1].findings)
        }
    }

    @Test func `are others where another allowance holds`() throws {
        try withAudit { audit in
            let first = try night(audit)
            let subject = try #require(first.findings.first).subject
            var allowing = Setting()
            var allowance = Policy.Allowance(subject: subject, reason: "known")
            allowance.until = SampleExport.asOf.adding(seconds: 86_400)
            allowing.policy.allowances = [allowance]
            let allowed = try night(audit, allowing)
            #expect(!allowed.findings.contains { $0.subject == subject })
            allowing.asOf = SampleExport.asOf.adding(seconds: 3 * 86_400)
            let later = try night(audit, allowing)
            #expect(later.findings.contains { $0.subject == subject })
        }
    }
}
