import Checks
import Encodings
import Receipts
import Testing

@testable import Rules

/// Which transactions a finding puts at stake, by rule: what they cost.
struct `What a finding puts at stake` {
    private static let first: ExactText = "460000000000001"
    private static let second: ExactText = "460000000000002"
    private static let third: ExactText = "460000000000003"

    /// A month of one subscription, bought on a first day of 2026.
    private static func month(_ number: Int, refunded: String? = nil) -> ExamplePurchase {
        ExamplePurchase(
            "month", "46000000000000\(number)", of: first, bought: "2026-0\(number)-01",
            expires: "2026-0\(number + 1)-01", refunded: refunded, line: number)
    }

    // MARK: Refunds

    @Test(arguments: [("gold", "9.99 USD"), ("month", "14.98 USD"), ("", "14.98 USD")])
    func `is in refunded-purchase the refunds of the product asked for, or else all`(
        asked: String, expected: String
    ) throws {
        let receipt = ExampleReceipt(
            1, ExamplePurchase("gold", Self.first, refunded: "2026-02-20"),
            ExamplePurchase("silver", Self.second, refunded: "2026-02-21"), ExamplePurchase("gold", Self.third))
        let one = StakeCase(ExampleClaim(product: ExactText(asked), receipt: receipt))
        #expect(try one.atStake("refunded-purchase") == [expected])
    }

    /// A month of silver that was upgraded to a month of gold.
    private static let upgraded = [
        ExamplePurchase("month", "460000000000008", expires: "2026-03-01", refunded: "2026-02-10"),
        ExamplePurchase(
            "year", "460000000000009", of: "460000000000008", bought: "2026-02-10T00:01:00Z", expires: "2027-02-10"),
    ]

    @Test func `is in refunded-purchase never what was upgraded`() throws {
        let receipt = ExampleReceipt(
            1, purchases: Self.upgraded + [ExamplePurchase("gold", Self.first, refunded: "2026-02-20")])
        #expect(try StakeCase(ExampleClaim(receipt: receipt)).atStake("refunded-purchase") == ["9.99 USD"])
    }

    @Test func `is in repeat-refunds what was refunded and not upgraded`() throws {
        let refunds = (1...3).map { ExamplePurchase("gold", "46000000000000\($0)", refunded: "2026-02-1\($0)") }
        let receipt = ExampleReceipt(
            1, purchases: refunds + Self.upgraded + [ExamplePurchase("gold", "460000000000004")])
        let one = StakeCase(ExampleClaim(account: "ann", receipt: receipt))
        #expect(try one.atStake("repeat-refunds") == ["29.97 USD"])
    }

    @Test func `is in hidden-refund the hidden refund, not another that is shown`() throws {
        let refunds = (1...3).map { Self.month($0, refunded: "2026-05-10") } + [Self.month(4)]
        let one = StakeCase(
            ExampleClaim(
                presented: "2026-05-20", receipt: ExampleReceipt(1, created: "2026-05-10", purchases: refunds)),
            ExampleClaim(
                device: "B", presented: "2026-05-21",
                receipt: ExampleReceipt(2, created: "2026-01-20", Self.month(1))))
        #expect(try one.atStake("hidden-refund") == ["2.99 USD"])
    }

    @Test func `is in hidden-refund a refund that only evidence shows`() throws {
        let one = StakeCase(
            ExampleClaim(
                presented: "2026-05-21",
                receipt: ExampleReceipt(2, created: "2026-02-20", Self.month(1), Self.month(2))),
            told: [ExampleToken(9, signed: "2026-05-11", isBound: false, Self.month(1, refunded: "2026-05-10"))])
        #expect(try one.atStake("hidden-refund") == ["2.99 USD"])
    }

    // MARK: Transactions

    @Test func `is in shared-account each renewal that the claims show, once`() throws {
        let one = StakeCase(
            ExampleClaim(account: "ann", receipt: ExampleReceipt(1, Self.month(1), Self.month(2))),
            ExampleClaim(
                device: "B", account: "bob",
                receipt: ExampleReceipt(2, Self.month(2), Self.month(3), ExamplePurchase("gold", "460000000000009"))))
        #expect(try one.atStake("shared-account") == ["8.97 USD"])
    }

    @Test func `is in shared-transaction each renewal that the claims show`() throws {
        let one = StakeCase(
            claims: "ABCDEF".enumerated().map { number, device in
                ExampleClaim(
                    device: "\(device)", presented: "2026-04-01",
                    receipt: ExampleReceipt(number + 1, purchases: (1...1 + number % 3).map { Self.month($0) }))
            })
        #expect(try one.atStake("shared-transaction") == ["8.97 USD"])
    }

    @Test func `is nothing in family-overreach, where somebody else paid`() throws {
        let claims = [("2026-03-01" as String?, "2026-03-02"), (nil, "2026-04-02")].enumerated().map { number, dates in
            ExampleClaim(
                device: "D\(number)", presented: dates.1,
                token: ExampleToken(
                    number + 1, signed: dates.0 ?? "2026-02-20", person: "704",
                    ExamplePurchase("gold", Self.first, ownership: "FAMILY_SHARED", sharingEnded: dates.0)))
        }
        let told = ExampleToken(
            9, person: "704", isBound: false, ExamplePurchase("silver", Self.second, of: Self.first))
        #expect(try StakeCase(claims: claims, told: [told]).atStake("family-overreach") == ["none"])
    }

