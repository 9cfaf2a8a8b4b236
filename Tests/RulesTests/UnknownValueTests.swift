import Checks
import Corpus
import Encodings
import Receipts
import Testing

@testable import Rules

/// What nobody knows accuses nobody: rules find in it nothing that they did not find before.
struct `A value that nobody knows` {
    /// Members that have one of a few values, each with others.
    private static let members: [(name: String, values: [String])] = [
        ("revocationType", ["\"SEAT_TAKEN\"", "\"\"", "\"refund_full\""]),
        ("revocationReason", ["2", "-1", "99999999999"]),
        ("inAppOwnershipType", ["\"LOANED\"", "\"\""]), ("offerType", ["5", "0", "-7"]),
        ("offerDiscountType", ["\"ONE_TIME\"", "\"LATER\""]), ("additionalTransactionReason", ["\"GIFT\"", "\"\""]),
        ("billingPlanType", ["\"WEEKLY\""]), ("type", ["\"Bundle\"", "\"\""]),
    ]

    @Test(arguments: members.indices) func `leads to no finding`(number: Int) throws {
        let (name, values) = Self.members[number]
        for seed in 0..<Exhaustive.count(400, sampled: 4) {
            let honest = HonestTokens(seed: UInt64(seed)).all
            let found = try Self.findings(honest)
            var random = RandomObservations(seed: UInt64(1000 * number + seed))
            // All tokens have it, or each one in two or five; and most of them had another value before.
            for share in [1, 2, 5] {
                let mutants = honest.map { shown in
                    var mutant = shown
                    let hadOne = shown.members[name] != nil
                    guard random.isOneIn(share), hadOne || random.isOneIn(4) else { return shown }
                    mutant.members[name] = random.one(of: values, values[0])
                    return mutant
                }
                for (finding, severity) in try Self.findings(mutants) {
                    let before = found[finding]
                    #expect(before.map { severity <= $0 } ?? false, "\(name), seed \(seed), 1/\(share): \(finding)")
                }
            }
        }
    }

    @Test func `is compared with what rules find`() throws {
        let rules = try (0..<40).flatMap { try Self.findings(HonestTokens(seed: $0).all).keys }
        let ids = Set(rules.map { $0.prefix { $0 != " " } })
        #expect(ids.isSuperset(of: ["refunded-purchase", "shared-account"]))
        #expect(ids.isDisjoint(with: ["hidden-refund", "repeat-refunds", "trial-abuse", "account-token-mismatch"]))
    }

    @Test(arguments: [(nil, .refund), ("\"GIFT\"", .upgrade), ("\"\"", .upgrade)] as [(String?, Revocation)])
    func `in a notification of a refund does not make it one`(subtype: String?, expected: Revocation) throws {
        var notification = ExampleClaim(device: "", token: ExampleToken(1, isBound: false)).facts(at: 0)
        let members = subtype.map { ",\"subtype\":\($0)" } ?? ""
        // What is inside it is given below; here it must only be there.
        let data = "{\"signedTransactionInfo\":\"eyJhbGciOiJFUzI1NiJ9.e30.x\"}"
        let json =
            "{\"notificationType\":\"REFUND\"\(members),\"notificationUUID\":\"u\",\"signedDate\":1772500000000,\"data\":\(data)}"
        notification.token = try Token(parsing: Array(json.utf8))
        let purchase = ExamplePurchase(refunded: "2026-02-20", refundType: nil, isUpgraded: true)
        let inside = ExampleClaim(device: "", token: ExampleToken(2, isBound: false, purchase)).facts(at: 1)
        let told = ClaimObservations.evidence(of: notification, inside: [inside]) { 0 }
        #expect(told.first?.purchases.first?.revocation() == expected)
    }

    /// The highest severity of each rule's finding about each subject.
    private static func findings(_ shown: [HonestTokens.Shown]) throws -> [String: Severity] {
        var (claims, told): ([Facts], [Facts]) = ([], [])
        for (index, one) in shown.enumerated() {
            if one.isEvidence { told.append(one.facts(at: index)) } else { claims.append(one.facts(at: index)) }
        }
        let findings = try InMemoryRun(claims: claims, told: told).findings()
        return Dictionary(findings.map { ("\($0.ruleID) \($0.subject)", $0.severity) }, uniquingKeysWith: max)
    }
}
