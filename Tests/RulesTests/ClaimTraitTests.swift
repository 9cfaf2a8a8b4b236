import Encodings
import Receipts
import Testing

@testable import Rules

/// What distinguishes claims with one key.
struct `The trait of a claim` {
    private func trait(_ kind: KeyKind, _ claim: ExampleClaim) throws -> ClaimTrait {
        var found: [ClaimTrait] = []
        let observations = ClaimObservations(claim.facts(at: 0), claim: 0)
        observations.forEachKey(.all, withPeriods: true) { key, _, _, trait in
            if key == kind { found.append(trait) }
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
        let other = try trait(kind, claim(account: "bob", presented: "2026-03-01"))
        #expect(other.presenterHash != first.presenterHash)
        #expect(other.contentHash == first.contentHash)
        #expect(try trait(kind, claim(device: "B", account: "ann")).contentHash != first.contentHash)
        #expect(first.isMarked)
        #expect(try !trait(kind, claim()).isMarked)
    }

    @Test func `under a transaction is what proofs must agree on, whoever presents them`() throws {
        let first = try trait(.transaction, claim(number: 1))
        #expect(try trait(.transaction, claim(device: "B", account: "bob", number: 2)) == first)
        #expect(try trait(.transaction, claim(ExamplePurchase("silver"))) != first)
        #expect(try trait(.transaction, claim(ExamplePurchase(bought: "2026-02-01T10:00:02Z"))) != first)
    }

    @Test func `is significant where nobody in particular presents a receipt`() throws {
        #expect(try trait(.receipt, claim(device: "")).isSignificant)
    }

    @Test func `is significant under what was refunded`() throws {
        #expect(try trait(.originalTransaction, claim(ExamplePurchase(refunded: "2026-03-01"))).isSignificant)
    }

    @Test func `is marked under a device that shows refunds`() throws {
        #expect(try !trait(.device, claim(account: "ann")).isMarked)
        #expect(try trait(.device, claim(ExamplePurchase(refunded: "2026-03-01"))).isMarked)
    }

    @Test func `under a device says when a receipt was presented, so that their order can be compared`() throws {
        let first = try trait(.device, claim(presented: "2026-03-01"))
        let second = try trait(.device, claim(presented: "2026-03-02"))
        #expect(first.presenterHash == second.presenterHash)
        #expect(first.contentHash < second.contentHash)
    }

    @Test func `under an account is what rules compare of purchases`() throws {
        let first = try trait(.account, claim(account: "ann", presented: "2026-03-01"))
        #expect(try trait(.account, claim(device: "B", account: "ann", presented: "2026-03-02")) == first)
        #expect(try trait(.account, claim(account: "ann", ExamplePurchase("silver"))) != first)
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
                let observations = ClaimObservations(
                    claim.facts(at: index), claim: ClaimNumber(rawValue: UInt64(index)))
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
        let moments = traits.map { ClaimTrait.Moment(rawValue: $0.contentHash) }
        let areDisordered = moments.contains { one in moments.contains { $0.contradicts(one) } }
        return traits.contains(where: \.isSignificant) || isDisorder && areDisordered
            || Set(traits.map(\.presenterHash)).count >= presenters || Set(traits.map(\.contentHash)).count >= contents
            || Set(traits.filter(\.isMarked).map(\.presenterHash)).count >= marked
    }
}
