package import Checks
public import Encodings
import Receipts
package import Rules
public import Subscriptions

/// Counts claims by the content of their receipts. Content counts only if Apple signed it.
public struct Breakdown: Sendable, Equatable, Codable {
    /// The number of claims per verdict.
    public struct Verdicts: Sendable, Equatable, Codable {
        public private(set) var valid = 0
        public private(set) var invalid = 0

        public var total: Int { valid.addingSaturating(invalid) }

        mutating func count(_ verdict: Verdict) {
            if verdict == .valid { valid += 1 } else { invalid += 1 }
        }

        static func += (a: inout Verdicts, b: Verdicts) {
            a.valid = a.valid.addingSaturating(b.valid)
            a.invalid = a.invalid.addingSaturating(b.invalid)
        }
    }

    /// The claims by attribute 0; empty for receipts without one.
    @SortedByKey public private(set) var environments: [ExactText: Verdicts] = [:]
    /// The claims by bundle id.
    @SortedByKey public private(set) var apps: [ExactText: Verdicts] = [:]
    /// The number of claims that show a purchase of a product, by product id.
    @SortedByKey public private(set) var products: [ExactText: Int] = [:]
    /// The claims by the month in which the receipt was made.
    @SortedByKey public private(set) var months: [Month: Verdicts] = [:]
    /// The claims by bundle id, for receipts of versions that are not in the policy.
    @SortedByKey public private(set) var otherVersions: [ExactText: Verdicts] = [:]
    /// Readable receipts that Apple did not sign.
    public private(set) var notGenuine = 0

    public init() {}

    /// - Parameter policy: has the published versions of apps.
    package mutating func count(_ facts: Facts, _ policy: Policy) {
        guard let purchases = facts.purchases else { return }
        // Without a date, no chain is known to be valid.
        guard facts.isSigned, let createdAt = facts.createdAt else {
            notGenuine += 1
            return
        }
        let verdict = facts.verdict
        let bundleID = facts.bundleID ?? ""
        environments[facts.environment ?? "", default: Verdicts()].count(verdict)
        apps[bundleID, default: Verdicts()].count(verdict)
        months[Month(createdAt), default: Verdicts()].count(verdict)
        if let versions = policy.apps[bundleID]?.versions, let version = facts.appVersion, !versions.contains(version) {
            otherVersions[bundleID, default: Verdicts()].count(verdict)
        }
        switch purchases.count {
        case 0: break
        case 1: products[purchases[0].productID, default: 0] += 1
        default:
            for product in Set(purchases.map(\.productID)) { products[product, default: 0] += 1 }
        }
    }

    package static func += (a: inout Breakdown, b: Breakdown) {
        a.environments.merge(b.environments) { $0.adding($1) }
        a.apps.merge(b.apps) { $0.adding($1) }
        a.months.merge(b.months) { $0.adding($1) }
        a.otherVersions.merge(b.otherVersions) { $0.adding($1) }
        a.products.merge(b.products) { $0.addingSaturating($1) }
        a.notGenuine = a.notGenuine.addingSaturating(b.notGenuine)
    }
}

extension Breakdown.Verdicts {
    fileprivate func adding(_ other: Self) -> Self {
        var sum = self
        sum += other
        return sum
    }
}