    @Test func `is in token-replay the token's transaction`() throws {
        let one = StakeCase(
            claims: ["A", "B", "C", "D"].map { device in
                ExampleClaim(
                    device: device, account: "\(device)", presented: "2026-03-02",
                    token: ExampleToken(["A": 1, "B": 2, "C": 3][device] ?? 4, nonce: 7, Self.month(2)))
            })
        #expect(try one.atStake("token-replay") == ["2.99 USD"])
    }

    @Test func `is in transaction-conflict the transaction that proofs disagree about`() throws {
        let one = StakeCase(
            ExampleClaim(receipt: ExampleReceipt(1, ExamplePurchase("gold", Self.first))),
            ExampleClaim(
                receipt: ExampleReceipt(2, ExamplePurchase("silver", Self.first), ExamplePurchase("coins", Self.second))
            ))
        // Of two products the first in the alphabet counts.
        #expect(try one.atStake("transaction-conflict") == ["9.99 USD"])
    }

    @Test func `is in replayed-consumable the consumable`() throws {
        let receipt = ExampleReceipt(
            1, ExamplePurchase("coins", Self.first, kind: .consumable), ExamplePurchase("gold", Self.second))
        let one = StakeCase(
            ExampleClaim(account: "ann", product: "coins", receipt: receipt),
            ExampleClaim(device: "B", account: "bob", product: "coins", receipt: receipt))
        #expect(try one.atStake("replayed-consumable") == ["0.99 USD"])
    }

    // MARK: Receipts

    /// A receipt of April with an unlock, a refunded one, and months until June.
    private static let shared = ExampleReceipt(
        1, created: "2026-03-15",
        purchases: [
            ExamplePurchase("gold", "460000000000007", bought: "2026-01-01"),
            ExamplePurchase("silver", "460000000000008", bought: "2026-01-01", refunded: "2026-02-01"),
        ] + (1...5).map { month($0) })

    private static let presentations: [(days: [String?], expected: String)] = [
        (["2026-03-20", "2026-03-21"], "18.96 USD"), (["2026-03-20", "2026-05-20"], "12.98 USD"),
        (["2026-05-20", "2026-03-20"], "12.98 USD"), (["2026-03-20", nil], "18.96 USD"), ([nil, nil], "18.96 USD"),
        (["2026-03-20", "2026-06-01"], "9.99 USD"),
    ]

    @Test(arguments: presentations)
    func `is in shared-receipt what holds when it is presented last`(days: [String?], expected: String) throws {
        let claims = days.enumerated().map { number, day in
            ExampleClaim(device: "D\(number)", account: "user-\(number)", presented: day, receipt: Self.shared)
        }
        #expect(try StakeCase(claims: claims).atStake("shared-receipt") == [expected])
    }

    @Test(arguments: presentations)
    func `is in unattributed-replay the same`(days: [String?], expected: String) throws {
        let claims = (days + days).map { ExampleClaim(device: "", presented: $0, receipt: Self.shared) }
        #expect(try StakeCase(claims: claims).atStake("unattributed-replay") == [expected])
    }

    @Test func `is in shared-receipt nothing of which evidence shows a refund`() throws {
        let claims = (1...2).map {
            ExampleClaim(device: "D\($0)", account: "user-\($0)", presented: "2026-05-20", receipt: Self.shared)
        }
        let refund = ExamplePurchase("gold", "460000000000007", bought: "2026-01-01", refunded: "2026-05-01")
        let one = StakeCase(claims: claims, told: [ExampleToken(9, signed: "2026-05-02", isBound: false, refund)])
        #expect(try one.atStake("shared-receipt") == ["2.99 USD"])
    }

    @Test func `says nothing of the product of a shared receipt`() throws {
        let receipt = ExampleReceipt(1, ExamplePurchase("gold"))
        let rules = RuleSet(Policy())
        let observations = ["A", "B"].enumerated().map { number, device in
            let facts = ExampleClaim(device: device, account: "\(device)", receipt: receipt).facts(at: number)
            var observation = ClaimObservations(facts, claim: ClaimNumber(rawValue: UInt64(number))).presented
            observation.purchases = facts.provenPurchases ?? []
            return observation
        }
        var products: [ExactText] = []
        try rules.evaluate(
            ArrayGroup(GroupKey(.receipt, octets: [1]), observations),
            onFinding: { products.append($0.involved.product.text) }, onMark: { _, _, _ in })
        #expect(products == [""])
    }

    // MARK: Other rules

    @Test(arguments: [("month", "2.99 USD"), ("silver", "none"), ("", "none")])
    func `is in other rules for one claim the latest purchase of the product asked for`(
        asked: String, expected: String
    ) throws {
        let receipt = ExampleReceipt(
            1, Self.month(1), Self.month(2), ExamplePurchase("gold", "460000000000009"))
        let one = StakeCase(ExampleClaim(product: ExactText(asked), failed: [.guidMismatch], receipt: receipt))
        #expect(try one.atStake("device-mismatch") == [expected])
    }

    @Test func `is nothing in a test receipt, for which nobody paid`() throws {
        let receipt = ExampleReceipt(1, environment: "Sandbox", Self.month(1))
        let one = StakeCase(ExampleClaim(product: "month", failed: [.environmentMismatch], receipt: receipt))
        #expect(try one.atStake("test-receipt") == ["none"])
    }

    @Test(arguments: RuleBook.groupRules.indices)
    func `is nothing where a rule is about a device, an account, a person or an app`(number: Int) {
        let rule = RuleBook.groupRules[number]
        let isAboutRefunds = rule.documentation.id == "repeat-refunds"
        for key in rule.keys where [.device, .account, .person, .app].contains(key) {
            #expect((rule.stake(under: key) == .none) != isAboutRefunds, "\(rule.documentation.id)")
        }
    }

    // MARK: Divided groups
}
