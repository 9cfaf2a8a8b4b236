import Encodings
import Engine
import Ledgers
import Rules
import Testing

struct `A review of a finding` {
    private let place: TestFolder

    init() throws {
        place = try TestFolder()
        try place.run(on: 1) { ledger in
            for claim in 1...3 { try ledger.put(claim: UInt64(claim), [1]) }
            _ = try Self.record(ledger)
        }
        _ = try Ledger.review([(.init(rule: "rule", subject: "account:a"), decision)], in: place.ledger)
    }

    private var decision: ReviewDecision {
        var decision = ReviewDecision(.ok, at: Instant(seconds: 5), by: "anna")
        decision.note = "seen"
        return decision
    }

    private static func record(
        _ ledger: Ledger, claims: [UInt64] = [1, 2, 3], severity: Severity = .medium, events: Int = 1,
        subject: ExactText = "account:a"
    ) throws -> FindingStatus {
        var finding = Ledger.finding("rule", subject, severity: severity, events: events)
        finding.isAboutMore = try ledger.isAboutMore(rule: "rule", subject: subject) { claims }
        return try ledger.record(finding).status
    }

    /// A run that makes the finding again.
    ///
    /// - Parameter added: a claim that is new in it.
    private func night(
        _ day: Int64, claims: [UInt64] = [1, 2, 3], severity: Severity = .medium, events: Int = 1,
        subject: ExactText = "account:a", adding added: UInt64? = nil
    ) throws -> FindingStatus {
        var status = FindingStatus.open
        try place.run(on: day) { ledger in
            status = try Self.record(ledger, claims: claims, severity: severity, events: events, subject: subject)
            if let added { try ledger.put(claim: added, [1]) }
        }
        return status
    }

    @Test func `holds as long as nothing is new`() throws {
        #expect(try night(2) == .ok)
        #expect(try night(3, claims: [1], severity: .low) == .ok)
    }

    @Test func `is not about another subject`() throws {
        #expect(try night(2, subject: "account:b") == .open)
    }

    @Test func `does not hold for a claim that no run up to it had`() throws {
        #expect(try night(2, claims: [1, 2, 4], adding: 4) == .reopened)
        // Nor for one that a run had since.
        #expect(try night(3, claims: [1, 2, 4]) == .reopened)
        _ = try Ledger.review([(.init(rule: "rule", subject: "account:a"), decision)], in: place.ledger)
        #expect(try night(4, claims: [1, 2, 4]) == .ok)
    }

    @Test func `does not hold for more events, or for a higher severity`() throws {
        #expect(try night(2, events: 2) == .reopened)
        #expect(try night(3, severity: .high) == .reopened)
    }

    @Test func `is read as it was written`() throws {
        let reviews = try LedgerHistory(place.ledger).reviews()
        #expect(reviews.map(\.decision) == [decision])
        #expect(reviews.map(\.subject) == ["account:a"])
        #expect(try LedgerHealth(of: place.ledger).tables.first { $0.name == "reviews" }?.rows == 1)
    }

    @Test func `says what it overrides, with how many findings, if it decides otherwise`() throws {
        var other = ReviewDecision(.fraud, at: Instant(seconds: 6), by: "boris")
        let name = FindingName(rule: "rule", subject: "account:a")
        #expect(try Ledger.review([(name, decision)], in: place.ledger).overridden.isEmpty)
        let outcome = try Ledger.review([(name, other)], in: place.ledger)
        #expect(outcome.findings == 1)
        #expect(outcome.overridden.map(\.decision) == [decision] && outcome.overridden.map(\.findings) == [1])
        // One whose time has come holds no more.
        other.until = .day(1)
        _ = try Ledger.review([(name, other)], in: place.ledger)
        #expect(try Ledger.review([(name, decision)], in: place.ledger).overridden.isEmpty)
    }

    @Test func `counts for its rule, the last one of each finding`() throws {
        _ = try night(2, subject: "account:b")
        let fraud = ReviewDecision(.fraud, at: Instant(seconds: 6), by: "boris")
        _ = try Ledger.review([(.init(rule: "rule", subject: "account:b"), fraud)], in: place.ledger)
        _ = try Ledger.review([(.init(rule: "rule", subject: "account:a"), fraud)], in: place.ledger)
        let all = try LedgerHistory(place.ledger).ruleQuality()
        #expect(all.map(\.rule).prefix(RuleBook.ids.count) == RuleBook.ids[...])
        let own = try #require(all.last)
        #expect((own.rule, own.findings, own.fraud, own.ok) == ("rule", 2, 2, 0))
    }

    @Test func `is foreseen as it will be recorded`() throws {
        var found: [FindingStatus] = []
        try place.run(on: 2) { ledger in
            for severity in [Severity.low, .high] {
                found.append(try ledger.status(of: Ledger.finding("rule", "account:a", severity: severity)))
            }
            found.append(try ledger.status(of: Ledger.finding("rule", "account:b")))
            found.append(try ledger.record(Ledger.finding("rule", "account:a", severity: .high)).status)
        }
        #expect(found == [.ok, .reopened, .open, .reopened])
    }
}
