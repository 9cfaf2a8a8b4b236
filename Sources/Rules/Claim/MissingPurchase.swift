import Checks
import Encodings
import Inputs
import Receipts

/// Finds claims to a product that the receipt does not list.
struct MissingPurchase: ClaimRule {
    static let documentation = RuleDocumentation(
        id: "missing-purchase",
        title: "The receipt lacks the requested product",
        severity: .medium,
        confidence: .possible,
        raisedWhen: """
            signature and chain hold, the claim names a product, and the receipt has no purchase of that product
            """,
        why: """
            A genuine receipt proves the purchases in it and no others. A modified app requests a product and sends \
            the receipt of a free download or of a cheaper product.
            """,
        whenWrong: """
            A consumable leaves the receipt once it is finished: a later export no longer shows it. A receipt that \
            was not refreshed lacks the latest purchases, and those of other devices. An upgrade changes the product \
            inside one original transaction. Family members have receipts of their own. If the app itself was \
            requested, by its bundle id, no purchase has that name. Confidence is possible.
            """,
        whatToDo: """
            Ask the App Store Server API for the account's transactions before you unlock anything. For consumables, \
            compare with your server's grants.
            """)

    static let examples: [RuleExample] = [
        .raised(
            "gold is asked for, silver was bought", .medium,
            ExampleClaim(product: "gold", receipt: ExampleReceipt(1, ExamplePurchase("silver")))),
        .raised("gold is asked for, nothing was bought", .medium, ExampleClaim(product: "gold")),
        .clear(
            "gold is asked for and was bought",
            ExampleClaim(product: "gold", receipt: ExampleReceipt(1, ExamplePurchase("gold")))),
        .clear("nothing is asked for", ExampleClaim(receipt: ExampleReceipt(1, ExamplePurchase("silver")))),
        .clear(
            "the receipt is forged, so that its purchases prove nothing",
            ExampleClaim(product: "gold", failed: [.signatureInvalid])),
    ]

    init(_ policy: Policy) {}

    func hit(in facts: Facts) -> Hit? {
        let product = facts.claim.productID
        guard !product.isEmpty, facts.token == nil || facts.token?.kind == .transaction,
            let purchases = facts.provenPurchases, let createdAt = facts.createdAt
        else { return nil }
        guard !purchases.hasAny({ $0.productID == product }) else { return nil }
        let proof = facts.token == nil ? "receipt" : "transaction"
        var text = "“\(product.boundedID)” was requested, but the \(proof) of \(createdAt) lists "
        let listed = Set(purchases.map(\.productID)).sorted()
        text += listed.isEmpty ? "no purchase" : "only " + listed.listedOfAll { "“\($0.boundedID)”" }
        if facts.receipt?.purchaseError != nil { text += "; some of its purchases cannot be read" }
        return Hit(text)
    }
}
