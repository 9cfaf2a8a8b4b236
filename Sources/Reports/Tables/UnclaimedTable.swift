import Encodings
import Engine
import Rules
package import Subscriptions

/// The table `unclaimed`: one row per purchase that evidence shows and no claim presents, by original transaction.
package enum UnclaimedTable: ReportTable {
    package static let name = "unclaimed"
    package static let stage = RunStage.figures
    package static let isOnPages = true
    package static let needsEntities = true
    package static let columns: [TableColumn<UnclaimedPurchase>] = [
        .text("original_transaction_id", "a purchase or a subscription", width: 24) { $0.originalTransactionID },
        .text("transaction_id", "its transaction, or that of its latest period", width: 22) { $0.transactionID },
        .text("bundle_id", "the app", width: 28) { $0.bundleID },
        .text("product_id", "the product of that transaction", width: 34) { $0.productID },
        .code("kind", "its kind, as in [purchases](#purchases)", width: 18) { $0.kind?.code },
        .date("purchased_at", "when it was bought; of a subscription, when it began", width: 20) { $0.purchasedAt },
        .date("expires_at", "the end of that transaction's period", width: 20) { $0.expiresAt },
        .textIfAny("account_token", "`appAccountToken`: the UUID of your account", width: 38) { $0.accountToken },
        .textIfAny("app_transaction_id", "`appTransactionId` of the Apple Account", width: 22) { $0.appTransactionID },
        .amount("price", "the price paid for that transaction", width: 10) { $0.price?.millionths },
        .textIfAny("currency", "the currency of `price`", width: 10) { $0.price?.currency },
        .date("signed_at", "when the newest token was signed that shows it", width: 20) { $0.signedAt },
        .hex("evidence_sha256", "SHA-256 of that token's payload", width: 67) { $0.evidenceDigest },
        .code("reason", "`account-without-this-purchase` or `no-claim-of-account`", width: 30) { $0.reason },
        .textIfAny("account_id", "the account of claims with that UUID, if they name one only", width: 24) {
            $0.owner?.accountID
        },
        .date("last_seen", "the latest `presented_at` of claims of the app with that UUID", width: 20) {
            $0.owner?.lastSeen
        },
        .flag("forged", "`true` if claims with a broken signature or chain name it", width: 10) {
            $0.isForged ? true : nil
        },
    ]

    package static func forEachRow(of run: ReportedRun, _ body: (UnclaimedPurchase) throws -> Void) throws {
        try run.result?.forEachUnclaimed(body)
    }
}
