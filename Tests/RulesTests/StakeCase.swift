import Checks
import Encodings
import Receipts

@testable import Rules

/// Claims, what Apple told the company's server of their purchases, and what the findings put at stake.
struct StakeCase {
    /// Gold and silver are unlocks, month is a subscription, coins are a consumable.
    static let policy: Policy = {
        var policy = Policy()
        let price = { (cents: Int64) -> Product in
            var product = Product()
            product.price = Product.Price(millionths: cents * 10_000, currency: "USD")
            return product
        }
        policy.apps["com.example.notes"] = Policy.App(
            products: ["gold": price(999), "silver": price(499), "month": price(299), "coins": price(99)])
        return policy
    }()

    var claims: [ExampleClaim]
    var told: [ExampleToken] = []
    /// What tokens state as their price in cents, by their numbers.
    var cents: [Int: Int64] = [:]

    init(_ claims: ExampleClaim..., told: [ExampleToken] = [], cents: [Int: Int64] = [:]) {
        (self.claims, self.told, self.cents) = (claims, told, cents)
    }

    init(claims: [ExampleClaim], told: [ExampleToken] = [], cents: [Int: Int64] = [:]) {
        (self.claims, self.told, self.cents) = (claims, told, cents)
    }

    /// What the findings of a rule put at stake: `9.99 USD`, `9.99 USD, 1 unpriced`.
    func atStake(_ rule: ExactText) throws -> [String] {
        try findings().filter { $0.ruleID == rule }
            .map { Self.text($0.stake.amount(RuleSet(Self.policy))) }.sorted()
    }

    static func text(_ amount: (amount: AmountAtStake?, unpriced: Int)) -> String {
        var text = "none"
        if let amount = amount.amount {
            let cents = amount.millionths / 10_000
            text =
                "\(amount.isLeast ? "at least " : "")\(cents / 100).\(cents % 100 / 10)\(cents % 10) \(amount.currency)"
        }
        return amount.unpriced == 0 ? text : "\(text), \(amount.unpriced) unpriced"
    }

    private func facts(_ claim: ExampleClaim, at index: Int) -> Facts {
        var facts = claim.facts(at: index)
        guard let token = claim.token, let cents = cents[token.number] else { return facts }
        facts.token?.purchase?.details?.price = cents * 10
        facts.token?.purchase?.details?.currency = "USD"
        return facts
    }

    private func findings() throws -> [Finding] {
        try InMemoryRun(
            claims: claims.enumerated().map { facts($1, at: $0) },
            told: told.enumerated().map { facts(ExampleClaim(device: "", token: $1), at: $0) }, Self.policy
        ).findings()
    }
}
