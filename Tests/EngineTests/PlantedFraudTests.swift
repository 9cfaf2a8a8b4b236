import Corpus
import Encodings
import Engine
import Policies
import Rules
import SampleStore
import Testing

/// Whole runs over exports with planted fraud, whose truth is known.
struct `A run over planted fraud` {
    static let seeds: [UInt64] = Exhaustive.isOn ? [11, 12, 13, 14] : [11]
    static let count = Exhaustive.count(5000, sampled: 1500)

    @Test(arguments: seeds)
    func `finds all of it, and says nothing of honest claims`(seed: UInt64) throws {
        try SampleAudit.with(count: Self.count, seed: seed, forgeries: 0.05, plants: 0.15) { sample in
            let outcome = try sample.run(policy: Self.policy)
            let expected = sample.export.expectedFindings()
            #expect(Set(expected.map(\.rule)).count == RuleBook.rules.count, "every rule has something to find")
            let found = Dictionary(grouping: outcome.findings, by: Self.identity)
            let wanted = Dictionary(grouping: expected, by: Self.identity)
            for (identity, findings) in wanted {
                #expect(found[identity]?.count == findings.count, "not found: \(identity)")
            }
            for identity in found.keys { #expect(wanted[identity] != nil, "said of honest claims: \(identity)") }
        }
    }

    @Test(arguments: seeds)
    func `names the claims, devices and accounts that are involved, worst first`(seed: UInt64) throws {
        try SampleAudit.with(count: Self.count, seed: seed, forgeries: 0, plants: 0.2) { sample in
            let outcome = try sample.run(policy: Self.policy)
            let expected = sample.export.expectedFindings()
            try #require(outcome.findings.map(Self.identity) == expected.map(Self.identity))
            for (found, wanted) in zip(outcome.findings, expected) {
                #expect(found.sources == wanted.sources.prefix(10).map { ExactText($0) }, "\(Self.identity(found))")
                #expect(found.claims == wanted.sources.count, "\(Self.identity(found))")
                #expect(found.devices == wanted.devices, "\(Self.identity(found))")
                #expect(found.accounts == wanted.accounts, "\(Self.identity(found))")
            }
        }
    }

    @Test func `marks exactly the claims that findings are about`() throws {
        try SampleAudit.with(count: Self.count, seed: 21, forgeries: 0.05, plants: 0.2) { sample in
            let outcome = try sample.run(policy: Self.policy)
            var rules: [String: Set<String>] = [:]
            var risks: [String: Severity] = [:]
            for finding in sample.export.expectedFindings() {
                for source in finding.sources {
                    rules[source, default: []].insert(finding.rule)
                    risks[source] = max(
                        risks[source] ?? .info, Severity(code: ExactText(finding.severity.rawValue)) ?? .info)
                }
            }
            for row in outcome.rows {
                let expected = RuleBook.ids.map(\.text).filter { rules[row.source]?.contains($0) == true }
                #expect(row.rules == expected.joined(separator: ";"), "\(row.source)")
                #expect(row.risk == risks[row.source]?.code ?? "", "\(row.source)")
            }
        }
    }

    static let policy: Policy = {
        do {
            return try PolicyFile.read(bytes: Array(SamplePolicy.text.utf8), name: "policy.yml")
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    private static func identity(_ finding: FindingRow) -> String {
        "\(finding.severity.code) \(finding.rule) \(finding.subject)"
    }

    private static func identity(_ finding: ExpectedFinding) -> String {
        "\(finding.severity.rawValue) \(finding.rule) \(finding.subject)"
    }
}
