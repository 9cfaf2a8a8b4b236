import Checks
import Corpus
import Encodings
import Inputs
import Receipts
import Testing

@testable import Rules

struct `A group that was made to be hard` {
    /// Above what rules hold, so that a step for each pair of observations takes longer than a rule may.
    private static let count = Exhaustive.count(1_000_000, sampled: 2500)

    /// How the observations of a group differ.
    enum Shape: CaseIterable {
        /// One device presents on many days.
        case manyDays
        /// Each is of another device and account, on one day.
        case manyDevices
        /// Each shows other purchases.
        case manyPurchases
        /// Each contradicts all others in every way.
        case all
    }

    @Test(arguments: KeyKind.allCases, Shape.allCases)
    func `takes a rule little time to judge`(kind: KeyKind, shape: Shape) {
        var rules = RuleSet(Policy()).groupRules(kind).map(\.rule)
        for number in 0..<Self.count {
            let observation = Self.observation(number, kind, shape)
            for index in rules.indices { rules[index].add(observation) }
        }
        let first = (0..<1000).map { Self.observation($0, kind, shape) }
        for var rule in rules {
            let time = ProcessorTime.measure {
                _ = rule.hit()
                for observation in first { _ = rule.involves(observation) }
            }
            #expect(time < .seconds(4), "\(type(of: rule)) took \(time)")
        }
    }

    private static func observation(_ number: Int, _ kind: KeyKind, _ shape: Shape) -> Observation {
        let (device, account, day, item) =
            switch shape {
            case .manyDays: (0, 0, number, 0)
            case .manyDevices: (number, number, 0, 0)
            case .manyPurchases: (0, 0, 0, number)
            case .all: (number, number, number, number)
            }
        var observation = Observation(claim: ClaimNumber(rawValue: UInt64(number)), source: "claims.csv:\(number)")
        observation.id = ClaimID(high: stableMix(UInt64(number)), low: 0)
        observation.device = deviceNumbered(device)
        observation.deviceHash = .match
        if kind != .device || number % 2 == 0 { observation.accountID = "user-\(account)" }
        observation.presentedAt = Instant(seconds: Int64(day) * 86_400)
        observation.isGenuine = true
        observation.bundleID = "com.example.app-\(item % 100)"
        observation.environment = "Production"
        observation.createdAt = Instant(seconds: -Int64(day))
        observation.askedProduct = "product"
        let isConsumable = kind == .transaction
        if kind == .nonce || kind == .person {
            observation.kind = .transaction
            observation.tokenDigest = [UInt8](repeating: UInt8(truncatingIfNeeded: item), count: 28)
            for shift in stride(from: 0, to: 32, by: 8) {
                observation.tokenDigest.append(UInt8(truncatingIfNeeded: item >> shift))
            }
        }
        if kind == .originalTransaction { observation.appTransactionID = "person-\(item)" }
        observation.purchases = [false, true].map { isRefunded in
            var purchase = Purchase(
                productID: isConsumable ? "product" : "product-\(item)", transactionID: "\(item)",
                purchaseDate: Instant(seconds: Int64(item) * 7))
            purchase.originalTransactionID = kind == .originalTransaction ? "1" : "\(item / 2)"
            purchase.kind = isConsumable ? .consumable : .autoRenewable
            purchase.expiresDate = item % 3 == 0 ? nil : Instant(seconds: Int64(item) * 7 + 5)
            purchase.webOrderLineItemID = item % 2 == 0 ? item : nil
            purchase.cancellationDate = isRefunded ? Instant(seconds: Int64(item) * 86_400) : nil
            purchase.isTrialPeriod = item % 2 == 0
            if kind != .transaction, kind != .device {
                var details = TransactionDetails()
                details.storefront = "\(item)"
                details.revocationType = item % 2 == 0 ? "FAMILY_REVOKE" : nil
                details.offerType = 1
                purchase.details = details
            }
            return purchase
        }
        return observation
    }
}

struct `A search for rings` {
    @Test func `connects a long chain of findings in little time`() {
        let count = Exhaustive.count(1_000_000, sampled: 20_000)
        var search = RingSearch(RuleSet(Policy()))
        var rings: [RingSearch.Ring] = []
        let time = ProcessorTime.measure {
            // Each finding has an account of the one before it; they are joined in an order that makes long paths.
            for number in 0..<count { search.join(Self.finding(count - number)) }
            rings = search.rings()
        }
        #expect(rings.count == 1)
        #expect(rings.first?.members.count == count)
        #expect(time < .milliseconds(count))
    }

    @Test func `gives a ring no device for a name, and says how many there are`() throws {
        var search = RingSearch(RuleSet(Policy()))
        for number in 0..<3 { search.join(Self.finding(number)) }
        let ring = try #require(search.rings().first)
        #expect(ring.finding.subject == "receipt:0")
        #expect(ring.finding.evidence.hasPrefix("4 devices joined by 3 findings: "))
        #expect(ring.finding.involved.claims == 6)
    }

    /// A finding about a receipt that two accounts present. One of them is also in the next finding.
    private static func finding(_ number: Int) -> Finding {
        var involved = Participants()
        involved.links = RingLinks(subject: "receipt:\(number)")
        for one in [number, number + 1] {
            var observation = Observation(
                claim: ClaimNumber(rawValue: UInt64(2 * number + one)), source: "claims.csv:\(number)")
            observation.id = ClaimID(high: stableMix(UInt64(2 * number + one - number)), low: UInt32(number))
            observation.isGenuine = true
            observation.device = deviceNumbered(one)
            observation.deviceHash = .mismatch
            observation.accountID = "user-\(one)"
            involved.add(observation)
            involved.links?.add(observation, as: .other)
        }
        return Finding(severity: .critical, rule: 0, subject: "receipt:\(number)", involved: involved, evidence: "")
    }
}
