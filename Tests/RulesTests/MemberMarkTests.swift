import Checks
import Encodings
import Inputs
import Receipts
import Testing

@testable import Rules

/// Who counts as the first presenter where members have transactions of their own under one original.
struct `A member whose token others copy` {
    /// A claim to a token of a member, on a day of the year.
    private static func claim(_ number: Int, member: Int, account: ExactText, day: Int64) -> Observation {
        var observation = Observation(claim: ClaimNumber(rawValue: UInt64(number)), source: "claims.csv:\(number)")
        observation.id = ClaimID(high: UInt64(number) + 1, low: 0)
        (observation.isGenuine, observation.kind, observation.accountID) = (true, .transaction, account)
        (observation.device, observation.deviceHash) = (deviceNumbered(number), .mismatch)
        observation.presentedAt = Instant(seconds: 1_770_000_000 + day * 86_400 + 3600)
        observation.createdAt = Instant(seconds: 1_769_000_000)
        observation.appTransactionID = "70\(member)"
        var purchase = Purchase(
            productID: "gold", transactionID: "\(member)", purchaseDate: Instant(seconds: 1_769_000_000))
        purchase.originalTransactionID = "1111111111111111"
        var details = TransactionDetails()
        details.ownership = "ASSIGNED"
        purchase.details = details
        observation.purchases = [purchase]
        return observation
    }

    /// Three members, of whom the second came last, and seven who present that one's token later.
    private static let claims: [Observation] =
        [claim(0, member: 1, account: "one", day: 1), claim(1, member: 3, account: "three", day: 2)]
        + [claim(2, member: 2, account: "two", day: 3)]
        + (3..<10).map { claim($0, member: 2, account: "thief-\($0)", day: Int64($0) + 1) }

    private static func marks(_ rule: ExactText, of claims: [Observation]) throws -> [UInt64: Severity] {
        var marks: [UInt64: Severity] = [:]
        let group = ArrayGroup(GroupKey(.originalTransaction, octets: Array("1111111111111111".utf8)), claims)
        try RuleSet(Policy()).evaluate(
            group, onFinding: { _ in },
            onMark: { finding, claim, severity in
                if finding.ruleID == rule { marks[claim.claim.rawValue] = severity }
            })
        return marks
    }

    @Test(arguments: ["shared-account", "shared-transaction"])
    func `is not marked for it, nor are other members`(rule: ExactText) throws {
        for claims in [Self.claims, Self.claims.reversed()] {
            let marks = try Self.marks(rule, of: claims)
            #expect(marks[2] == .info)
            #expect(marks[0] == nil && marks[1] == nil)
            #expect((3..<10).allSatisfy { marks[$0] == .high })
        }
    }

    @Test func `is not joined by proofs that do not say whose they are, if no more accounts than members have them`()
        throws
    {
        let untold = (10..<20).map { number in
            var claim = Self.claim(number, member: 0, account: "user-\(number)", day: 5)
            (claim.kind, claim.appTransactionID) = (nil, "")
            claim.purchases[0].details = nil
            return claim
        }
        #expect(try Self.marks("shared-account", of: untold).count == 10)
        #expect(try Self.marks("shared-account", of: untold + [Self.claims[0]]).count == 10)
        #expect(try Self.marks("shared-account", of: untold + Self.claims.prefix(2)).count == 10)
        #expect(try Self.marks("shared-account", of: Array(untold.prefix(2)) + Self.claims.prefix(2)).isEmpty)
    }

    @Test func `is one of unknown members, if the token names nobody`() throws {
        let unnamed = (0..<2).map { number in
            var claim = Self.claim(number, member: number, account: "one", day: 1)
            claim.appTransactionID = ""
            return claim
        }
        let untold = (10..<17).map { number in
            var claim = Self.claim(number, member: 0, account: "user-\(number)", day: 5)
            (claim.kind, claim.appTransactionID) = (nil, "")
            claim.purchases[0].details = nil
            return claim
        }
        #expect(try Self.marks("shared-account", of: untold + unnamed).count == 7)
    }
}
