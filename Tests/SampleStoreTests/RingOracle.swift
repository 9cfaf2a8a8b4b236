import Checks
import SampleStore

/// The rule that joins the findings of others.
extension RuleOracle {
    /// Joins findings by accounts and by devices that match in both, the slow way.
    mutating func checkRings() {
        let rules: Set = [Plant.sharedReceipt, .sharedAccount, .transactionConflict, .replayedConsumable]
        let bySource = Dictionary(uniqueKeysWithValues: witnesses.map { ($0.claim.source, $0) })
        var rings: [[Link]] = found.compactMap { finding in
            guard Plant(rawValue: finding.rule).map(rules.contains) == true,
                [.critical, .high].contains(finding.severity)
            else { return nil }
            let claims = finding.sources.compactMap { bySource[$0] }.filter(\.facts.isGenuine)
            return [Link(subject: finding.subject, claims: claims, cleared: cleared(claims))]
        }
        while let (a, b) = rings.joined {
            rings[a] += rings[b]
            rings.remove(at: b)
        }
        for ring in rings where ring.count >= 2 {
            let claims = ring.flatMap(\.claims)
            let sets = Set(ring.map { Set($0.claims.compactMap(\.device)) })
            guard devices(claims) >= 3, sets.count >= 2, accounts(claims) != 1 else { continue }
            let copying: [Set<String>] = ring.map { link in
                Set(link.claims.filter { $0.facts.deviceHash == .mismatch }.map(\.account)).subtracting([""])
            }
            let cleared = ring.reduce(into: Set<String>()) { $0.formUnion($1.cleared) }
            // Where nothing matches, nobody is known to be a thief.
            let suspects = claims.contains(where: \.isMatching) ? Set(copying.joined()).subtracting(cleared) : []
            let repeated = suspects.filter { account in
                copying.count { $0.contains(account) } >= 2
            }
            let subject =
                repeated.min().map { "account:" + $0 }
                ?? ring.map(\.subject).filter { $0.hasPrefix("transaction:") }.min()
                ?? ring.map(\.subject).min() ?? ""
            add(.fraudRing, .critical, subject, claims)
        }
    }
}

extension RuleOracle {
    /// Who matches, and who with the first of them alone could be one customer; where nobody matches, who came first.
    private func cleared(_ claims: [Witness]) -> Set<String> {
        let inOrder = claims.sorted { $0.presentedAt < $1.presentedAt }
        guard let first = inOrder.first(where: \.isMatching)?.account else {
            return Set(claims.filter { $0.presentedAt == inOrder.first?.presentedAt }.map(\.account))
        }
        let next = inOrder.first { $0.account != first }?.account ?? first
        let isHandOver = isHandOver(claims.filter { [first, next].contains($0.account) })
        return Set(claims.filter(\.isMatching).map(\.account)).union(isHandOver ? [next] : [])
    }
}

/// A finding that may be part of a ring.
private struct Link {
    let subject: String
    let claims: [RuleOracle.Witness]
    let cleared: Set<String>
    var accounts: Set<String> { Set(claims.map(\.account)).subtracting([""]) }
    var verified: Set<String> { Set(claims.filter(\.isMatching).compactMap(\.device)) }
}

extension [[Link]] {
    /// Two of these that have an account, or a device that matches in both, in common.
    fileprivate var joined: (Int, Int)? {
        for a in indices {
            for b in indices where b > a {
                for one in self[a] {
                    for other in self[b]
                    where !one.accounts.isDisjoint(with: other.accounts)
                        || !one.verified.isDisjoint(with: other.verified)
                    {
                        return (a, b)
                    }
                }
            }
        }
        return nil
    }
}
