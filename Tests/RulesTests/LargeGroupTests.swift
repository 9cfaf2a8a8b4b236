import Checks
import Corpus
import Encodings
import Receipts
import Testing

@testable import Rules

struct `A group of very many observations` {
    private static let count = Exhaustive.count(1_000_000, sampled: 5000)

    /// Of a sample the kinds in one app each, and one of those whose rules look at each app by itself.
    private static let groups = KeyKind.allCases.flatMap { kind in
        (Exhaustive.isOn || kind == .device ? [1, count] : [1]).map { (kind, $0) }
    }

    @Test(arguments: groups)
    func `makes a rule hold a bounded part of it only`(kind: KeyKind, apps: Int) throws {
        let group = EndlessGroup(key: GroupKey(kind, octets: [0x31]), count: Self.count, apps: apps)
        var rules: [any GroupRule] = []
        for type in RuleBook.groupRules where type.keys.contains(kind) {
            var rule = type.init(Policy())
            rule.begin(kind)
            rules.append(rule)
        }
        try group.forEach { observation in
            for index in rules.indices { rules[index].add(observation) }
        }
        for index in rules.indices {
            let hit = rules[index].hit()
            // Every app has a past and trials of its own; a receipt on so many devices is no matter of accounts, nor is
            // one token on them a matter of several.
            let isSilent =
                apps > 1 || kind == .receipt && rules[index] is SharedAccount || rules[index] is TokenReplay
            #expect(hit != nil || isSilent, "\(type(of: rules[index]))")
            #expect(Self.held(by: rules[index]) < 60_000, "\(type(of: rules[index]))")
        }
    }

    /// How many elements there are in all collections of a value.
    private static func held(by value: Any) -> Int {
        let mirror = Mirror(reflecting: value)
        let isCollection = [.set, .dictionary, .collection].contains(mirror.displayStyle)
        return mirror.children.reduce(isCollection ? mirror.children.count : 0) { $0 + held(by: $1.value) }
    }
}

struct `A count of values whose hashes were chosen` {
    @Test(arguments: [0, 1, 1 << 20, UInt64.max])
    func `is an estimate that is no greater than it may be`(hash: UInt64) {
        var counted = DistinctSketch<Chosen>()
        for number in 0..<10_000 { counted.insert(Chosen(number: number, stableHash: hash)) }
        #expect(!counted.isExact)
        #expect((4095...DistinctSketch<Chosen>.greatestEstimate).contains(counted.count))
        #expect(counted.countText == "about \(counted.count)")
        #expect(counted.sorted.map(\.number) == Array(0..<4096))
    }

    private struct Chosen: Hashable, Comparable, StablyHashable {
        let number: Int
        let stableHash: UInt64

        static func < (a: Chosen, b: Chosen) -> Bool { a.number < b.number }
    }
}

/// Observations that share nothing but their key, and perhaps the app; made on demand.
private struct EndlessGroup: ObservationGroup {
    let key: GroupKey
    let count: Int
    let apps: Int

    func forEach(_ body: (Observation) throws -> Void) throws {
        for number in 0..<count { try body(observation(number)) }
    }

    private func observation(_ number: Int) -> Observation {
        let mixed = Int64(truncatingIfNeeded: stableMix(UInt64(number)) >> 20)
        var observation = Observation(claim: ClaimNumber(rawValue: UInt64(number)), source: "claims.csv:\(number)")
        let isUnattributed = key.kind == .receipt && number % 3 == 0
        if !isUnattributed { observation.device = device(number) }
        observation.id = ClaimID(high: stableMix(UInt64(number) + 1), low: 0)
        observation.deviceHash = .match
        let isNamed = ![.device, .person].contains(key.kind) || number % 2 == 0
        if !isUnattributed, isNamed { observation.accountID = "user-\(number)" }
        observation.presentedAt = Instant(milliseconds: key.kind == .app || key.kind == .person ? mixed >> 12 : mixed)
        observation.malformedDevice = isUnattributed ? "device \(number)" : ""
        observation.isGenuine = true
        observation.bundleID = "com.example.app-\(number % apps)"
        observation.createdAt = Instant(milliseconds: -mixed)
        var purchase = Purchase(
            productID: "product-\(apps == 1 ? 0 : number)", transactionID: "\(number)",
            purchaseDate: Instant(seconds: mixed))
        purchase.kind = .consumable
        let isSignificant = [.device, .account, .person].contains(key.kind)
        purchase.cancellationDate = isSignificant || number % 2 == 1 ? Instant(seconds: Int64(number) * 1000) : nil
        purchase.isTrialPeriod = true
        if key.kind == .originalTransaction {
            observation.kind = number % 4 < 2 ? .transaction : nil
            observation.appTransactionID = "person-\(number)"
        }
        if key.kind == .account || key.kind == .person {
            var details = TransactionDetails()
            details.storefront = "\(number)"
            details.offerType = 1
            purchase.details = details
            purchase.purchaseDate = Instant(seconds: mixed >> 30)
        }
        observation.purchases = [purchase]
        return observation
    }
}
