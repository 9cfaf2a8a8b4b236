import Encodings
import Receipts
import Testing

@testable import Rules

struct `A burst over an account's receipts` {
    /// Purchases in consecutive seconds.
    private static func purchases(_ numbers: Range<Int>, expires: String? = nil) -> [ExamplePurchase] {
        let start = Instant(example: "2026-02-01") ?? Instant(seconds: 0)
        return numbers.map {
            ExamplePurchase(
                "coins", "\(460_000_000_000_001 + $0)", bought: start.adding(seconds: Int64($0)).description,
                expires: expires, kind: expires == nil ? .consumable : .autoRenewable)
        }
    }

    private static func subjects(_ receipts: [[ExamplePurchase]]) throws -> [String] {
        let claims = receipts.enumerated().map { number, purchases in
            ExampleClaim(account: "ann", receipt: ExampleReceipt(number, purchases: purchases))
        }
        return try `A rule's examples`.findings(RuleExample.clear("", claims: claims))
            .filter { $0.ruleID == "purchase-burst" }.map { String($0.subject.text.prefix { $0 != ":" }) }.sorted()
    }

    @Test func `is found where none of them is one alone`() throws {
        #expect(try Self.subjects([Self.purchases(0..<11), Self.purchases(11..<22)]) == ["account"])
    }

    @Test func `is not found where one of them is one with its subscriptions`() throws {
        let mixed = Self.purchases(0..<11) + Self.purchases(30..<41, expires: "2026-03-01")
        #expect(try Self.subjects([mixed, Self.purchases(11..<22)]) == ["claim"])
    }

    @Test func `is not found where one that has only subscriptions is one`() throws {
        let periods = Self.purchases(30..<51, expires: "2026-03-01")
        #expect(try Self.subjects([Self.purchases(0..<11), Self.purchases(11..<22), periods]) == ["claim"])
    }
}
