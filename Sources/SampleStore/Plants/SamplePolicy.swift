/// `policy.yml`: the policy of the made-up developer, by which the rules that need one can work.
public enum SamplePolicy {
    /// The file.
    public static let text = """
        # What the made-up apps sell, and where their receipts may come from.
        version: 1
        environments: [\(environments.joined(separator: ", "))]
        apps:
        \(SampleApp.catalogue.map(app).joined(separator: "\n"))
        rules: {}
        allow: []

        """

    /// Testers' receipts are allowed: some honest claims have them.
    static let environments = ["Production", "ProductionVPP", "ProductionSandbox"]

    private static func app(_ app: SampleApp) -> String {
        let versions = app.versions.map { "\"\($0)\"" }.joined(separator: ", ")
        let products = app.products.map { "      \($0.id): {\(terms(of: $0, in: app))}" }
        return """
              \(app.bundleID):
                versions: [\(versions)]
                products:
            \(products.joined(separator: "\n"))
            """
    }

    private static func terms(of product: SampleApp.Product, in app: SampleApp) -> String {
        var terms = ["kind: \(product.kind.name)"]
        if product.kind == .autoRenewable { terms.append("group: \(app.subscriptionGroup)") }
        terms += ["price: \(product.price)", "currency: USD"]
        if product.kind == .autoRenewable { terms.append("period: \(product.period)") }
        return terms.joined(separator: ", ")
    }
}

extension SampleApp {
    /// All subscriptions of an app are in one group: who has one may change to another.
    var subscriptionGroup: String { bundleID.split(separator: ".").dropFirst(2).joined(separator: "-") }
}

extension SampleApp.Product {
    fileprivate var period: String {
        switch days {
        case ..<8: "week"
        case ..<32: "month"
        default: "year"
        }
    }

    fileprivate var price: String {
        switch (kind, days) {
        case (.autoRenewable, ..<8): "1.99"
        case (.autoRenewable, ..<32): "4.99"
        case (.autoRenewable, _): "39.99"
        case (.consumable, _): "0.99"
        default: "9.99"
        }
    }
}

extension PurchaseContent.Kind {
    fileprivate var name: String {
        switch self {
        case .nonConsumable: "non-consumable"
        case .consumable: "consumable"
        case .nonRenewing: "non-renewing"
        case .autoRenewable: "auto-renewable"
        }
    }
}
