import Checks
import Encodings
import Receipts
import Rules
import Testing

struct `What a group rule finds` {
    @Test func `names the claims that went back to an older receipt, and those they contradict`() throws {
        var random = RandomObservations(seed: 3)
        for _ in 0..<100 {
            let observations = random.group(.device, count: 25, variety: 6)
            let expected = observations.filter { one in
                observations.contains { Self.isRollback($0, after: one) || Self.isRollback(one, after: $0) }
            }
            let (_, marked) = try Self.told("snapshot-rollback", of: observations, .device)
            #expect(marked == expected.map(\.claim))
        }
    }

    /// The rule's definition, word by word.
    private static func isRollback(_ later: Observation, after earlier: Observation) -> Bool {
        guard later.isMatching, earlier.isMatching, later.kind == nil, earlier.kind == nil,
            later.bundleID == earlier.bundleID,
            let first = earlier.presentedAt, let second = later.presentedAt,
            let newer = earlier.createdAt, let older = later.createdAt
        else { return false }
        return second > first && older < newer
    }

    @Test func `names the claims that show a refund and those that hide it, not those before it`() throws {
        let observations = [
            Self.observation(0, presented: 5, refunded: 10), Self.observation(1, presented: 10),
            Self.observation(2, presented: 11), Self.observation(3, presented: nil), Self.observation(4, refunded: 9),
            Self.observation(5, presented: 15),
        ]
        let (finding, marked) = try Self.told("hidden-refund", of: observations, .originalTransaction)
        #expect(marked == [0, 2, 4, 5])
        #expect(
            finding?.evidence == """
                the purchase was refunded on 1970-01-01T00:00:10Z, as claim 000000000000000000000000 shows; shown \
                whole by claim 000000000000000500000000, presented on 1970-01-01T00:00:15Z, in a receipt made on \
                1970-01-01T00:00:03Z
                """)
    }

    @Test func `says which two receipts disagree, and in what`() throws {
        var other = Self.observation(1)
        other.purchases[0].productID = "silver"
        other.purchases[0].originalTransactionID = "29"
        let (finding, _) = try Self.told("transaction-conflict", of: [other, Self.observation(0)], .transaction)
        #expect(
            finding?.evidence == """
                transaction 31: claim 000000000000000000000000 and claim 000000000000000100000000 differ in product \
                (gold, silver), original transaction (30, 29)
                """)
        #expect(finding?.subject == "transaction:29")
    }

    @Test func `lists ten devices, and says how many there are more`() throws {
        let observations = (0..<14).map { number in
            var observation = Self.observation(number, presented: 5)
            observation.device = device(number)
            observation.deviceHash = number != 1 ? .match : .mismatch
            return observation
        }
        let (finding, marked) = try Self.told("shared-transaction", of: observations, .originalTransaction)
        let start = """
            14 devices from 1970-01-01 to 1970-01-01: 40404040-4040-4040-4040-404000000000 (verified), \
            40404040-4040-4040-4040-404000000001, 
            """
        #expect(finding?.evidence.hasPrefix(start) == true)
        #expect(finding?.evidence.hasSuffix(" and 4 more") == true)
        #expect(marked.map(\.rawValue) == Array(0..<14))
    }

    @Test func `tells apart accounts that Swift takes for equal`() throws {
        let observations = (["caf\u{e9}", "cafe\u{301}"] as [ExactText]).enumerated().map { number, account in
            var observation = Self.observation(number)
            observation.accountID = account
            return observation
        }
        let (finding, _) = try Self.told("shared-account", of: observations, .originalTransaction)
        #expect(finding?.evidence.hasPrefix("2 accounts: ") == true)
    }

    @Test func `lists each subscription group that is over`() throws {
        let observations = (0..<5).map { number in
            var observation = Self.observation(number)
            observation.bundleID = "com.example.notes"
            observation.purchases[0].transactionID = "\(number)"
            observation.purchases[0].originalTransactionID = ["0", "1", "2", "3", "2"][number]
            observation.purchases[0].productID = ["gold", "gold", "silver", "silver", "bronze"][number]
            observation.purchases[0].isInIntroOfferPeriod = true
            return observation
        }
        let (finding, marked) = try Self.told("trial-abuse", of: observations, .account)
        #expect(finding?.severity == .medium && finding?.events == 4)
        #expect(finding?.evidence.contains("2 trials or introductory offers of gold (com.example.notes)") == true)
        #expect(finding?.evidence.contains("2 trials or introductory offers of silver (com.example.notes)") == true)
        #expect(marked == [0, 1, 2, 3])
    }

    private static func observation(_ number: Int, presented: Int64? = nil, refunded: Int64? = nil) -> Observation {
        var observation = Observation(claim: ClaimNumber(rawValue: UInt64(number)), source: "claims.csv:\(number)")
        observation.id = ClaimID(high: UInt64(number), low: 0)
        observation.presentedAt = presented.map(Instant.init(seconds:))
        observation.isGenuine = true
        observation.createdAt = Instant(seconds: 3)
        var purchase = Purchase(productID: "gold", transactionID: "31", purchaseDate: Instant(seconds: 0))
        purchase.originalTransactionID = "30"
        purchase.cancellationDate = refunded.map(Instant.init(seconds:))
        observation.purchases = [purchase]
        return observation
    }

    /// One rule's finding, and the claims that it is about.
    private static func told(
        _ rule: ExactText, of observations: [Observation], _ kind: KeyKind
    ) throws -> (finding: Finding?, marked: [ClaimNumber]) {
        var (finding, marked): (Finding?, [ClaimNumber]) = (nil, [])
        let group = ArrayGroup(GroupKey(kind, octets: Array(repeating: 0x31, count: 16)), observations)
        try RuleSet(Policy()).evaluate(
            group, onFinding: { if $0.ruleID == rule { finding = $0 } },
            onMark: { finding, observation, _ in if finding.ruleID == rule { marked.append(observation.claim) } })
        return (finding, marked)
    }
}
