import FoundationEssentials
import SampleStore
import Testing

struct `The truth of an export` {
    @Test func `has thieves who know the rules, with every tactic, and most have victims`() throws {
        let tactics = try SampleExport(count: 1200, seed: 9, forgeryShare: 0, plantShare: 1).plantedTactics()
        #expect(Set(tactics.map(\.tactic)) == Set(Tactic.allCases))
        #expect(tactics.count { !$0.victims.isEmpty } > tactics.count / 2)
    }

    @Test func `has no finding twice, and is in the order of a report`() throws {
        let findings = try SampleExport(count: 2000, seed: 5, plantShare: 0.5).expectedFindings()
        #expect(Set(findings.map { $0.rule + $0.subject }).count == findings.count)
        for (finding, next) in zip(findings, findings.dropFirst()) {
            #expect(!ExpectedFinding.isBefore(next, finding))
        }
    }

    @Test func `is silent about most honest claims`() throws {
        let findings = try SampleExport(count: 3000, seed: 6, forgeryShare: 0, tokenShare: 0.3).expectedFindings()
        #expect(findings.allSatisfy { ["refunded-purchase", "expired-subscription"].contains($0.rule) })
        #expect(findings.allSatisfy { [.medium, .low, .info].contains($0.severity) })
        #expect((20...400).contains(findings.count), "\(findings.count)")
    }

    @Test func `has no refund that only a malformed purchase names`() throws {
        // Row 971 is a receipt whose malformed purchase is the refunded one.
        let findings = try SampleExport(count: 2000, seed: 3, plantShare: 0.08, tokenShare: 0.4).expectedFindings()
        #expect(findings.allSatisfy { !$0.sources.contains("devices.csv:971") })
    }

    @Test func `reads back from its file, and names claims of the export`() throws {
        let export = try SampleExport(count: 300, seed: 7, plantShare: 0.5, tokenShare: 0.2)
        let json = try TruthFile(export).json()
        let truth = try JSONDecoder().decode(TruthFile.self, from: Data(json))
        #expect(truth.findings == export.expectedFindings())
        #expect(truth.subscriptions == export.expectedSubscriptions())
        #expect(truth.claims == 300 && truth.seed == 7 && truth.version == 1)
        let claims = try (0..<300).map { try export.claim(at: $0) }
        let sources = Set(claims.map(\.source))
        let accounts = Set(claims.map(\.row.accountID))
        let devices = Set(claims.flatMap { [$0.row.deviceID.lowercased(), $0.row.deviceVerificationID.lowercased()] })
        for finding in truth.findings {
            #expect(!finding.sources.isEmpty && sources.isSuperset(of: finding.sources))
            let parts = finding.subject.split(separator: ":", maxSplits: 1).map(String.init)
            switch parts[0] {
            case "claim": #expect(parts[1].utf8.count == 24)
            case "app": #expect(parts[1].hasPrefix("com.example.") && parts[1].hasSuffix("Z"))
            case "account": #expect(accounts.contains(parts[1]))
            case "device": #expect(devices.contains(parts[1].lowercased()))
            case "person": #expect(parts[1].hasPrefix("704") && parts[1].utf8.count == 18)
            case "transaction": #expect(UInt64(parts[1]) != nil)
            default: #expect(parts[0] == "receipt" && parts[1].count == 64)
            }
        }
    }

    @Test func `is the same bytes for the same export`() throws {
        let one = try TruthFile(SampleExport(count: 200, seed: 8, plantShare: 0.4)).json()
        let other = try TruthFile(SampleExport(count: 200, seed: 8, plantShare: 0.4)).json()
        #expect(one == other && one.last == 0x0a)
    }
}
