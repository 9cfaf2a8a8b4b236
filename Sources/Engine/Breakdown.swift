package import Checks
public import Encodings
import Receipts
package import Rules
public import Subscriptions

/// Claims counted by what their receipts say of themselves, which only counts if Apple signed it.
public struct Breakdown: Sendable, Equatable, Codable {
    /// How many claims there are of each verdict.
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

    /// By attribute 0; empty for receipts that have none.
    public private(set) var environments: [ExactText: Verdicts] = [:]
    /// By bundle id.
    public private(set) var apps: [ExactText: Verdicts] = [:]
    /// By product id: how many claims show a purchase of it.
    public private(set) var products: [ExactText: Int] = [:]
    /// By the month in which the receipt was made.
    public private(set) var months: [Month: Verdicts] = [:]
    /// By bundle id: how many receipts are of a version that is not among those of the policy.
    public private(set) var otherVersions: [ExactText: Verdicts] = [:]
    /// Receipts that can be read, but are not Apple's.
    public private(set) var notGenuine = 0

    public init() {}

    /// - Parameter policy: says which versions of apps there are.
    package mutating func count(_ facts: Facts, _ policy: Policy) {
        guard let purchases = facts.purchases else { return }
        // No chain is known to hold without a date.
        guard facts.isGenuine, let createdAt = facts.createdAt else {
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

extension Breakdown {
    /// Reads what ``write(to:)`` wrote.
    init(_ fields: inout RecordReader) {
        for _ in 0..<fields.count() {
            let environment = fields.text()
            environments[environment] = Verdicts(&fields)
        }
        for _ in 0..<fields.count() {
            let app = fields.text()
            apps[app] = Verdicts(&fields)
        }
        for _ in 0..<fields.count() {
            let product = fields.text()
            products[product] = fields.int()
        }
        for _ in 0..<fields.count() {
            let month = Month(fields.instant())
            months[month] = Verdicts(&fields)
        }
        for _ in 0..<fields.count() {
            let app = fields.text()
            otherVersions[app] = Verdicts(&fields)
        }
        notGenuine = fields.int()
    }

    func write(to record: inout RecordWriter) {
        record.number(UInt64(environments.count))
        for (environment, verdicts) in environments {
            record.text(environment)
            verdicts.write(to: &record)
        }
        record.number(UInt64(apps.count))
        for (app, verdicts) in apps {
            record.text(app)
            verdicts.write(to: &record)
        }
        record.number(UInt64(products.count))
        for (product, claims) in products {
            record.text(product)
            record.number(UInt64(claims))
        }
        record.number(UInt64(months.count))
        for (month, verdicts) in months {
            record.instant(month.start)
            verdicts.write(to: &record)
        }
        record.number(UInt64(otherVersions.count))
        for (app, verdicts) in otherVersions {
            record.text(app)
            verdicts.write(to: &record)
        }
        record.number(UInt64(notGenuine))
    }
}

extension Breakdown.Verdicts {
    fileprivate init(_ fields: inout RecordReader) {
        valid = fields.int()
        invalid = fields.int()
    }

    fileprivate func write(to record: inout RecordWriter) {
        record.number(UInt64(valid))
        record.number(UInt64(invalid))
    }
}
