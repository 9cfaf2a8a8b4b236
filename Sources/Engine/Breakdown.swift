public import Checks
public import Encodings
import Receipts
package import Rules
public import Subscriptions

/// Counts claims by the content of their receipts. Content counts only if Apple signed it.
public struct Breakdown: Sendable, Equatable, Codable {
    /// The number of claims per verdict. Nothing is counted as unreadable.
    public typealias Verdicts = KindCounts<Verdict>

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
        let verdict = facts.verdict == .valid ? Verdict.valid : .invalid
        let bundleID = facts.bundleID ?? ""
        environments[facts.environment ?? "", default: Verdicts()].add(verdict)
        apps[bundleID, default: Verdicts()].add(verdict)
        months[Month(createdAt), default: Verdicts()].add(verdict)
        if let versions = policy.apps[bundleID]?.versions, let version = facts.appVersion, !versions.contains(version) {
            otherVersions[bundleID, default: Verdicts()].add(verdict)
        }
        switch purchases.count {
        case 0: break
        case 1: products[purchases[0].productID, default: 0] += 1
        default:
            for product in Set(purchases.map(\.productID)) { products[product, default: 0] += 1 }
        }
    }

    package static func += (a: inout Breakdown, b: Breakdown) {
        a.environments += b.environments
        a.apps += b.apps
        a.months += b.months
        a.otherVersions += b.otherVersions
        a.products.merge(b.products) { $0.addingSaturating($1) }
        a.notGenuine = a.notGenuine.addingSaturating(b.notGenuine)
    }
}

extension KindCounts<Verdict> {
    public var valid: Int { self[.valid] }
    public var invalid: Int { self[.invalid] }
}
