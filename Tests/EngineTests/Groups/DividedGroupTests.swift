import Checks
import Corpus
import Encodings
import Files
import FoundationEssentials
import Inputs
import Receipts
import Rules
import SampleStore
import Subscriptions
import Testing

@testable import Engine

/// One key's claims in one process, and in parts that several processes have.
struct `A key that is divided` {
    private static let rules = RuleSet(Policy(), asOf: SampleExport.asOf)

    @Test(arguments: Exhaustive.cases(Array(UInt64(0)..<40), every: 20), KeyKind.allCases)
    func `is evaluated as it is undivided`(seed: UInt64, kind: KeyKind) throws {
        var random = SeededGenerator(seed: seed, index: Int(kind.rawValue))
        var claims = RandomClaims(seed: seed, variety: [2, 5, 30][Int(seed) % 3])
        let groups = Self.groups(claims.claims(inBlocksOf: [200]), kind).prefix(12)
        // Few claims at random have one app with one date, and of few receipts none may be a token.
        #expect(!groups.isEmpty || [.app, .nonce, .person].contains(kind))
        for (key, observations) in groups {
            let sizes = (0..<1 + random.below(5)).map { _ in random.below(observations.count + 1) }
            let divided = try divided(key, Self.parts(observations, sizes))
            let whole = try undivided(key, observations)
            #expect(divided == whole, "\(key) in parts of \(sizes)")
            let summed = try self.divided(key, Self.parts(observations, sizes), summing: true)
            #expect(summed == whole, "\(key) in parts of \(sizes), summed up")
        }
    }

    /// Of a sample the kind that RulesTests leaves out of its own.
    @Test(arguments: Exhaustive.isOn ? KeyKind.allCases : [.originalTransaction])
    func `is so, too, where rules hold only a part of it`(kind: KeyKind) throws {
        var claims = RandomClaims(seed: 3, variety: 9000)
        var observations: [Observation] = []
        let octets = [UInt8](repeating: 0x31, count: 16)
        let key = GroupKey(kind, octets: octets)
        for claim in claims.claims(inBlocksOf: [5000]) {
            var observation = claim.observations.presented
            // Under other keys a receipt's digest is not passed on.
            if observation.kind == nil, kind != .originalTransaction { observation.tokenDigest = [] }
            if kind == .device { observation.device = Device(octets: octets.span) }
            if kind == .account { observation.accountID = ExactText(String(decoding: octets, as: UTF8.self)) }
            observation.purchases = claim.observations.purchases.prefix(1).map { purchase in
                var purchase = purchase
                if kind == .transaction { purchase.transactionID = ExactText(String(decoding: octets, as: UTF8.self)) }
                return purchase
            }
            observations.append(observation)
        }
        let whole = try undivided(key, observations)
        let divided = try divided(key, Self.parts(observations, [4500, 1, 0]))
        #expect(divided == whole, "\(divided.difference(from: whole))")
    }

    /// The observations of each key of a kind, in the order of keys.
    private static func groups(
        _ claims: [GroupedClaim], _ kind: KeyKind
    ) -> [(key: GroupKey, observations: [Observation])] {
        var groups: [[UInt8]: [Observation]] = [:]
        for claim in claims {
            claim.observations.forEach { found, octets, purchases in
                guard found == kind else { return }
                var observation = claim.observations.presented
                observation.purchases = Array(purchases)
                groups[octets.indices.map { octets[$0] }, default: []].append(observation)
            }
        }
        return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { (GroupKey(kind, octets: $0.key), $0.value) }
    }

