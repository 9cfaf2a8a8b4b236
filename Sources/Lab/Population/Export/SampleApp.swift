/// An app of the made-up catalogue, and its products.
public struct SampleApp: Sendable {
    /// An in-app product.
    public struct Product: Sendable {
        public var kind: PurchaseContent.Kind
        public var id: String
        /// The App Store id, attribute 1710.
        public var itemID: Int
        /// The days of one period, for subscriptions.
        public var days = 0
    }

    public var bundleID: String
    public var itemID: Int
    public var developerID: Int
    public var isMac: Bool
    public var ageRating: String
    /// The versions, the oldest first.
    public var versions: [String]
    public var products: [Product]

    /// The products that renew.
    var subscriptions: [Product] { products.filter { $0.kind == .autoRenewable } }
    /// The products that do not renew.
    var oneTimeProducts: [Product] { products.filter { $0.kind != .autoRenewable } }

    /// All apps of the catalogue. None exists.
    public static let catalogue: [SampleApp] = [
        SampleApp(
            bundleID: "com.example.notes", itemID: 1_500_100_101, developerID: 1_500_001, isMac: false,
            ageRating: "4+", versions: ["1", "1.4", "2.0", "2.3.1", "3.0"],
            products: [
                Product(kind: .autoRenewable, id: "com.example.notes.plus.month", itemID: 1_500_200_101, days: 30),
                Product(kind: .autoRenewable, id: "com.example.notes.plus.year", itemID: 1_500_200_102, days: 365),
                Product(kind: .nonConsumable, id: "com.example.notes.pro", itemID: 1_500_200_103),
            ]),
        SampleApp(
            bundleID: "com.example.kingdoms", itemID: 1_500_100_102, developerID: 1_500_002, isMac: false,
            ageRating: "12+", versions: ["118", "119", "120", "131"],
            products: [
                Product(kind: .consumable, id: "com.example.kingdoms.gems.100", itemID: 1_500_200_201),
                Product(kind: .consumable, id: "com.example.kingdoms.gems.1200", itemID: 1_500_200_202),
                Product(kind: .nonConsumable, id: "com.example.kingdoms.map2", itemID: 1_500_200_203),
                Product(
                    kind: .autoRenewable, id: "com.example.kingdoms.season", itemID: 1_500_200_204, days: 30),
            ]),
        SampleApp(
            bundleID: "com.example.running", itemID: 1_500_100_103, developerID: 1_500_001, isMac: false,
            ageRating: "4+", versions: ["5.1", "5.2", "6.0", "6.0.1"],
            products: [
                Product(kind: .autoRenewable, id: "com.example.running.coach", itemID: 1_500_200_301, days: 7),
                Product(kind: .autoRenewable, id: "com.example.running.coach.month", itemID: 1_500_200_302, days: 30),
                Product(kind: .nonRenewing, id: "com.example.running.race2020", itemID: 1_500_200_303),
            ]),
        SampleApp(
            bundleID: "com.example.drafts.mac", itemID: 1_500_100_104, developerID: 1_500_003, isMac: true,
            ageRating: "4+", versions: ["1.0", "1.1", "2.0", "2.1"],
            products: [
                Product(kind: .nonConsumable, id: "com.example.drafts.mac.unlock", itemID: 1_500_200_401),
                Product(kind: .autoRenewable, id: "com.example.drafts.mac.year", itemID: 1_500_200_402, days: 365),
            ]),
        SampleApp(
            bundleID: "com.example.ledger.mac", itemID: 1_500_100_105, developerID: 1_500_003, isMac: true,
            ageRating: "4+", versions: ["2023.1", "2023.2", "2024.1"],
            products: [
                Product(kind: .nonRenewing, id: "com.example.ledger.mac.year2024", itemID: 1_500_200_501),
                Product(kind: .autoRenewable, id: "com.example.ledger.mac.month", itemID: 1_500_200_502, days: 30),
            ]),
    ]
}

/// `policy.yml`: the policy of the made-up developer, for the rules that need one.
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

    /// Testers' receipts are allowed, because some honest claims have them.
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
    /// The group of all subscriptions of an app, between which a user may change.
    var subscriptionGroup: String { bundleID.split(separator: ".").dropFirst(2).joined(separator: "-") }

    /// The number of that group in tokens.
    var subscriptionGroupID: String { String(20_000_000 + itemID % 1000) }
}

extension SampleApp.Product {
    fileprivate var period: String {
        switch days {
        case ..<8: "week"
        case ..<32: "month"
        default: "year"
        }
    }

    /// The price in thousandths of any currency's unit, as in tokens.
    var thousandths: Int {
        switch (kind, days) {
        case (.autoRenewable, ..<8): 1990
        case (.autoRenewable, ..<32): 4990
        case (.autoRenewable, _): 39_990
        case (.consumable, _): 990
        default: 9990
        }
    }

    fileprivate var price: String { "\(thousandths / 1000).\((thousandths % 1000 / 10).padded(to: 2))" }
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
