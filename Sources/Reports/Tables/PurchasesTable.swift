package import Checks
import Encodings
package import Engine
import Inputs
import Proofs
import Receipts
package import Rules

/// The table `purchases`: one row per claim and distinct transaction in its receipt, in claim order.
package enum PurchasesTable: ReportTable {
    package static let name = "purchases"
    package static let stage = RunStage.claims
    package static let columns: [TableColumn<PurchaseRow>] = [
        .text("source", "where the claim is, as in [receipts](#receipts)", width: 28) { $0.claim.source },
        .id("claim_id", "the claim, as in [receipts](#receipts)", width: 27) { $0.claim.id },
        .hex("receipt_sha256", "SHA-256 of the signed content", width: 67) { $0.claim.contentDigest?.bytes },
        .text("transaction_id", "attribute 1703: names the transaction", width: 22) { $0.purchase.transactionID },
        .text("original_transaction_id", "attribute 1705: names the first of a subscription", width: 24) {
            $0.purchase.originalTransactionID
        },
        .textIfAny("web_order_line_item_id", "attribute 1711: names a period", width: 24) {
            $0.purchase.webOrderLineItemID.map { ExactText(String($0)) }
        },
        .text("product_id", "attribute 1702: the product", width: 34) { $0.purchase.productID },
        .code("kind", "attribute 1707, such as `consumable`", width: 18) { $0.purchase.kind?.code },
        .number("quantity", "attribute 1701: how many", width: 10) { $0.purchase.quantity },
        .date("purchased_at", "attribute 1704: when it was bought", width: 20) { $0.purchase.purchaseDate },
        .date("original_purchased_at", "attribute 1706: when it was first bought", width: 23) {
            $0.purchase.originalPurchaseDate
        },
        .date("expires_at", "attribute 1708: when its period ends", width: 20) { $0.purchase.expiresDate },
        .date("refunded_at", "attribute 1712; `revocationDate` of a token", width: 20) { $0.purchase.cancellationDate },
        .number("refund_reason", "attribute 1720: 1 for a fault of the app, else 0", width: 15) {
            $0.purchase.cancellationReason ?? $0.purchase.details?.revocationReason
        },
        .flag("trial", "attribute 1713: whether it is a free trial", width: 8) { $0.purchase.isTrialPeriod },
        .flag("intro_offer", "attribute 1719: whether it has an introductory price", width: 12) {
            $0.purchase.isInIntroOfferPeriod
        },
        .textIfAny("offer", "attribute 1721; of a token, any offer's id", width: 20) { $0.purchase.promotionalOfferID },
        .textIfAny("ownership", "`inAppOwnershipType` of a token", width: 15) { $0.purchase.details?.ownership },
        .amount("price", "the price paid, by a token; else the policy's", width: 10) { $0.price?.millionths },
        .textIfAny("currency", "the currency of `price`", width: 10) { $0.price?.currency },
        .verdict("verdict", "the verdict of the claim", width: 12) { $0.claim.verdict },
        .code("revocation", "what happened at `refunded_at`: `refund`, `upgrade` and so on", width: 15) {
            $0.revocation?.code
        },
    ]

    package static func encoder(in format: any FileFormat.Type, _ policy: Policy) -> RowEncoder? {
        let names = columnNames
        return .complete(
            CompleteRowEncoder { facts, bytes, ends in
                forEachRow(of: facts, policy) { purchase in
                    format.append(cells(of: purchase)[...], from: 0, of: names, to: &bytes)
                    ends.append(bytes.count)
                }
            })
    }

    /// Calls a body with each row of a claim: by the date of purchase, then by transaction.
    package static func forEachRow(of facts: Facts, _ policy: Policy, _ body: (PurchaseRow) -> Void) {
        guard let purchases = facts.purchases, !purchases.isEmpty else { return }
        let products = facts.bundleID.flatMap { policy.apps[$0]?.products }
        let claim = PurchaseRow.ClaimPart(facts)
        let upgrades = purchases.hasAny { $0.cancellationDate != nil } ? UpgradeIndex(purchases) : nil
        for purchase in distinct(purchases) {
            var row = PurchaseRow(claim: claim, purchase: purchase, policyPrice: products?[purchase.productID]?.price)
            row.revocation = purchase.revocation(isReplaced: upgrades?.isReplaced(purchase) ?? false)
            body(row)
        }
    }

    /// Returns one purchase per transaction. If a receipt lists several with one id, the first refunded one counts, in
    /// the order of rows and not of the receipt, whose order is arbitrary.
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
        row.write(cells(of: PurchaseRow(claim: PurchaseRow.ClaimPart(), purchase: purchase, policyPrice: nil)))
        return row.bytes
    }
}

/// A row of the table `purchases`.
package struct PurchaseRow {
    fileprivate let claim: ClaimPart
    fileprivate let purchase: Purchase
    fileprivate let policyPrice: Product.Price?
    /// Why Apple revoked it, as far as the claim's proof shows.
    fileprivate var revocation: Revocation?

    /// The cells that all rows of a claim share.
    fileprivate struct ClaimPart {
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

    /// The price; somebody else paid for a member's purchase.
    fileprivate var price: Product.Price? {
        purchase.details?.isMember == true ? nil : purchase.shownPrice ?? policyPrice
    }
}

extension Purchase.Kind {
    /// The word in reports and policies.
    var code: String {
        switch self {
        case .nonConsumable: "non-consumable"
        case .consumable: "consumable"
        case .nonRenewing: "non-renewing"
        case .autoRenewable: "auto-renewable"
        case .freeSubscription: "free-subscription"
        }
    }
}
