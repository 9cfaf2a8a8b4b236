import Checks
import Encodings
import Engine
import Rules
import Testing

@testable import Reports

struct `The queue of findings` {
    private func finding(
        _ rule: String, _ severity: Severity, _ evidence: String = "x", _ subject: String = "s",
        change: ComparedFinding.Change? = nil, status: FindingStatus = .open, confidence: Confidence = .likely,
        id: UInt64 = 1, on day: Int64? = nil, stake: Int64? = nil
    ) -> ComparedFinding {
        var row = FindingRow(
            id: FindingID(high: id, low: 2), severity: severity, confidence: confidence, rule: ExactText(rule),
            subject: ExactText(subject))
        row.evidence = evidence
        row.lastPresented = day.map { Instant(seconds: $0 * 86_400) }
        row.atStake = stake.map { AmountAtStake(millionths: $0, currency: "USD") }
        var compared = ComparedFinding(row, change: change)
        compared.status = status
        return compared
    }

    private func stored(_ findings: [ComparedFinding]) throws -> StoredReport {
        try SampleReport(findings: findings).stored()
    }

    @Test func `has the most urgent first: by severity and confidence, then what is new, and none that is closed`()
        throws
    {
        let found = [
            finding("shared-receipt", .critical, status: .ok), finding("shared-receipt", .low),
            finding("shared-receipt", .high, confidence: .possible),
            finding("shared-receipt", .critical, confidence: .doubtful), finding("shared-receipt", .high),
            finding("shared-receipt", .high, change: .new, confidence: .possible),
            finding("shared-receipt", .high, status: .reopened),
        ]
        let rows = try stored(found).queue().map {
            "\($0.lines[0].severity) \($0.lines[0].change) \($0.lines[0].status) \($0.lines[0].confidence)"
        }
        #expect(
            rows == [
                "high  reopened likely", "high  open likely", "critical  open doubtful", "high new open possible",
                "high  open possible", "low  open likely",
            ])
    }

    @Test func `has of equal ones the latest presented first, then the most at stake, then the least id`() throws {
        let found = [
            finding("shared-receipt", .high, "undated", id: 1), finding("shared-receipt", .high, "old", id: 2, on: 1),
            finding("shared-receipt", .high, "cheap", id: 3, on: 9, stake: 1),
            finding("shared-receipt", .high, "dear", id: 4, on: 9, stake: 5),
            finding("shared-receipt", .high, "dear, later id", id: 5, on: 9, stake: 5),
        ]
        let wanted = ["dear", "dear, later id", "cheap", "old", "undated"]
        #expect(try stored(found).queue().map(\.lines[0].evidence) == wanted)
    }

    @Test func `has what is new, however many others are more urgent, and counts it by severity`() throws {
        var found: [ComparedFinding] = []
        for rule in RuleBook.ids.prefix(20) {
            found += (0..<150).map { finding(rule.text, .critical, "\($0)", change: .persisting) }
        }
        found += (0..<150).map { finding("lent-app", .low, "\($0)", change: .persisting) }
        found.append(finding("lent-app", .info, "the new one", change: .new))
        let report = try stored(found)
        #expect(try report.queue().contains { $0.lines[0].evidence == "the new one" })
        #expect(try report.newSinceLast(10).map(\.lines[0].evidence) == ["the new one"])
        #expect(try report.findingCounts().newsSeverities.map { "\($0.count) \($0.severity.code)" } == ["1 info"])
    }

    @Test func `has one row for findings of a rule that say the same, with the first of them by name`() throws {
        let same = (0..<30).map { finding("forged-signature", .critical, "same", "claim:\($0)", id: UInt64($0)) }
        let groups = try stored(same + [finding("forged-signature", .critical, "other", id: 99)]).queue()
        #expect(groups.map(\.count) == [30, 1])
        #expect(groups[0].lines.count == FindingGroup.maxLines && groups[0].lines[19].subject == "claim:19")
    }

    @Test func `has rows of every rule, however many another one has, and counts all`() throws {
        var found: [ComparedFinding] = []
        for rule in RuleBook.ids.prefix(20) {
            found += (0..<150).map { finding(rule.text, .critical, "\($0)") }
        }
        found.append(finding("lent-app", .info))
        let report = try stored(found)
        let (groups, counts) = (try report.queue(), try report.findingCounts())
        #expect(groups.count == QueueLimits().max && counts.count == 3001)
        #expect(groups.last?.lines[0].rule == "lent-app")
        for rule in counts.byRule { #expect(groups.contains { $0.lines[0].rule == rule.visibleRule }) }
    }

    @Test func `keeps the most urgent of a rule, not the first`() throws {
        let old = (0..<500).map {
            finding("shared-receipt", .critical, "\($0)", change: .persisting, id: UInt64($0) + 10)
        }
        let new = (0..<3).map { finding("shared-receipt", .critical, "new \($0)", change: .new, id: UInt64($0)) }
        let groups = try stored(old + new).queue()
        #expect(groups.prefix(3).map(\.lines[0].evidence) == ["new 0", "new 1", "new 2"])
        #expect(groups[3].lines[0].evidence == "0" && groups.count == QueueLimits.maxPerRule)
    }

    @Test(arguments: [FindingStatus.fraud, .ok])
    func `leaves what a review closed to the decisions, with who decided and why`(status: FindingStatus) throws {
        var closed = finding("shared-receipt", .critical, status: status)
        var decision = ReviewDecision(status == .ok ? .ok : .fraud, at: Instant(seconds: 0), by: "anna")
        decision.note = "seen"
        closed.decision = decision
        let report = try stored([closed, finding("shared-receipt", .low)])
        #expect(try report.queue().map(\.lines[0].severity) == [.low])
        let counts = try report.findingCounts()
        #expect(counts.count == 2 && counts.openCount == 1 && counts.clearedCount == (status == .ok ? 1 : 0))
        let cells = try report.decisions().section(10)?.rows.map { $0.map(\.visibleText) }
        #expect(
            cells == [
                [
                    "critical", "shared-receipt", "s", status.rawValue, status.rawValue, "1970-01-01T00:00:00Z", "anna",
                    "seen",
                ]
            ])
    }

    @Test func `says how many decisions it leaves out`() throws {
        var decided = finding("shared-receipt", .low, status: .watch)
        decided.decision = ReviewDecision(.watch, at: Instant(seconds: 0), by: "anna")
        let made = try stored(Array(repeating: decided, count: DecidedFindings.maxRows + 1)).decisions()
        #expect(made.section(.max)?.explanation.contains("These are 1,000 of 1,001") == true)
        var placed: Set<FindingID> = []
        let view = try #require(DecisionsView(made, &placed))
        #expect(view.table[0].rows.count == 1000 && view.table[0].hasNote)
        #expect(try made.section(1)?.rows.count == 1 && stored([]).decisions().section(1) == nil)
    }

    @Test func `counts what is new, closed and no longer found`() throws {
        let queue = try stored([
            finding("shared-receipt", .low, change: .new), finding("shared-receipt", .low, status: .fraud),
            finding("shared-receipt", .low, change: .resolved),
        ]).findingCounts()
        #expect((queue.count, queue.newCount, queue.closedCount, queue.resolvedCount) == (2, 1, 1, 1))
    }

    @Test func `counts findings by rule and app, the apps with the most first`() throws {
        var found: [ComparedFinding] = []
        for (app, count) in [("a", 1), ("b", 3), ("", 2), ("c", 1)] {
            for number in 0..<count {
                var row = finding("shared-receipt", number == 0 ? .high : .low)
                row.finding.bundleID = ExactText(app)
                found.append(row)
            }
        }
        let top = try stored(found).byRuleAndApp(2)
        #expect(top.map { $0.name?.text ?? "others" } == ["b", "", "others"])
        #expect(top.map(\.total) == [3, 2, 2])
        // One app more is named rather than called "others".
        #expect(try stored(found).byRuleAndApp(3).map { $0.name?.text ?? "others" } == ["b", "", "a", "c"])
    }
}

