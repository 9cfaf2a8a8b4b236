import Checks
import Encodings
import Receipts
import Testing

@testable import Rules

/// Dates at the ends of time, limits without sense, and more than a person can read.
struct `Rules about one claim take anything` {
    static let dates = [Int64.min, .min + 1, -1, 0, 1, 1_770_000_000_000, .max - 1, .max]
        .map(Instant.init(milliseconds:))

    @Test(arguments: dates, [Int.min, -1, 0, 1, 20, Int.max])
    func `whatever the dates and the limits`(created: Instant, limit: Int) throws {
        let rules = RuleSet(Self.policy(limit))
        for bought in Self.dates {
            for other in Self.dates { rules.evaluate(Self.facts(created, bought, other)) { _ in } }
        }
    }

    @Test func `and name at most ten things`() throws {
        let rules = RuleSet(Policy())
        var facts = Self.facts(Self.dates[3], Self.dates[5], Self.dates[4])
        facts.receipt?.purchases = (0..<50).map { number in
            var purchase = Purchase(
                productID: "coins\(number)", transactionID: "\(number)", purchaseDate: Self.dates[5])
            purchase.cancellationDate = Self.dates[4]
            return purchase
        }
        var findings: [ExactText: String] = [:]
        rules.evaluate(facts) { findings[$0.ruleID] = $0.evidence }
        for id: ExactText in ["missing-purchase", "impossible-dates", "purchase-burst"] {
            let evidence = try #require(findings[id])
            #expect(evidence.hasSuffix(" and 40 more"))
            #expect(evidence.split(separator: "“coins", omittingEmptySubsequences: false).count == 1 + 10)
        }
    }

    @Test func `and cut untrusted text`() throws {
        let facts = ExampleClaim(
            product: ExactText(String(repeating: "x", count: 1 << 20)), failed: [.environmentMismatch],
            receipt: ExampleReceipt(environment: ExactText(String(repeating: "y", count: 1 << 20)))
        ).facts(at: 0)
        var findings: [Finding] = []
        RuleSet(Policy()).evaluate(facts) { findings.append($0) }
        #expect(findings.map(\.ruleID) == ["test-receipt", "missing-purchase"])
        #expect(findings.allSatisfy { $0.evidence.utf8.count < 500 })
    }

    private static func policy(_ limit: Int) -> Policy {
        var policy = Policy()
        for rule in RuleBook.claimRules {
            var settings = Policy.RuleSettings()
            for name in rule.documentation.limits.map({ $0.name }) { settings.limits[name] = limit }
            policy.rules[rule.documentation.id] = settings
        }
        return policy
    }

    private static func facts(_ created: Instant, _ bought: Instant, _ other: Instant) -> Facts {
        var facts = ExampleClaim(product: "gold", isSHA1: true).facts(at: 0)
        facts.receipt?.createdAt = created
        var purchase = Purchase(productID: "gold", transactionID: "1", purchaseDate: bought)
        purchase.expiresDate = other
        purchase.cancellationDate = other
        purchase.originalPurchaseDate = other
        facts.receipt?.purchases = [purchase, purchase]
        facts.receipt?.purchases.append(Purchase(productID: "silver", transactionID: "2", purchaseDate: other))
        return facts
    }
}
