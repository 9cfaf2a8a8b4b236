import Encodings
import Receipts
import Rules
import Testing

struct `What a group rule finds` {
    @Test func `names the claims that went back to an older receipt, and those they contradict`() throws {
        var random = RandomSightings(seed: 3)
        for _ in 0..<100 {
            let sightings = random.group(.device, count: 25, variety: 6)
            let expected = sightings.filter { one in
                sightings.contains { Self.isRollback($0, after: one) || Self.isRollback(one, after: $0) }
            }
            let (_, marked) = try Self.told("snapshot-rollback", of: sightings, .device)
            #expect(marked == expected.map(\.claim))
        }
    }

    /// The rule's definition, word by word.
    private static func isRollback(_ later: Sighting, after earlier: Sighting) -> Bool {
        guard later.isGenuine, earlier.isGenuine, later.bundleID == earlier.bundleID,
            let first = earlier.presentedAt, let second = later.presentedAt,
            let newer = earlier.createdAt, let older = later.createdAt
        else { return false }
        return second > first && older < newer
    }

    @Test func `names the claims that show a refund and those that hide it, not those before it`() throws {
        let sightings = [
            Self.sighting(0, presented: 5, refunded: 10), Self.sighting(1, presented: 10),
            Self.sighting(2, presented: 11), Self.sighting(3, presented: nil), Self.sighting(4, refunded: 20),
            Self.sighting(5, presented: 15),
        ]
        let (finding, marked) = try Self.told("hidden-refund", of: sightings, .transaction)
        #expect(marked == [0, 2, 4, 5])
        #expect(
            finding?.evidence == """
                transaction 31: refunded on 1970-01-01T00:00:10Z, as claims.csv:0 shows; shown whole by claims.csv:5, \
                presented on 1970-01-01T00:00:15Z; claims.csv:2, presented on 1970-01-01T00:00:11Z
                """)
    }

    @Test func `says which two receipts disagree, and in what`() throws {
        var other = Self.sighting(1)
        other.purchases[0].productID = "silver"
        other.purchases[0].originalTransactionID = "29"
        let (finding, _) = try Self.told("transaction-conflict", of: [other, Self.sighting(0)], .transaction)
        #expect(
            finding?.evidence == """
                transaction 31: claims.csv:0 and claims.csv:1 differ in product (gold, silver), \
                original transaction (30, 29)
                """)
        #expect(finding?.subject == "transaction:29")
    }

    @Test func `lists ten devices, and says how many there are more`() throws {
        let sightings = (0..<14).map { number in
            var sighting = Self.sighting(number)
            sighting.device = device(number)
            sighting.isVerified = number != 13
            return sighting
        }
        let (finding, marked) = try Self.told("shared-transaction", of: sightings, .originalTransaction)
        #expect(finding?.evidence.hasPrefix("13 verified devices: 40404040-4040-4040-4040-404000000000, ") == true)
        #expect(finding?.evidence.hasSuffix(" and 3 more") == true)
        #expect(marked == Array(0..<13))
    }

    @Test func `tells apart accounts that Swift takes for equal`() throws {
        let sightings = (["caf\u{e9}", "cafe\u{301}"] as [ExactText]).enumerated().map { number, account in
            var sighting = Self.sighting(number)
            sighting.accountID = account
            return sighting
        }
        let (finding, _) = try Self.told("shared-account", of: sightings, .originalTransaction)
        #expect(finding?.evidence.hasPrefix("2 accounts: ") == true)
    }

    @Test func `lists each subscription group that is over`() throws {
        let sightings = (0..<5).map { number in
            var sighting = Self.sighting(number)
            sighting.bundleID = "com.example.notes"
            sighting.purchases[0].transactionID = "\(number)"
            sighting.purchases[0].originalTransactionID = number < 2 ? "\(number)" : "2"
            sighting.purchases[0].productID = ["gold", "gold", "silver", "silver", "bronze"][number]
            sighting.purchases[0].isInIntroOfferPeriod = true
            return sighting
        }
        let (finding, marked) = try Self.told("trial-abuse", of: sightings, .account)
        #expect(finding?.severity == .high)
        #expect(finding?.evidence.contains("2 trials or introductory periods of gold (com.example.notes)") == true)
        #expect(finding?.evidence.contains("2 trials or introductory periods of silver (com.example.notes)") == true)
        #expect(marked == [0, 1, 2, 3])
    }

    private static func sighting(_ number: Int, presented: Int64? = nil, refunded: Int64? = nil) -> Sighting {
        var sighting = Sighting(claim: UInt64(number), source: "claims.csv:\(number)")
        sighting.presentedAt = presented.map(Instant.init(seconds:))
        sighting.isGenuine = true
        var purchase = Purchase(productID: "gold", transactionID: "31", purchaseDate: Instant(seconds: 0))
        purchase.originalTransactionID = "30"
        purchase.cancellationDate = refunded.map(Instant.init(seconds:))
        sighting.purchases = [purchase]
        return sighting
    }

    /// One rule's finding, and the claims that it is about.
    private static func told(
        _ rule: ExactText, of sightings: [Sighting], _ kind: KeyKind
    ) throws -> (finding: Finding?, marked: [UInt64]) {
        var (finding, marked): (Finding?, [UInt64]) = (nil, [])
        let group = HeldGroup(GroupKey(kind, octets: Array(repeating: 0x31, count: 16)), sightings)
        try RuleSet(Policy()).judge(
            group, onFinding: { if $0.ruleID == rule { finding = $0 } },
            onMark: { if $0.ruleID == rule { marked.append($1.claim) } })
        return (finding, marked)
    }
}
