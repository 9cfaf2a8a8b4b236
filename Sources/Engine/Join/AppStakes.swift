import Encodings
import Rules

/// The transactions that findings put at stake in each app, each once: in the apps of the policy, and in the first
/// others by bundle id. Parts add up in any order.
struct AppStakes {
    /// The maximum number of counted apps that are not in the policy. Bundle ids come from proofs.
    private static let maxOthers = 50

    private var known: [ExactText: Stake] = [:]
    private var others = BottomMap<ExactText, Stake>(limit: maxOthers)

    mutating func add(_ stake: Stake, _ policy: Policy) {
        for (app, part) in stake.byApp {
            if policy.apps[app] != nil {
                known[app, default: Stake()].add(part)
            } else {
                others.add(app, part)
            }
        }
    }

    mutating func add(_ other: AppStakes) {
        known.merge(other.known) { first, second in
            var sum = first
            sum.add(second)
            return sum
        }
        others.add(other.others)
    }

    func amounts(_ rules: RuleSet) -> [ExactText: AmountAtStake] {
        let all = others.sorted.reduce(into: known) { $0[$1.key] = $1.value }
        return all.compactMapValues { $0.amount(rules).amount }
    }
}
