import Checks
import Encodings
import Testing

@testable import Rules

struct `The allow list hides` {
    /// Two proofs disagree on the product of a transaction, so that one finding is about several claims.
    private static let example = RuleExample.raised(
        "two products", .critical,
        claims: ["lamp", "pen"].enumerated().map { number, product in
            ExampleClaim(receipt: ExampleReceipt(number, ExamplePurchase(ExactText(product))))
        })

    private let finding: Finding
    private let id: FindingID

    init() throws {
        let findings = try `A rule's examples`.findings(Self.example)
        finding = try #require(findings.first { $0.ruleID == "transaction-conflict" })
        id = try IdentityHasher().finding(rule: finding.ruleID, subject: finding.subject)
    }

    private func rules(_ subject: ExactText, only rules: Set<ExactText> = [], until: Instant? = nil) -> RuleSet {
        var (policy, allowance) = (Policy(), Policy.Allowance(subject: subject, reason: "test"))
        (allowance.rules, allowance.until) = (rules, until)
        policy.allowances = [allowance]
        return RuleSet(policy, asOf: Instant(seconds: 0))
    }

    private func hides(_ set: RuleSet, id: FindingID) -> Bool { set.isAllowed(finding, id: id) }

    @Test func `a finding by its id`() {
        #expect(hides(rules("finding:\(id)"), id: id))
    }

    @Test func `no finding with another id`() throws {
        let other = try IdentityHasher().finding(rule: "shared-account", subject: finding.subject)
        #expect(other != id)
        #expect(!hides(rules("finding:\(other)"), id: id))
        #expect(!hides(rules("claim:\(id)"), id: id))
    }

    @Test func `a finding by its subject`() {
        #expect(hides(rules(finding.subject), id: id))
        #expect(!hides(rules("account:\(id)"), id: id))
    }

    @Test func `findings of the rules that are named, if any are`() {
        #expect(hides(rules("finding:\(id)", only: ["transaction-conflict"]), id: id))
        #expect(!hides(rules("finding:\(id)", only: ["shared-account"]), id: id))
    }

    @Test func `nothing when it has ended`() {
        #expect(hides(rules("finding:\(id)", until: Instant(seconds: 1)), id: id))
        #expect(!hides(rules("finding:\(id)", until: Instant(seconds: -1)), id: id))
    }

    @Test func `the finding of one claim by its case`() throws {
        var facts = ExampleClaim(deviceHashMatches: false).facts(at: 0)
        facts.caseID = ClaimID(high: 1, low: 2)
        var found: [Finding] = []
        RuleSet(Policy()).evaluate(facts) { found.append($0) }
        let finding = try #require(found.first { $0.ruleID == "device-mismatch" })
        #expect(rules("claim:000000000000000100000002").isAllowed(finding, id: id))
        #expect(!rules("claim:000000000000000100000003").isAllowed(finding, id: id))
    }
}
