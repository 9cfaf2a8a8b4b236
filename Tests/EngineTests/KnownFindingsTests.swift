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

/// Runs over claims that are all those of the last run, which has left its findings to them.
struct `The findings of the last run` {
    private static let storage = Storage(memory: 64 << 20, folder: FileManager.default.temporaryDirectory.path())

    private struct Night: Equatable {
        var rows: [UInt8] = []
        var findings: [FindingRow] = []
        var tally = FindingTally()
        var outsideRings = 0
        var atStake: AmountAtStake?
        var usedRefundsAtStake: AmountAtStake?
        var unpriced = 0
    }

    /// What decides what is found, besides the claims.
    private struct Setting {
        var asOf = SampleExport.asOf
        var policy = Policy()
        var withEntities = false
        var pieceSize: Int?

        var rules: RuleSet { RuleSet(policy, asOf: asOf) }
    }

    private func cache(_ folder: String, _ setting: Setting) throws -> RunCache {
        let ledger = try Ledger(
            folder + "/ledger.db", origin: LedgerOrigin(trustAnchors: ["1"], pseudonymKey: nil), runAt: setting.asOf,
            newKey: Array(0..<32))
        return try RunCache(
            ledger, settings: [1], asOf: setting.asOf, trustsStatus: false, startedAt: SampleExport.asOf)
    }

    /// Audits an export, and says whether it found the findings of the last run.
    private func night(_ audit: SampleAudit, _ setting: Setting = Setting()) throws -> (Night, isKnown: Bool) {
        let (cache, rules) = (try cache(audit.folder, setting), setting.rules)
        let run = AuditRun(
            trust: try TrustAnchors(files: [(name: "root.cer", bytes: audit.export.root)]),
            expectations: Expectations(asOf: setting.asOf, setting.policy), rules: rules, workers: 2,
            storage: Self.storage, withEntities: setting.withEntities, cache: cache)
        let source = try Inputs([audit.folder + "/receipts"])
        let result = try run.run(source, encoders: [GroupRun.encoder(maxRows: nil)], isStopped: { false })
        let known = try cache.knownFindings(rules, Self.storage)
        if let known, let size = setting.pieceSize { try cache.add(known: known, rules, pieceSize: size) }
        var night = Night()
        try result.writeRows { _, rows in night.rows.append(copying: rows) }
        try result.forEachFinding {
            _ = try cache.record($0)
            night.findings.append($0)
        }
        night.tally = result.findingTally
        night.outsideRings = result.findingsOutsideRings
        (night.atStake, night.unpriced) = result.atStake
        night.usedRefundsAtStake = result.usedRefundsAtStake
        try cache.commit(result.tally, inputs: [])
        return (night, known != nil)
    }

    private func withAudit(_ body: (SampleAudit) throws -> Void) throws {
        try SampleAudit.with(count: 250, seed: 8, plants: 0.4, body)
    }

    @Test func `are those of a run over the same claims`() throws {
        try withAudit { audit in
            let (first, second) = (try night(audit), try night(audit))
            #expect(!first.isKnown && second.isKnown)
            #expect(first.0.findings.contains { $0.rule == "fraud-ring" })
            let areSame = first.0 == second.0
            #expect(areSame)
            let history = try LedgerHistory(audit.folder + "/ledger.db")
            #expect(history.runs.map(\.repeatsLast) == [false, true])
            #expect(history.runs[0].findings == history.runs[1].findings)
        }
    }

    @Test func `are kept in as many pieces as they need`() throws {
        try withAudit { audit in
            let (first, _) = try night(audit)
            let (second, _) = try night(audit, Setting(pieceSize: 1000))
            let reader = try LedgerReader(audit.folder + "/ledger.db")
            let key = try cache(audit.folder, Setting()).findingsKey(first.findings.count / 10)
            #expect(try reader.block(key: key.span) != nil)
            let third = try night(audit)
            let areSame = third.0 == first && second == first
            #expect(third.isKnown && areSame)
        }
    }

    @Test func `are made anew if a piece of them is damaged`() throws {
        try withAudit { audit in
            let (first, _) = try night(audit)
            let key = try cache(audit.folder, Setting()).findingsKey(1)
            let reader = try LedgerReader(audit.folder + "/ledger.db")
            let piece = try #require(try reader.block(key: key.span))
            let connection = try Connection(audit.folder + "/ledger.db", name: "", .writing)
            try connection.execute("UPDATE block_output SET output=x'00' WHERE id=\(piece.id)")
            let second = try night(audit)
            let areSame = second.0 == first
            #expect(!second.isKnown && areSame)
            #expect(try night(audit).isKnown)
        }
    }

    @Test func `are not those of other claims`() throws {
        try withAudit { audit in
            _ = try night(audit)
            let manifest = audit.folder + "/receipts/devices.csv"
            var rows = try String(contentsOfFile: manifest, encoding: .utf8).split(separator: "\r\n")
            rows.removeLast()
            try rows.map { $0 + "\r\n" }.joined().write(toFile: manifest, atomically: false, encoding: .utf8)
            #expect(try !night(audit).isKnown)
        }
    }

    @Test func `are not asked for where entities are made of findings`() throws {
        try withAudit { audit in
            let (first, _) = try night(audit)
            let (second, _) = try night(audit, Setting(withEntities: true))
            #expect(second.findings == first.findings)
            #expect(try LedgerHistory(audit.folder + "/ledger.db").runs.map(\.repeatsLast) == [false, false])
        }
    }

    @Test func `are not those of a run after a review`() throws {
        try withAudit { audit in
            let (first, _) = try night(audit)
            let finding = try #require(first.findings.first)
            let decision = ReviewDecision(.ok, at: SampleExport.asOf, by: "ann")
            _ = try Ledger.review([(.subject(finding.subject), decision)], in: audit.folder + "/ledger.db")
            #expect(try !night(audit).isKnown)
            #expect(try night(audit).isKnown)
        }
    }

    @Test func `are not those of a run for which another allowance holds`() throws {
        try withAudit { audit in
            let first = try night(audit).0
            let subject = try #require(first.findings.first).subject
            var allowing = Setting()
            var allowance = Policy.Allowance(subject: subject, reason: "known")
            allowance.until = SampleExport.asOf.adding(seconds: 86_400)
            allowing.policy.allowances = [allowance]
            let allowed = try night(audit, allowing)
            #expect(!allowed.isKnown && !allowed.0.findings.contains { $0.subject == subject })
            allowing.asOf = SampleExport.asOf.adding(seconds: 3 * 86_400)
            let later = try night(audit, allowing)
            #expect(!later.isKnown && later.0.findings.contains { $0.subject == subject })
        }
    }
}
