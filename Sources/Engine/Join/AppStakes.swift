import Encodings
import Rules

/// The transactions that findings put at stake in each app, each once: in the apps of the policy, and in the first
/// others by bundle id. Parts add up in any order.
struct AppStakes {
    /// The maximum number of counted apps that are not in the policy. Bundle ids come from proofs.
    private static let maxOthers = 50

    private var known: [ExactText: Stake] = [:]
    private var others: [ExactText: Stake] = [:]

    mutating func add(_ stake: Stake, _ policy: Policy) {
        for (app, part) in stake.byApp {
            if policy.apps[app] != nil {
                known[app, default: Stake()].add(part)
            } else {
                addOther(part, app)
            }
        }
    }

    mutating func add(_ other: AppStakes) {
        known.merge(other.known) { first, second in
            var sum = first
            sum.add(second)
            return sum
        }
        for (app, stake) in other.others { addOther(stake, app) }
    }

    /// A dropped app is never kept again: there are enough apps before it.
    private mutating func addOther(_ stake: Stake, _ app: ExactText) {
        if others[app] == nil, others.count == Self.maxOthers, let last = others.keys.max() {
            guard app < last else { return }
            others[last] = nil
        }
        others[app, default: Stake()].add(stake)
    }

    func amounts(_ rules: RuleSet) -> [ExactText: AmountAtStake] {
        known.merging(others) { first, _ in first }.compactMapValues { $0.amount(rules).amount }
    }
}
