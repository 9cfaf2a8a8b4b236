import Encodings
import Receipts
import Testing

@testable import Rules

/// What the transactions cost that a finding is about.
struct `What is at stake` {
    private static let policy: Policy = {
        var policy = Policy()
        let price = { (millionths: Int64) -> Product in
            var product = Product()
            product.price = Product.Price(millionths: millionths, currency: "USD")
            return product
        }
        policy.apps["app"] = Policy.App(products: ["gold": price(5_000_000), "silver": price(3_000_000)])
        return policy
    }()

    private static func purchase(
        _ id: ExactText, _ product: ExactText, _ price: Int64? = nil, _ currency: ExactText? = nil
    ) -> Purchase {
        var purchase = Purchase(
            productID: product, transactionID: id, purchaseDate: Instant(milliseconds: 1_700_000_000_000))
        purchase.cancellationDate = purchase.purchaseDate
        guard price != nil || currency != nil else { return purchase }
        var details = TransactionDetails()
        (details.price, details.currency) = (price, currency)
        purchase.details = details
        return purchase
    }

    private static func stake(_ purchases: [Purchase]) -> Stake {
        var observation = Observation(claim: 1, source: "a")
        observation.bundleID = "app"
        observation.purchases = purchases
        var stake = Stake()
        stake.add(observation, .refunds, subject: "")
        return stake
    }

    private func amount(_ purchases: [Purchase], _ policy: Policy = policy) -> (text: String, unpriced: Int) {
        let (amount, unpriced) = Self.stake(purchases).amount(RuleSet(policy))
        return (amount.map { "\($0.millionths) \($0.currency)" } ?? "", unpriced)
    }

    @Test func `is what a token says, else what the policy says`() {
        let purchases = [Self.purchase("1", "gold", 4990, "USD"), Self.purchase("2", "silver")]
        #expect(amount(purchases) == ("7990000 USD", 0))
    }

    @Test func `is in the policy's currency, if any price is, and counts the others`() {
        let purchases = ["1", "2", "3"].map { Self.purchase($0, "gold", 4490, "EUR") } + [Self.purchase("4", "gold")]
        #expect(amount(purchases) == ("5000000 USD", 3))
        #expect(amount(Array(purchases.dropLast())) == ("13470000 EUR", 0))
    }

    @Test func `is in the currency that most prices have, without one of the policy`() {
        let purchases = [
            Self.purchase("1", "gold", 1, "SEK"), Self.purchase("2", "gold", 2, "EUR"),
            Self.purchase("3", "gold", 4, "EUR"), Self.purchase("4", "gold"),
        ]
        #expect(amount(purchases, Policy()) == ("6000 EUR", 2))
        #expect(amount(Array(purchases.prefix(2)), Policy()) == ("2000 EUR", 1))
    }

    @Test func `is not known without a price, a currency, or a sum that fits`() {
        #expect(amount([Self.purchase("1", "lead")]) == ("", 1))
        #expect(amount([Self.purchase("1", "lead", 5, nil)]) == ("", 1))
        #expect(amount([Self.purchase("1", "lead", .max, "USD")]) == ("", 1))
    }

    @Test func `is one amount for a transaction that several proofs show, whatever their order`() {
        let shown = [
            Self.purchase("1", "gold"), Self.purchase("1", "gold", 4990, "USD"),
            Self.purchase("1", "gold", 5990, "USD"),
        ]
        for start in shown.indices {
            var whole = Stake()
            for index in shown.indices { whole.add(Self.stake([shown[(start + index) % shown.count]])) }
            #expect(whole.amount(RuleSet(Self.policy)).amount?.millionths == 4_990_000)
        }
    }

    @Test func `of a transaction is what its own purchase says`() {
        var observation = Observation(claim: 1, source: "a")
        observation.bundleID = "app"
        observation.purchases = [Self.purchase("1", "gold", 4990, "USD"), Self.purchase("2", "gold", 1, "USD")]
        var stake = Stake()
        stake.add(observation, .subject, subject: "transaction:1")
        #expect(stake.amount(RuleSet(Self.policy)).amount?.millionths == 4_990_000)
    }

    @Test func `of more transactions than are held is that of those with the least ids, and says so`() {
        let ids = (0..<5000).map { ExactText(String(100_000 + $0)) }
        let purchases = ids.enumerated().map { Self.purchase($1, "gold", $0 < 4096 ? 1000 : 9000, "USD") }
        for shown in [purchases, purchases.reversed()] {
            let whole = Self.stake(shown)
            let (amount, unpriced) = whole.amount(RuleSet(Self.policy))
            #expect(amount?.millionths == 4096 * 1_000_000 && amount?.isLeast == true && unpriced == 0)
            for (id, millionths) in [(ids[4095], 1_000_000), (ids[4096], nil)] as [(ExactText, Int64?)] {
                var one = Stake()
                one.add(whole, ofSubject: "transaction:\(id)")
                #expect(one.amount(RuleSet(Self.policy)).amount?.millionths == millionths)
            }
        }
    }
}
