import Encodings
import Receipts
import Testing

@testable import Rules

/// What distinguishes claims with one key.
struct `The trait of a claim` {
    private func trait(_ kind: KeyKind, _ claim: ExampleClaim) throws -> UInt64 {
        var found: [UInt64] = []
        let observations = ClaimObservations(claim.facts(at: 0), claim: 0)
        observations.forEachKey(.all, withPeriods: true) { key, _, _, trait in
            if key == kind { found.append(trait.rawValue) }
        }
        return try #require(found.first)
    }

    private func claim(
        device: String = "A", account: ExactText = "", presented: String? = nil, number: Int = 1,
        _ purchase: ExamplePurchase = ExamplePurchase()
    ) -> ExampleClaim {
        ExampleClaim(
            device: device, account: account, presented: presented, receipt: ExampleReceipt(number, purchase))
    }

    @Test(arguments: [KeyKind.receipt, .originalTransaction])
    func `is the same for one device and account, whenever they present it`(kind: KeyKind) throws {
        let first = try trait(kind, claim(account: "ann", presented: "2026-03-01"))
        #expect(try trait(kind, claim(account: "ann", presented: "2026-03-02")) == first)
        #expect(try trait(kind, claim(account: "bob", presented: "2026-03-01")) != first)
        #expect(ClaimTrait(rawValue: first).namesAccount)
        #expect(!ClaimTrait(rawValue: try trait(kind, claim())).namesAccount)
    }

    @Test func `under a transaction is what proofs must agree on, whoever presents them`() throws {
        let first = try trait(.transaction, claim(number: 1))
        #expect(try trait(.transaction, claim(device: "B", account: "bob", number: 2)) == first)
        #expect(try trait(.transaction, claim(ExamplePurchase("silver"))) != first)
        #expect(try trait(.transaction, claim(ExamplePurchase(bought: "2026-02-01T10:00:02Z"))) != first)
    }

    @Test func `is significant where nobody in particular presents a receipt`() throws {
        #expect(try trait(.receipt, claim(device: "")) == ClaimTrait.significant.rawValue)
    }

    @Test(arguments: [KeyKind.device, .account])
    func `is significant where rules compare what purchases show`(kind: KeyKind) throws {
        #expect(try trait(kind, claim(account: "ann")) == ClaimTrait.significant.rawValue)
    }
}

struct `Claims of which too few differ` {
    @Test(arguments: RuleBook.groupRules.indices)
    func `raise no rule about groups`(number: Int) throws {
        for example in RuleBook.groupRules[number].examples {
            let rules = RuleSet(example.policy)
            var groups: [GroupKey: [Observation]] = [:]
            var traits: [GroupKey: [ClaimTrait]] = [:]
            for (index, claim) in example.claims.enumerated() {
                let observations = ClaimObservations(claim.facts(at: index), claim: UInt64(index))
                observations.forEach { kind, octets, purchases in
                    var observation = rules.presented(observations)
                    observation.purchases = Array(purchases)
                    groups[GroupKey(kind, octets: octets.indices.map { octets[$0] }), default: []].append(observation)
                }
                observations.forEachKey(.all, withPeriods: true) { kind, octets, _, trait in
                    traits[GroupKey(kind, octets: octets.indices.map { octets[$0] }), default: []].append(trait)
                }
            }
            for (key, observations) in groups where observations.count > 1 {
                try rules.evaluate(
                    ArrayGroup(key, observations),
                    onFinding: {
                        let isMet = rules.minTraits(key.kind).isMet(by: traits[key] ?? [])
                        #expect(isMet, "\(example.title): \($0.evidence)")
                    }, onMark: { _, _, _ in })
            }
        }
    }
}

extension ClaimTrait.Minimum {
    fileprivate func isMet(by traits: [ClaimTrait]) -> Bool {
        if traits.contains(where: \.isSignificant) { return true }
        let withAccount = traits.filter(\.namesAccount)
        return Set(traits.map(\.rawValue)).count >= all || Set(withAccount.map(\.rawValue)).count >= self.withAccount
    }
}
