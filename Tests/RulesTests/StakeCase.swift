import Checks
import Encodings
import Receipts

@testable import Rules

/// Claims, what Apple told the company's server of their purchases, and what the findings put at stake.
struct StakeCase {
    /// Gold and silver are unlocks, month is a subscription, coins are a consumable.
    static let policy: Policy = {
        var policy = Policy()
        let price = { (cents: Int64) -> Product in
            var product = Product()
            product.price = Product.Price(millionths: cents * 10_000, currency: "USD")
            return product
        }
        policy.apps["com.example.notes"] = Policy.App(
            products: ["gold": price(999), "silver": price(499), "month": price(299), "coins": price(99)])
        return policy
    }()

    var claims: [ExampleClaim]
    var told: [ExampleToken] = []
    /// What tokens state as their price in cents, by their numbers.
    var cents: [Int: Int64] = [:]

    init(_ claims: ExampleClaim..., told: [ExampleToken] = [], cents: [Int: Int64] = [:]) {
        (self.claims, self.told, self.cents) = (claims, told, cents)
    }

    init(claims: [ExampleClaim], told: [ExampleToken] = [], cents: [Int: Int64] = [:]) {
        (self.claims, self.told, self.cents) = (claims, told, cents)
    }

    /// What the findings of a rule put at stake: `9.99 USD`, `9.99 USD, 1 unpriced`.
    ///
    /// - Parameter parts: the number of parts that each group is divided into; `nil` for whole groups.
    func atStake(_ rule: ExactText, inParts parts: Int? = nil) throws -> [String] {
        try findings(parts).filter { $0.ruleID == rule }
            .map { Self.text($0.stake.amount(RuleSet(Self.policy))) }.sorted()
    }

    static func text(_ amount: (amount: AmountAtStake?, unpriced: Int)) -> String {
        var text = "none"
        if let amount = amount.amount {
            let cents = amount.millionths / 10_000
            text =
                "\(amount.isLeast ? "at least " : "")\(cents / 100).\(cents % 100 / 10)\(cents % 10) \(amount.currency)"
        }
        return amount.unpriced == 0 ? text : "\(text), \(amount.unpriced) unpriced"
    }

    private func facts(_ claim: ExampleClaim, at index: Int) -> Facts {
        var facts = claim.facts(at: index)
        guard let token = claim.token, let cents = cents[token.number] else { return facts }
        facts.token?.purchase?.details?.price = cents * 10
        facts.token?.purchase?.details?.currency = "USD"
        return facts
    }

    /// Does what a run does with claims and evidence, without rings.
    private func findings(_ parts: Int?) throws -> [Finding] {
        let rules = RuleSet(Self.policy)
        let evidence = told.enumerated().map { index, token in
            ClaimObservations(
                evidence: facts(ExampleClaim(device: "", token: token), at: index), number: .firstEvidence(ofBlock: 0))
        }
        var counting: [[ExactText]: EvidenceStatement] = [:]
        for statement in evidence.flatMap({ EvidenceStatement.statements(of: $0) }) {
            let key = [statement.environment, statement.item]
            if let other = counting[key], !statement.counts(before: other) { continue }
            counting[key] = statement
        }
        var findings: [Finding] = []
        var groups: [GroupKey: [Observation]] = [:]
        let group = { (shown: ClaimObservations) in
            shown.forEach { kind, octets, purchases in
                var observation = rules.presented(shown)
                observation.purchases = purchases
                groups[GroupKey(kind, octets: octets.indices.map { octets[$0] }), default: []].append(observation)
            }
        }
        for (index, claim) in claims.enumerated() {
            let facts = facts(claim, at: index)
            let own = ClaimObservations(facts, claim: ClaimNumber(rawValue: UInt64(index)))
            let amended = own.amended { item, environment, _ in counting[[environment, item]] }
            rules.evaluate(facts) { finding in
                if amended?.proven != nil, RuleSet.usesEvidence(finding.rule) { return }
                findings.append(amended.flatMap { finding.priced(by: $0) } ?? finding)
            }
            if let amended, let finding = rules.finding(byEvidence: amended) { findings.append(finding) }
            group(amended ?? own)
        }
        evidence.forEach(group)
        for (key, observations) in groups {
            guard let parts else {
                try rules.evaluate(
                    ArrayGroup(key, observations), onFinding: { findings.append($0) }, onMark: { _, _, _ in })
                continue
            }
            findings += try Self.findings(rules, key, observations, inParts: parts)
        }
        return findings
    }

    /// What is found in a group that several processes share.
    private static func findings(
        _ rules: RuleSet, _ key: GroupKey, _ observations: [Observation], inParts count: Int
    ) throws -> [Finding] {
        guard observations.contains(where: { !$0.isEvidence }) else { return [] }
        let parts = (0..<count).map { part in
            observations.indices.filter { $0 % count == part }.map { observations[$0] }
        }
        var whole = GroupSum(rules, key)
        for part in parts {
            var sum = GroupSum(rules, key)
            part.forEach { sum.take($0) }
            try whole.add(count: sum.count, evidence: sum.evidence, sum.parts())
        }
        let found = whole.findings(rules)
        var all = found
        for part in parts {
            for index in found.indices {
                var one = found[index]
                part.forEach { one.take($0) }
                try all[index].add(one.part())
            }
        }
        return all.map { $0.closed() }
    }
}
