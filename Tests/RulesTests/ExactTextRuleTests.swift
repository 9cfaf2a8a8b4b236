import Checks
import Encodings
import Inputs
import Receipts
import Testing

@testable import Rules

/// The Kelvin sign (U+212A) is canonically equivalent to K, and é (U+00E9) to e with an accent (U+0301).
struct `A rule compares octets, so that of two canonically equivalent texts` {
    @Test func `one product is missing where the other was bought`() throws {
        let claim = { (asked: String) in
            ExampleClaim(product: text(asked), receipt: ExampleReceipt(1, ExamplePurchase("\u{212a}arma")))
        }
        #expect(try rules(claim("\u{212a}arma")) == [])
        #expect(try rules(claim("Karma")) == ["missing-purchase"])
    }

    @Test func `one product is unknown where the other is in the catalogue`() throws {
        var policy = Policy()
        policy.apps["com.example.notes"] = Policy.App(products: ["Karma": Product()])
        let claim = { ExampleClaim(receipt: ExampleReceipt(1, ExamplePurchase(text($0)))) }
        #expect(try rules(claim("Karma"), policy) == [])
        #expect(try rules(claim("\u{212a}arma"), policy) == ["unknown-product"])
    }

    @Test func `one app has no catalogue where the other has`() throws {
        var policy = Policy()
        policy.apps["com.example.K"] = Policy.App(products: [:])
        policy.apps["com.example.\u{212a}"] = Policy.App(products: ["gold": Product()])
        #expect(policy.apps.count == 2)
        let claim = { ExampleClaim(receipt: ExampleReceipt(1, bundleID: text($0), ExamplePurchase("gold"))) }
        #expect(try rules(claim("com.example.\u{212a}"), policy) == [])
        #expect(try rules(claim("com.example.K"), policy) == ["unknown-product"])
    }

    @Test func `one subject is allowed and the other is not`() throws {
        let claim = { ExampleClaim(account: text($0), product: "gold") }
        #expect(try allowed("account:K", subjectOf: "K") == 0)
        #expect(try allowed("account:K", subjectOf: "\u{212a}") == 1)
        #expect(try rules(claim("K")) == ["missing-purchase"])
    }

    @Test func `each is an account of its own`() throws {
        let claims = ["caf\u{e9}", "cafe\u{301}"].map {
            ExampleClaim(account: text($0), receipt: ExampleReceipt(1, ExamplePurchase()))
        }
        let findings = try ExampleTests.findings(RuleExample.raised("two accounts", .high, claims: claims))
        #expect(findings.map(\.ruleID).contains("shared-account"))
        #expect(findings.first { $0.ruleID == "shared-account" }?.involved.accounts.count == 2)
    }

    @Test func `each is a transaction of its own`() throws {
        let purchases = ["K", "\u{212a}"].map { ExamplePurchase("gold", text($0)) }
        let facts = ExampleClaim(receipt: ExampleReceipt(1, purchases: purchases)).facts(at: 0)
        var keys: Set<[UInt8]> = []
        ClaimObservations(facts, claim: 0).forEach { kind, octets, found in
            guard kind == .transaction else { return }
            keys.insert(octets.indices.map { octets[$0] })
            #expect(found.count == 1)
        }
        #expect(keys == [Array("K".utf8), Array("\u{212a}".utf8)])
    }

    @Test func `each of three in turn is a transaction of its own, in whatever order they stand`() throws {
        let purchases = ["K", "\u{212a}", "K"].map { ExamplePurchase("gold", text($0)) }
        let facts = ExampleClaim(receipt: ExampleReceipt(1, purchases: purchases)).facts(at: 0)
        var counts: [[UInt8]: Int] = [:]
        ClaimObservations(facts, claim: 0).forEach { kind, octets, found in
            if kind == .originalTransaction { counts[octets.indices.map { octets[$0] }, default: 0] += found.count }
        }
        #expect(counts == [Array("K".utf8): 2, Array("\u{212a}".utf8): 1])
    }

    @Test func `two that a receipt gives one transaction conflict`() throws {
        let claims = ["K", "\u{212a}"].enumerated().map { number, product in
            ExampleClaim(receipt: ExampleReceipt(number, ExamplePurchase(text(product))))
        }
        let findings = try ExampleTests.findings(RuleExample.raised("two products", .critical, claims: claims))
        #expect(findings.map(\.ruleID).contains("transaction-conflict"))
    }

    /// How many findings about an account are hidden by an entry of the allow list.
    private func allowed(_ subject: String, subjectOf account: String) throws -> Int {
        var policy = Policy()
        policy.allowances = [Policy.Allowance(subject: text(subject), reason: "test")]
        let claims = (0..<21).map { number in
            ExampleClaim(
                account: text(account), product: "gold",
                receipt: ExampleReceipt(
                    number, ExamplePurchase("gold", refunded: "2026-02-\(10 + number % 18)", line: number)))
        }
        let example = RuleExample.raised("refunds", .medium, policy: policy, claims: claims)
        let findings = try ExampleTests.findings(example).filter { $0.ruleID == "repeat-refunds" }
        let set = RuleSet(policy)
        return findings.count { !set.isAllowed($0, id: .none) }
    }

    private func rules(_ claim: ExampleClaim, _ policy: Policy = Policy()) throws -> [String] {
        try findings(claim, policy).map { "\($0.ruleID)" }
    }

    private func findings(_ claim: ExampleClaim, _ policy: Policy) throws -> [Finding] {
        var found: [Finding] = []
        RuleSet(policy).evaluate(claim.facts(at: 0)) { found.append($0) }
        return found
    }
}

private func text(_ text: String) -> ExactText { ExactText(text) }

private typealias ExampleTests = `A rule's examples`
