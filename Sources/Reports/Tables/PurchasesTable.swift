package import Checks
import Encodings
import Inputs
import Proofs
import Receipts
package import Rules

/// The table `purchases`: one row per claim and distinct transaction that its receipt shows, in claim order.
public enum PurchasesTable {
    package static let schema = TableSchema(
        name: "purchases",
        columns: [
            .init("source", .text, width: 28), .init("claim_id", .code, width: 27),
            .init("receipt_sha256", .hex, width: 67), .init("transaction_id", .text, width: 22),
            .init("original_transaction_id", .text, width: 24), .init("web_order_line_item_id", .text, width: 24),
            .init("product_id", .text, width: 34), .init("kind", .code, width: 18),
            .init("quantity", .number, width: 10),
            .init("purchased_at", .date, width: 20), .init("original_purchased_at", .date, width: 23),
            .init("expires_at", .date, width: 20), .init("refunded_at", .date, width: 20),
            .init("refund_reason", .number, width: 15), .init("trial", .code, width: 8),
            .init("intro_offer", .code, width: 12), .init("offer", .text, width: 20),
            .init("ownership", .code, width: 15),
            .init("price", .decimal, width: 10), .init("currency", .code, width: 10),
            .init("verdict", .verdict, width: 12),
        ])

    public static let columns = schema.columnNames

    /// Calls a body with each row of a claim: by the date of purchase, then by transaction.
    package static func forEachRow(of facts: Facts, _ policy: Policy, _ body: (PurchaseRow) -> Void) {
        guard let purchases = facts.purchases, !purchases.isEmpty else { return }
        let products = facts.bundleID.flatMap { policy.apps[$0]?.products }
        let claim = PurchaseRow.Claim(facts)
        for purchase in distinct(purchases) {
            body(PurchaseRow(claim: claim, purchase: purchase, policyPrice: products?[purchase.productID]?.price))
        }
    }

    /// One purchase for each transaction. Of several that a receipt lists with one id the first refunded one counts, in
    /// the order of their rows and not in that of the receipt, which is free.
    private static func distinct(_ purchases: [Purchase]) -> [Purchase] {
        guard purchases.count > 1 else { return purchases }
        var distinct: [Purchase] = []
        for purchase in purchases.sorted(by: { $0.transactionID < $1.transactionID }) {
            if let last = distinct.last, last.transactionID == purchase.transactionID {
                if counts(purchase, before: last) { distinct[distinct.count - 1] = purchase }
            } else {
                distinct.append(purchase)
            }
        }
        return distinct.sorted { ($0.purchaseDate, $0.transactionID) < ($1.purchaseDate, $1.transactionID) }
    }

    private static func counts(_ first: Purchase, before second: Purchase) -> Bool {
        let isRefunded = first.cancellationDate != nil
        guard isRefunded == (second.cancellationDate != nil) else { return isRefunded }
        return bytes(of: first).lexicographicallyPrecedes(bytes(of: second))
    }

    private static func bytes(of purchase: Purchase) -> [UInt8] {
        var row = CSVRow()
        PurchaseRow(claim: PurchaseRow.Claim(), purchase: purchase, policyPrice: nil).write(to: &row)
        return row.bytes
    }
}

/// A row of the table `purchases`.
package struct PurchaseRow: TableRow {
    package static var schema: TableSchema { PurchasesTable.schema }

    fileprivate let claim: Claim
    fileprivate let purchase: Purchase
    fileprivate let policyPrice: Product.Price?

    /// What all rows of a claim say of it.
    fileprivate struct Claim {
        var source: ExactText = ""
        var id = ClaimID.none
        var contentDigest: Digest?
        var verdict = Verdict.unreadable

        init() {}

        init(_ facts: Facts) {
            source = facts.claim.source
            id = facts.id
            contentDigest = facts.signature?.contentDigest
            verdict = facts.verdict
        }
    }

    package func write(to row: inout some CellWriter) {
        row.text(claim.source)
        row.id(claim.id)
        if let contentDigest = claim.contentDigest { row.hex(contentDigest.octets) } else { row.empty() }
        row.text(purchase.transactionID)
        row.text(purchase.originalTransactionID)
        row.text(purchase.webOrderLineItemID.map { ExactText(String($0)) })
        row.text(purchase.productID)
        row.code(purchase.kind?.code ?? "")
        row.number(purchase.quantity)
        row.date(purchase.purchaseDate)
        row.date(purchase.originalPurchaseDate)
        row.date(purchase.expiresDate)
        row.date(purchase.cancellationDate)
        row.number(purchase.cancellationReason ?? purchase.details?.revocationReason)
        row.code(purchase.isTrialPeriod ? "true" : "false")
        row.code(purchase.isInIntroOfferPeriod ? "true" : "false")
        row.text(purchase.promotionalOfferID)
        row.text(purchase.details?.ownership)
        let price = purchase.shownPrice ?? policyPrice
        if let price { row.decimal(DecimalNumber(millionths: Int128(price.millionths))) } else { row.empty() }
        row.text(price?.currency)
        row.code(claim.verdict.rawValue)
    }
}

extension Purchase.Kind {
    /// Its word in reports and policies.
    fileprivate var code: String {
        switch self {
        case .nonConsumable: "non-consumable"
        case .consumable: "consumable"
        case .nonRenewing: "non-renewing"
        case .autoRenewable: "auto-renewable"
        case .freeSubscription: "free-subscription"
        }
    }
}