struct `The claims of a page` {
    private func claim(
        _ name: String, _ verdict: String, _ checks: String = "", _ risk: String = "", _ rules: String = ""
    ) -> [String: String] { DocumentSamples.claim(name, verdict, checks, risk, rules) }

    @Test func `are the worst first, and none is clean`() throws {
        let report = try SampleReport(claims: [
            claim("clean", "valid"), claim("empty", "unreadable", "receipt-empty"),
            claim("low", "valid", "", "low", "expired-subscription"),
            claim("high", "valid", "", "high", "shared-receipt"),
            claim("forged", "invalid", "signature-invalid", "high", "forged-signature"),
            claim("other", "invalid", "signature-invalid"),
        ]).stored()
        let shown = try report.worstClaims()
        #expect(shown.map(\.source) == ["forged", "high", "low", "other", "empty"])
        let counts = try report.byMonth(asOf: DocumentSamples.asOf)
        #expect(counts.classes == .init(clean: 1, suspect: 2, invalid: 2, unreadable: 1))
        #expect(shown[0].failedChecks == "signature-invalid" && shown[0].account == "forged")
    }

    @Test func `are some of every rule and check, however many are worse`() throws {
        var claims = (0..<3000).map { claim("\($0)", "valid", "", "critical", "shared-receipt") }
        claims += (0..<9).map { claim("low \($0)", "valid", "", "low", "expired-subscription") }
        claims.append(claim("empty", "unreadable", "receipt-empty"))
        let shown = try SampleReport(claims: claims).stored().worstClaims()
        #expect(shown.count == PageClaim.maxShown && shown.last?.source == "empty")
        #expect(shown.filter { $0.risk == "low" }.map(\.source) == (0..<5).map { "low \($0)" })
        #expect(shown.prefix(3).map(\.source) == ["0", "1", "2"])
    }

    @Test func `are counted by the month in which they were presented`() throws {
        let dates = ["2024-06-30", "2024-07-01", "2026-06-30", "2026-07-01"].map { $0 + "T00:00:00Z" }
        let claims =
            dates.map { DocumentSamples.claim("a", "valid", presented: $0) }
            + ["", "-0001-01-01T00:00:00Z"].map { DocumentSamples.claim("a", "invalid", presented: $0) }
        let counts = try SampleReport(claims: claims).stored().byMonth(asOf: DocumentSamples.asOf)
        #expect(Set(counts.months.keys) == ["earlier", "2024-07", "2026-06", "later", ""])
        #expect(counts.months[""] == .init(invalid: 2))
    }
}
