import Checks
import Encodings
import Receipts
import Testing

@testable import Rules

/// What the transactions cost that a finding is about.
struct `The price of what is at stake` {
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
        guard price != nil || currency != nil else { return purchase }
        var details = TransactionDetails()
        (details.price, details.currency) = (price, currency)
        purchase.details = details
        return purchase
    }

    private static func stake(
        _ purchases: [Purchase], signed: Int64 = 0, in environment: ExactText = "Production"
    ) -> Stake {
        var observation = Observation(claim: 1, source: "a")
        (observation.bundleID, observation.environment) = ("app", environment)
        observation.createdAt = Instant(seconds: signed)
        var stake = Stake()
        for purchase in purchases { stake.add(purchase, of: observation) }
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

    @Test func `is that of all seats, and nothing for a member`() {
        var seats = Self.purchase("1", "gold", 9990, "USD")
        (seats.kind, seats.quantity) = (.autoRenewable, 10)
        var member = Self.purchase("2", "gold", 9990, "USD")
        member.details?.ownership = "ASSIGNED"
        #expect(amount([seats, member]) == ("99900000 USD", 0))
        #expect(amount([member]) == ("", 0))
    }

    @Test func `is the policy's, where a token's numbers say nothing that can be`() {
        var seats = Self.purchase("1", "gold", 9990, "USD")
        seats.details?.seats = SeatInfo(tiers: [SeatInfo.Tier(price: .max, quantity: .max)])
        #expect(amount([seats]) == ("5000000 USD", 0))
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

    @Test func `is that of the token signed last, whatever the order of the proofs`() {
        let shown = [
            Self.stake([Self.purchase("1", "gold", 5990, "USD")], signed: 1),
            Self.stake([Self.purchase("1", "gold", 4990, "USD")], signed: 2),
            Self.stake([Self.purchase("1", "gold")], signed: 3),
        ]
        for start in shown.indices {
            var whole = Stake()
            for index in shown.indices { whole.add(shown[(start + index) % shown.count]) }
            #expect(whole.amount(RuleSet(Self.policy)).amount?.millionths == 4_990_000)
        }
    }

    @Test func `is of two tokens signed at once that in the first currency, then the smaller`() {
        let shown: [(Int64, String)] = [(5, "USD"), (7, "EUR"), (6, "EUR")]
        for prices in [shown, shown.reversed()] {
            var whole = Stake()
            for (price, currency) in prices {
                whole.add(Self.stake([Self.purchase("1", "gold", price, ExactText(currency))]))
            }
            #expect(whole.amount(RuleSet(Self.policy)).amount == AmountAtStake(millionths: 6000, currency: "EUR"))
        }
    }

    @Test func `counts twice what two environments number alike`() {
        var both = Self.stake([Self.purchase("1", "gold")])
        both.add(Self.stake([Self.purchase("1", "gold")], in: "Sandbox"))
        both.add(Self.stake([Self.purchase("1", "gold")], in: "ProductionVPP"))
        #expect(both.count == 2)
    }

    @Test(arguments: ["Sandbox", "ProductionSandbox", "Xcode", "LocalTesting", "Moon"])
    func `is nothing in an environment in which nobody pays`(environment: ExactText) {
        let test = Self.stake([Self.purchase("1", "gold", 9000, "USD")], in: environment)
        let (amount, unpriced) = test.amount(RuleSet(Self.policy))
        #expect(amount == nil && unpriced == 0)
    }

    @Test func `of more transactions than are held is that of those with the least ids, and says so`() {
        let ids = (0..<5000).map { ExactText(String(100_000 + $0)) }
        let purchases = ids.enumerated().map { Self.purchase($1, "gold", $0 < 4096 ? 1000 : 9000, "USD") }
        for shown in [purchases, purchases.reversed()] {
            let whole = Self.stake(shown)
            let (amount, unpriced) = whole.amount(RuleSet(Self.policy))
            #expect(amount?.millionths == 4096 * 1_000_000 && amount?.isLeast == true && unpriced == 0)
            #expect(whole.items.map(\.transaction.id) == Array(ids.prefix(4096)))
        }
        #expect(Self.stake(Array(purchases.prefix(4096))).amount(RuleSet(Self.policy)).amount?.isLeast == false)
    }
}

/// Where the price of a transaction comes from, which is the same for all rules.
struct `A signed price` {
    private static let gold = ExamplePurchase("gold", kind: .consumable)
    private static let refunded = ExamplePurchase("gold", refunded: "2026-02-10")

    private static func told(_ purchase: ExamplePurchase, signed: String, in environment: ExactText = "Production")
        -> [ExampleToken]
    {
        [ExampleToken(9, environment: environment, signed: signed, isBound: false, purchase)]
    }

    /// A case of each kind of stake: the rule, and claims of receipts that show gold.
    private static let cases: [(rule: String, claims: [ExampleClaim], told: ExamplePurchase)] = {
        let shared = ["A", "B"].map {
            ExampleClaim(
                device: $0, account: ExactText($0), product: "gold", presented: "2026-03-02",
                receipt: ExampleReceipt(1, gold))
        }
        let mismatch = ExampleClaim(
            product: "gold", failed: [.guidMismatch], receipt: ExampleReceipt(1, gold))
        let refund = ExampleClaim(product: "gold", receipt: ExampleReceipt(1, refunded))
        return [
            ("shared-receipt", shared, gold), ("shared-account", shared, gold), ("replayed-consumable", shared, gold),
            ("device-mismatch", [mismatch], gold), ("refunded-purchase", [refund], refunded),
        ]
    }()

    @Test(arguments: cases)
    func `in evidence comes before the policy's`(
        rule: String, claims: [ExampleClaim], told: ExamplePurchase
    ) throws {
        let evidence = Self.told(told, signed: "2026-02-20")
        #expect(try StakeCase(claims: claims).atStake(ExactText(rule)) == ["9.99 USD"])
        let priced = StakeCase(claims: claims, told: evidence, cents: [9: 449])
        #expect(try priced.atStake(ExactText(rule)) == ["4.49 USD"])
    }

    @Test(arguments: cases)
    func `in evidence of another environment says nothing`(
        rule: String, claims: [ExampleClaim], told: ExamplePurchase
    ) throws {
        let evidence = Self.told(told, signed: "2026-02-20", in: "Sandbox")
        let priced = StakeCase(claims: claims, told: evidence, cents: [9: 449])
        #expect(try priced.atStake(ExactText(rule)) == ["9.99 USD"])
    }

    @Test func `in evidence comes before the policy's in repeat-refunds`() throws {
        let refunds = (1...3).map { ExamplePurchase("gold", "46000000000000\($0)", refunded: "2026-02-1\($0)") }
        let claim = ExampleClaim(account: "ann", receipt: ExampleReceipt(1, purchases: refunds))
        let one = StakeCase(claim, told: Self.told(refunds[0], signed: "2026-02-20"), cents: [9: 449])
        #expect(try one.atStake("repeat-refunds") == ["24.47 USD"])
    }

    @Test func `in evidence that shows a refund which a receipt does not is that of the refund`() throws {
        let claim = ExampleClaim(product: "gold", presented: "2026-03-02", receipt: ExampleReceipt(1, Self.gold))
        let refund = Self.told(ExamplePurchase("gold", refunded: "2026-03-01"), signed: "2026-03-02")
        #expect(try StakeCase(claim, told: refund, cents: [9: 449]).atStake("refunded-purchase") == ["4.49 USD"])
    }

    @Test(arguments: [("2026-02-20", "3.99 USD"), ("2026-03-05", "4.49 USD")])
    func `in evidence counts before that of a claim's token if it was signed later`(
        signed: String, expected: String
    ) throws {
        let claims = ["A", "B"].enumerated().map { number, device in
            ExampleClaim(
                device: device, account: ExactText(device),
                token: ExampleToken(number + 1, signed: "2026-03-0\(number + 1)", Self.gold))
        }
        let one = StakeCase(
            claims: claims, told: Self.told(Self.gold, signed: signed), cents: [1: 299, 2: 399, 9: 449])
        #expect(try one.atStake("shared-account") == [expected])
    }

    @Test func `counts also if a newer token states none`() throws {
        let claims = ["A", "B"].map {
            ExampleClaim(device: $0, account: ExactText($0), receipt: ExampleReceipt(1, Self.gold))
        }
        let told = ["2026-02-20", "2026-02-25"].enumerated().map { number, signed in
            ExampleToken(number + 8, signed: signed, isBound: false, Self.gold)
        }
        #expect(try StakeCase(claims: claims, told: told, cents: [8: 449]).atStake("shared-account") == ["4.49 USD"])
    }
}

/// A stake that very many others share.
struct `A shared stake` {
    /// Adds a transaction that costs its number, in one of two currencies.
    private static func add(_ numbers: some Sequence<Int>, signed: Int64, to stake: inout Stake) {
        var observation = Observation(claim: 1, source: "a")
        (observation.bundleID, observation.createdAt) = ("app", Instant(seconds: signed))
        for number in numbers {
            var purchase = Purchase(
                productID: "gold", transactionID: ExactText("\(100_000 + number)"),
                purchaseDate: Instant(milliseconds: 0))
            var details = TransactionDetails()
            (details.price, details.currency) = (Int64(number) + signed, number % 3 == 0 ? "EUR" : "USD")
            purchase.details = details
            stake.add(purchase, of: observation)
        }
    }

    @Test(arguments: [
        (0..<0, 0..<10), (0..<100, 50..<60), (0..<100, 90..<130), (0..<4096, 5..<9), (10..<4106, 0..<5),
        (10..<4106, 4100..<4200), (10..<4100, 4090..<4120), (20..<9000, 0..<40), (20..<9000, 8000..<8010),
        (100..<200, 0..<9000),
    ])
    func `adds up with another one like any stake`(shared: Range<Int>, own: Range<Int>) {
        let rules = RuleSet(Policy())
        var (first, second) = (Stake(), Stake())
        Self.add(shared, signed: 1, to: &first)
        Self.add(own, signed: 2, to: &second)
        var sum = first
        sum.add(second)
        let (expected, found) = (sum.amount(rules), SharedStake(first, rules).amount(with: second, rules))
        #expect(found.amount == expected.amount && found.unpriced == expected.unpriced)
    }
}
