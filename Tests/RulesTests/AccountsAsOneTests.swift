import Checks
import Encodings
import Inputs
import Receipts
import Testing

@testable import Rules

/// Two accounts that differ only in form.
struct `Two spellings of one account` {
    /// A claim to a consumable that asks for it, without a device unless it has a number.
    private static func claim(_ number: Int, _ account: ExactText, device: Int? = nil) -> Observation {
        var observation = Observation(claim: ClaimNumber(rawValue: UInt64(number)), source: "claims.csv:\(number)")
        observation.id = ClaimID(high: UInt64(number) + 1, low: 0)
        (observation.isGenuine, observation.kind, observation.accountID) = (true, .transaction, account)
        (observation.device, observation.askedProduct) = (device.flatMap { deviceNumbered($0) }, "coins")
        var purchase = Purchase(productID: "coins", transactionID: "1", purchaseDate: Instant(seconds: 1_769_000_000))
        (purchase.kind, purchase.details) = (.consumable, TransactionDetails())
        observation.purchases = [purchase]
        return observation
    }

    private static let key = GroupKey(.transaction, octets: Array("1".utf8))

    private static func finding(_ claims: [Observation]) throws -> Finding? {
        var found: Finding?
        try RuleSet(Policy()).evaluate(
            ArrayGroup(key, claims), onFinding: { found = $0.ruleID == "replayed-consumable" ? $0 : found },
            onMark: { _, _, _ in })
        return found
    }

    @Test(arguments: ["Ann", "ann\u{200b}", " ann", "'ann", "=\"ann\""])
    func `are low and doubtful, if they are all there is`(other: ExactText) throws {
        let finding = try Self.finding([Self.claim(0, "ann"), Self.claim(1, other)])
        #expect(finding?.severity == .low)
        #expect(finding?.confidence == .doubtful)
        #expect(finding?.evidence.contains("the accounts differ only in form") == true)
    }

    @Test func `are two names if they differ in a letter`() throws {
        #expect(try Self.finding([Self.claim(0, "ann"), Self.claim(1, "anna")])?.severity == .high)
    }

    @Test func `count in full if there is a third spelling, or another account`() throws {
        for third: ExactText in ["ANN", "bob"] {
            let claims = [Self.claim(0, "ann"), Self.claim(1, "Ann"), Self.claim(2, third)]
            #expect(try Self.finding(claims)?.severity == .critical)
        }
    }

    @Test func `leave what devices show`() throws {
        let claims = [Self.claim(0, "ann", device: 1), Self.claim(1, "Ann", device: 2)]
        let finding = try Self.finding(claims)
        #expect(finding?.severity == .medium)
        #expect(finding?.evidence.contains("the accounts differ only in form") == true)
    }
}
