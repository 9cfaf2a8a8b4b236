import Checks
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
    static let count = Exhaustive.count(5000, sampled: 900)

    @Test(arguments: seeds)
    func `finds all of it, and nothing about honest claims`(seed: UInt64) throws {
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
            // The truth does not say how sure a rule is.
            let findings = outcome.findings.sorted {
                ($1.severity, $0.rule, $0.subject) < ($0.severity, $1.rule, $1.subject)
            }
            try #require(findings.map(Self.identity) == expected.map(Self.identity))
            for (found, wanted) in zip(findings, expected) {
                #expect(found.sources == wanted.sources.prefix(10).map { ExactText($0) }, "\(Self.identity(found))")
                #expect(found.claims == wanted.sources.count, "\(Self.identity(found))")
                #expect(found.devices == wanted.devices, "\(Self.identity(found))")
                #expect(found.accounts == wanted.accounts, "\(Self.identity(found))")
            }
        }
    }

    @Test func `marks exactly the claims that findings are about, none worse than its findings`() throws {
        let (wanted, outcome) = try Self.audited.get()
        var rules: [String: Set<String>] = [:]
        var worst: [String: Severity] = [:]
        for finding in wanted {
            let severity = try #require(Severity(code: ExactText(finding.severity.rawValue)))
            for source in finding.sources {
                rules[source, default: []].insert(finding.rule)
                worst[source] = max(worst[source] ?? .info, severity)
            }
        }
        for row in outcome.rows {
            let expected = RuleBook.ids.map(\.text).filter { rules[row.source]?.contains($0) == true }
            #expect(row.rules == expected.joined(separator: ";"), "\(row.source)")
            let risk = Severity(code: ExactText(row.risk))
            #expect((risk == nil) == (worst[row.source] == nil), "\(row.source)")
            if let risk, let worst = worst[row.source] { #expect(risk <= worst, "\(row.source)") }
        }
    }

    @Test func `links each finding to its claims, with the marks that make their risk`() throws {
        let (expected, outcome) = try Self.audited.get()
        let ids = Dictionary(outcome.rows.map { ($0.source, $0.claimID) }, uniquingKeysWith: { first, _ in first })
        let findings = Dictionary(uniqueKeysWithValues: outcome.findings.map { (Self.identity($0), $0) })
        let links = Dictionary(grouping: outcome.links, by: \.finding)
        #expect(links.count == outcome.findings.count)
        var risks: [String: Severity] = [:]
        for wanted in expected {
            let found = try #require(findings[Self.identity(wanted)], "\(Self.identity(wanted))")
            let linked = links[found.id] ?? []
            #expect(linked.count == found.claims, "\(Self.identity(wanted))")
            #expect(
                Set(linked.map { $0.facts.claim.description }) == Set(wanted.sources.compactMap { ids[$0] }),
                "\(Self.identity(wanted))")
            for link in linked {
                let claim = link.facts.claim.description
                risks[claim] = max(risks[claim] ?? .info, link.severity)
                #expect(RuleBook.ids[link.rule].text == wanted.rule)
                #expect(link.severity <= found.severity, "\(Self.identity(wanted))")
                // Nobody else has a part in what is found about one claim by itself.
                if wanted.subject.hasPrefix("claim:") { #expect(link.severity == found.severity) }
            }
        }
        for row in outcome.rows { #expect(row.risk == risks[row.claimID]?.code ?? "", "\(row.source)") }
    }

    @Test func `marks the first of those that share a receipt at most info, and the others as the finding is`() throws {
        let outcome = try Self.audited.get().outcome
        let links = Dictionary(grouping: outcome.links, by: \.finding)
        let shared = outcome.findings.filter { $0.rule == "shared-receipt" }
        #expect(shared.contains { $0.severity == .critical })
        for finding in shared {
            let links = links[finding.id] ?? []
            // A receipt matches one device alone, which shares it with nobody.
            let matching = links.filter { $0.facts.deviceHash == .match }
            #expect(matching.allSatisfy { $0.severity == .info }, "\(finding.subject)")
            // Where none matches, the earliest may be the owner.
            #expect(links.contains { $0.severity == .info }, "\(finding.subject)")
            #expect(links.contains { $0.severity == finding.severity }, "\(finding.subject)")
            let unchecked = links.filter { $0.facts.deviceHash == .notChecked }
            #expect(unchecked.allSatisfy { $0.severity <= .medium }, "\(finding.subject)")
        }
    }

    /// One run, at which several tests look.
    private static let audited = Result {
        var audited: (expected: [ExpectedFinding], outcome: SampleAudit.Outcome)?
        try SampleAudit.with(count: count, seed: 21, forgeries: 0.05, plants: 0.2) { sample in
            audited = (sample.export.expectedFindings(), try sample.run(policy: policy))
        }
        return try #require(audited)
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
