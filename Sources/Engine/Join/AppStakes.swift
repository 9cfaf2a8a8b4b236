import Encodings
import Rules

/// What findings put at stake in each app, each transaction once: in the apps of the policy, and in the first of all
/// others by their bundle ids. Parts add up in any order.
struct AppStakes {
    /// How many apps that the policy does not have are counted. Bundle ids come from proofs.
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

    /// What was dropped once is never kept again: there are as many apps before it.
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
