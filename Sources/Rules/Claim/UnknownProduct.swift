import Checks
import Encodings
import Receipts

/// Finds purchases of products that are not in the app's catalogue.
struct UnknownProduct: ClaimRule {
    static let documentation = RuleDocumentation(
        id: "unknown-product",
        title: "The receipt lists a product that the app does not sell",
        severity: .medium,
        raisedWhen: """
            signature and chain hold, the policy has a catalogue for the app, and a purchase's product is not in it
            """,
        why: """
            Apple sells only what an app has registered. An unknown product was created for a test, was sold in \
            another app under the same bundle id, or is obsolete but still unlocked by a server.
            """,
        whenWrong: """
            The catalogue may be incomplete: products that are no longer sold stay in receipts forever, so the policy \
            must list those as well. If one product is raised in many receipts, this is the likely cause.
            """,
        whatToDo: """
            Look the product up in App Store Connect. If it is yours, add it to the policy; if it is a test product, \
            make sure that the server unlocks nothing for it.
            """)

    static let examples: [RuleExample] = [
        .raised(
            "platinum is not in the catalogue", .medium, policy: catalogue("gold", "silver"),
            ExampleClaim(receipt: ExampleReceipt(1, ExamplePurchase("gold"), ExamplePurchase("platinum", "2")))),
        .raised(
            "the app sells nothing", .medium, policy: catalogue(),
            ExampleClaim(receipt: ExampleReceipt(1, ExamplePurchase("gold")))),
        .clear(
            "gold is in the catalogue", policy: catalogue("gold", "silver"),
            ExampleClaim(receipt: ExampleReceipt(1, ExamplePurchase("gold")))),
        .clear(
            "there is no catalogue for this app", policy: catalogue("gold"),
            ExampleClaim(receipt: ExampleReceipt(1, bundleID: "com.example.draw", ExamplePurchase("platinum")))),
        .clear("there is no policy", ExampleClaim(receipt: ExampleReceipt(1, ExamplePurchase("platinum")))),
        .clear(
            "the receipt is forged, so that its purchases prove nothing", policy: catalogue("gold"),
            ExampleClaim(failed: [.signatureInvalid], receipt: ExampleReceipt(1, ExamplePurchase("platinum")))),
    ]

    private static func catalogue(_ products: ExactText...) -> Policy {
        var policy = Policy()
        policy.apps["com.example.notes"] = Policy.App(
            products: Dictionary(uniqueKeysWithValues: products.map { ($0, Product()) }))
        return policy
    }

    /// The products of each app that has a catalogue.
    private let catalogues: [ExactText: Set<ExactText>]

    init(_ policy: Policy) { catalogues = policy.apps.compactMapValues { $0.products.map { Set($0.keys) } } }

    func hit(in facts: Facts) -> Hit? {
        guard !catalogues.isEmpty, let purchases = facts.provenPurchases, let bundleID = facts.bundleID,
            let products = catalogues[bundleID]
        else { return nil }
        guard purchases.hasAny({ !products.contains($0.productID) }) else { return nil }
        let unknown = purchases.filter { !products.contains($0.productID) }
        let text = unknown.listedOfAll { $0.named("bought on \($0.purchaseDate)") }
        return Hit("not in the catalogue of “\(bundleID.boundedID)”: \(text)")
    }
}
