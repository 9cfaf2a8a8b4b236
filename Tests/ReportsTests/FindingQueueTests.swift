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

    private func queue(_ findings: [ComparedFinding]) -> FindingQueue {
        findings.reduce(into: FindingQueue()) { $0.add($1) }
    }

    @Test func `has the most urgent first: by severity and confidence, then what is new, and none that is closed`() {
        let found = [
            finding("shared-receipt", .critical, status: .ok), finding("shared-receipt", .low),
            finding("shared-receipt", .high, confidence: .possible),
            finding("shared-receipt", .critical, confidence: .doubtful), finding("shared-receipt", .high),
            finding("shared-receipt", .high, change: .new, confidence: .possible),
            finding("shared-receipt", .high, status: .reopened),
        ]
        let rows = queue(found).groups().map {
            "\($0.lines[0].severity) \($0.lines[0].change) \($0.lines[0].status) \($0.lines[0].confidence)"
        }
        #expect(
            rows == [
                "high  reopened likely", "high  open likely", "critical  open doubtful", "high new open possible",
                "high  open possible", "low  open likely",
            ])
    }

    @Test func `has of equal ones the latest presented first, then the most at stake, then the least id`() {
        let found = [
            finding("shared-receipt", .high, "undated", id: 1), finding("shared-receipt", .high, "old", id: 2, on: 1),
            finding("shared-receipt", .high, "cheap", id: 3, on: 9, stake: 1),
            finding("shared-receipt", .high, "dear", id: 4, on: 9, stake: 5),
            finding("shared-receipt", .high, "dear, later id", id: 5, on: 9, stake: 5),
        ]
        let wanted = ["dear", "dear, later id", "cheap", "old", "undated"]
        #expect(queue(found).groups().map(\.key.evidence.text) == wanted)
        let keys = found.map { FindingUrgency($0).sortKeys + [$0.finding.id.high] }
        let sorted = zip(keys, found).sorted { $0.0.lexicographicallyPrecedes($1.0) }
        #expect(sorted.map(\.1.finding.evidence) == wanted)
    }

    @Test func `has what is new, however many others are more urgent, and counts it by severity`() {
        var found: [ComparedFinding] = []
        for rule in RuleBook.ids.prefix(20) {
            found += (0..<150).map { finding(rule.text, .critical, "\($0)", change: .persisting) }
        }
        found += (0..<150).map { finding("lent-app", .low, "\($0)", change: .persisting) }
        found.append(finding("lent-app", .info, "the new one", change: .new))
        let queue = queue(found)
        #expect(queue.groups().contains { $0.key.evidence == "the new one" })
        #expect(queue.news.map(\.key.evidence.text) == ["the new one"])
        #expect(queue.newsSeverities.map { "\($0.count) \($0.severity.code)" } == ["1 info"])
    }

    @Test func `says that a group may have more findings where one was left out before`() {
        let many = (0..<200).map { finding("shared-receipt", .low, "\($0)", on: 500 - Int64($0)) }
        let again = finding("shared-receipt", .low, "150", on: 900)
        let group = queue(many + [again]).groups().first
        #expect(group?.key.evidence == "150" && group?.count == 1 && group?.isLeast == true)
        #expect(queue(many).groups().allSatisfy { !$0.isLeast })
    }

    @Test func `has one row for findings of a rule that say the same, with the first of them by name`() {
        let same = (0..<30).map { finding("forged-signature", .critical, "same", "claim:\($0)", id: UInt64($0)) }
        let groups = queue(same + [finding("forged-signature", .critical, "other", id: 99)]).groups()
        #expect(groups.map(\.count) == [30, 1])
        #expect(groups[0].lines.count == FindingGroup.maxLines && groups[0].lines[19].subject == "claim:19")
    }

    @Test func `has rows of every rule, however many another one has, and counts all`() {
        var found: [ComparedFinding] = []
        for rule in RuleBook.ids.prefix(20) {
            found += (0..<150).map { finding(rule.text, .critical, "\($0)") }
        }
        found.append(finding("lent-app", .info))
        let queue = queue(found)
        let groups = queue.groups()
        #expect(groups.count == FindingQueue.maxShown && queue.count == 3001)
        #expect(groups.last?.lines[0].rule == "lent-app")
        for rule in queue.byRule { #expect(groups.contains { $0.lines[0].rule == rule.visibleRule }) }
        #expect(queue.byRule.allSatisfy { $0.groups.count <= FindingQueue.maxPerRule })
    }

    @Test func `keeps the most urgent of a rule, not the first`() {
        let old = (0..<500).map {
            finding("shared-receipt", .critical, "\($0)", change: .persisting, id: UInt64($0) + 10)
        }
        let new = (0..<3).map { finding("shared-receipt", .critical, "new \($0)", change: .new, id: UInt64($0)) }
        let groups = queue(old + new).groups()
        #expect(groups.prefix(3).map(\.key.evidence) == ["new 0", "new 1", "new 2"])
        #expect(groups[3].key.evidence == "0" && groups.count == FindingQueue.maxPerRule)
    }

    @Test(arguments: [FindingStatus.fraud, .ok])
    func `leaves what a review closed to the decisions, with who decided and why`(status: FindingStatus) {
        var closed = finding("shared-receipt", .critical, status: status)
        var decision = ReviewDecision(status == .ok ? .ok : .fraud, at: Instant(seconds: 0), by: "anna")
        decision.note = "seen"
        closed.decision = decision
        let queue = queue([closed, finding("shared-receipt", .low)])
        #expect(queue.groups().map(\.lines[0].severity) == [.low])
        #expect(queue.count == 2 && queue.openCount == 1 && queue.clearedCount == (status == .ok ? 1 : 0))
        let cells = queue.decided.section(10)?.rows.map { $0.map(\.visibleText) }
        #expect(
            cells == [
                [
                    "critical", "shared-receipt", "s", status.rawValue, status.rawValue, "1970-01-01T00:00:00Z", "anna",
                    "seen",
                ]
            ])
    }

    @Test func `says how many decisions it leaves out`() {
        var decided = finding("shared-receipt", .low, status: .watch)
        decided.decision = ReviewDecision(.watch, at: Instant(seconds: 0), by: "anna")
        let queue = queue(Array(repeating: decided, count: DecidedFindings.maxRows + 1))
        #expect(queue.decided.section(.max)?.explanation.contains("These are 1,000 of 1,001") == true)
        #expect(DecisionsView(queue.decided)?.table[0].rows.count == 1000)
        #expect(DecisionsView(queue.decided)?.table[0].hasNote == true)
        #expect(queue.decided.section(1)?.rows.count == 1 && self.queue([]).decided.section(1) == nil)
    }

    @Test func `counts what is new, closed and no longer found`() {
        let queue = queue([
            finding("shared-receipt", .low, change: .new), finding("shared-receipt", .low, status: .fraud),
            finding("shared-receipt", .low, change: .resolved),
        ])
        #expect((queue.count, queue.newCount, queue.closedCount, queue.resolvedCount) == (2, 1, 1, 1))
    }

    @Test func `counts findings by rule and app, the apps with the most first`() {
        var found: [ComparedFinding] = []
        for (app, count) in [("a", 1), ("b", 3), ("", 2), ("c", 1)] {
            for number in 0..<count {
                var row = finding("shared-receipt", number == 0 ? .high : .low)
                row.finding.bundleID = ExactText(app)
                found.append(row)
            }
        }
        let top = queue(found).apps.top(2)
        #expect(top.map { $0.name?.text ?? "others" } == ["b", "", "others"])
        #expect(top.map(\.total) == [3, 2, 2])
        #expect(top.map { $0.severities[.high] } == [1, 1, 2])
        // One app more is named rather than called "others".
        #expect(queue(found).apps.top(3).map { $0.name?.text ?? "others" } == ["b", "", "a", "c"])
    }
}

