import Encodings
import Rules

/// How many findings each rule made about each app.
struct AppRules {
    /// How many apps are counted by themselves: findings come worst first, and the first apps are kept.
    private static let maxApps = 1000

    private var counts: [ExactText: [ExactText: Int]] = [:]
    /// Findings about other apps, by rule.
    private var others: [ExactText: Int] = [:]

    mutating func add(_ finding: FindingRow) {
        let app = finding.bundleID
        if counts[app] == nil, counts.count == Self.maxApps {
            others[finding.rule, default: 0] += 1
        } else {
            counts[app, default: [:]][finding.rule, default: 0] += 1
        }
    }

    struct App {
        /// Empty if no app is known; `nil` for all other apps.
        let name: ExactText?
        let total: Int
        /// By rule.
        let counts: [ExactText: Int]
    }

    /// Returns the apps with the most findings, and what is left.
    func top(_ max: Int) -> [App] {
        let all = counts.map { App(name: $0.key, total: $0.value.values.reduce(0, +), counts: $0.value) }
            .sorted { a, b in (b.total, a.name ?? "") < (a.total, b.name ?? "") }
        let rest = all.dropFirst(max).reduce(into: others) { $0.merge($1.counts, uniquingKeysWith: +) }
        let other = App(name: nil, total: rest.values.reduce(0, +), counts: rest)
        return all.prefix(max) + (other.total > 0 ? [other] : [])
    }
}

/// How many findings there are about each product.
struct AffectedProducts {
    /// How many products are counted: findings come worst first, and the first products are kept.
    private static let maxProducts = 5000

    struct Product {
        let id: ExactText
        /// Empty if no finding names it.
        var app: ExactText
        var findings = 0
    }

    private var products: [ExactText: Product] = [:]

    mutating func add(_ finding: FindingRow) {
        let id = finding.productID
        guard !id.isEmpty, products[id] != nil || products.count < Self.maxProducts else { return }
        var product = products[id] ?? Product(id: id, app: finding.bundleID)
        // What Apple did not sign names no app.
        if product.app.isEmpty { product.app = finding.bundleID }
        product.findings += 1
        products[id] = product
    }

    /// Returns the products with the most findings.
    func top(_ max: Int) -> ArraySlice<Product> {
        products.values.sorted { ($1.findings, $0.id) < ($0.findings, $1.id) }.prefix(max)
    }
}