    /// Parts of these sizes, and one with the rest.
    private static func parts(_ observations: [Observation], _ sizes: [Int]) -> [[Observation]] {
        var rest = observations[...]
        var parts: [[Observation]] = []
        for size in sizes {
            parts.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return parts + [Array(rest)]
    }

    private func undivided(_ key: GroupKey, _ observations: [Observation]) throws -> Found {
        let folder = try SpillFolder()
        let evaluator = GroupEvaluator(Self.rules, asOf: SampleExport.asOf, folder: folder.path)
        evaluator.begin(key)
        for observation in observations { try evaluator.add(observation) }
        var found = Found()
        try evaluator.finish(&found)
        #expect(folder.left == [])
        return found.sorted
    }

    /// As several processes do it, which pass on what they have summed up and seen as texts.
    ///
    /// - Parameter summing: whether what was seen is summed up, too, before it is evaluated.
    private func divided(_ key: GroupKey, _ parts: [[Observation]], summing: Bool = false) throws -> Found {
        var whole = GroupParts(Self.rules, key, asOf: SampleExport.asOf)
        for part in parts {
            var sum = GroupParts(Self.rules, key, asOf: SampleExport.asOf)
            for observation in part { sum.take(observation) }
            try whole.add(
                count: sum.sum.count, evidence: sum.sum.evidence, sum.sum.parts(),
                try sum.subscription.map { try Self.copy($0) }, try sum.support.map { try Self.copy($0) })
        }
        var found = Found()
        let folder = try SpillFolder()
        var group = DividedGroup(whole, Self.rules, folder: folder.path)
        let findings = group.found
        var seen: SeenClaims?
        for part in parts {
            var divided = DividedGroup(whole, Self.rules, folder: folder.path)
            for observation in part {
                let isWaiting = try divided.take(
                    observation,
                    onMark: { index, severity in
                        found.marks.append(Found.mark(findings[index], observation, severity))
                    },
                    onClaim: {
                        _ = try found.add($0)
                        try found.mark(observation, $0.severity)
                    })
                if isWaiting { try group.add(presented: observation) }
            }
            // What was seen in parts is added up as it comes, or before.
            let copy = try Self.copy(divided.seen())
            if summing { if seen == nil { seen = copy } else { try seen?.add(copy) } } else { try group.add(copy) }
        }
        if let seen { try group.add(Self.copy(seen)) }
        try group.finish(&found)
        return found.sorted
    }

    private static func copy<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    /// What was found in a group.
    private struct Found: GroupFindings, Equatable {
        var findings: [String] = []
        var marks: [String] = []
        var subscriptions: [SubscriptionRow] = []
        var purchases: [OneTimePurchase] = []
        var support: [String] = []
        private var last: Finding?

        static func mark(_ finding: Finding, _ observation: Observation, _ severity: Severity) -> String {
            "\(finding.ruleID) \(observation.claim) \(severity)"
        }

        var sorted: Found {
            var found = self
            found.findings.sort()
            found.marks.sort()
            found.last = nil
            return found
        }

        mutating func add(_ finding: Finding) throws -> Bool {
            findings.append("\(MergedFinding(finding, id: .none).row(RuleSet(Policy())))")
            last = finding
            return true
        }

        mutating func mark(_ observation: Observation, _ severity: Severity) throws {
            if let last { marks.append(Self.mark(last, observation, severity)) }
        }

        mutating func add(_ transaction: OriginalTransaction) throws {
            switch transaction {
            case .subscription(let subscription): subscriptions.append(subscription.row)
            case .oneTimePurchase(let purchase): purchases.append(purchase)
            }
        }

        mutating func add(_ purchase: UnclaimedPurchase) throws { support.append("\(purchase)") }
        mutating func add(_ part: EntityPart, of entity: Entity) throws { support.append("\(entity) \(part)") }

        /// The first finding or mark that only one of the two has.
        func difference(from other: Found) -> String {
            let found = (findings + marks).difference(from: other.findings + other.marks)
            return "\(found.first.map { "\($0)" } ?? "subscriptions") of \(found.count)"
        }

        static func == (first: Found, second: Found) -> Bool {
            first.findings == second.findings && first.marks == second.marks
                && first.subscriptions == second.subscriptions && first.purchases == second.purchases
                && first.support == second.support
        }
    }
}