struct `The claims of a page` {
    private func add(
        _ claims: inout PageClaims, _ name: String, _ verdict: String, _ checks: String = "", _ risk: String = "",
        _ rules: String = "", presented: String = "2026-06-03T00:00:00Z"
    ) {
        claims.add(DocumentSamples.line(name, verdict, checks, risk, rules, presented: presented).span)
    }

    @Test func `are the worst first, and none is clean`() {
        var claims = PageClaims(asOf: DocumentSamples.asOf)
        add(&claims, "clean", "valid")
        add(&claims, "empty", "unreadable", "receipt-empty")
        add(&claims, "low", "valid", "", "low", "expired-subscription")
        add(&claims, "high", "valid", "", "high", "shared-receipt")
        add(&claims, "forged", "invalid", "signature-invalid", "high", "forged-signature")
        add(&claims, "other", "invalid", "signature-invalid")
        #expect(claims.shown().map(\.source) == ["forged", "high", "low", "other", "empty"])
        #expect(claims.counts.classes == .init(clean: 1, suspect: 2, invalid: 2, unreadable: 1))
        #expect(claims.shown()[0].failedChecks == "signature-invalid" && claims.shown()[0].account == "forged")
    }

    @Test func `are some of every rule and check, however many are worse`() {
        var claims = PageClaims(asOf: DocumentSamples.asOf)
        for number in 0..<3000 { add(&claims, "\(number)", "valid", "", "critical", "shared-receipt") }
        for number in 0..<9 { add(&claims, "low \(number)", "valid", "", "low", "expired-subscription") }
        add(&claims, "empty", "unreadable", "receipt-empty")
        let shown = claims.shown()
        #expect(shown.count == PageClaims.maxShown && shown.last?.source == "empty")
        #expect(shown.filter { $0.risk == "low" }.map(\.source) == (0..<5).map { "low \($0)" })
        #expect(shown.prefix(3).map(\.source) == ["0", "1", "2"])
    }

    @Test func `are counted by the month in which they were presented`() {
        var claims = PageClaims(asOf: DocumentSamples.asOf)
        for date in ["2024-06-30", "2024-07-01", "2026-06-30", "2026-07-01"] {
            add(&claims, "a", "valid", presented: date + "T00:00:00Z")
        }
        for date in ["", "-0001-01-01T00:00:00Z"] { add(&claims, "a", "invalid", presented: date) }
        #expect(Set(claims.counts.months.keys) == ["earlier", "2024-07", "2026-06", "later", ""])
        #expect(claims.counts.months[""] == .init(invalid: 2))
    }
}
