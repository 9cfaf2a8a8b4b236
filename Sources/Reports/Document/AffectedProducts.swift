import Encodings
import Rules

/// Counts the findings about each product.
struct AffectedProducts {
    /// The maximum number of counted products. Findings come worst first, and the first products are kept.
    private static let maxProducts = 5000

    struct Product {
        let id: ExactText
        /// The app; empty if no finding names it.
        var app: ExactText
        var findings = 0
    }

    private var products: [ExactText: Product] = [:]

    mutating func add(_ finding: FindingRow) {
        let id = finding.productID
        guard !id.isEmpty, products[id] != nil || products.count < Self.maxProducts else { return }
        var product = products[id] ?? Product(id: id, app: finding.bundleID)
        // A proof that Apple did not sign names no app.
        if product.app.isEmpty { product.app = finding.bundleID }
        product.findings += 1
        products[id] = product
    }

    /// Returns the products with the most findings.
    func top(_ max: Int) -> ArraySlice<Product> {
        products.values.sorted { ($1.findings, $0.id) < ($0.findings, $1.id) }.prefix(max)
    }
}
