import Encodings
import Engine
import Rules
package import Subscriptions

/// The table `unclaimed`: one row per purchase that evidence shows and no claim presents, by original transaction.
package enum UnclaimedTable: ReportTable {
    package static let name = "unclaimed"
    package static let stage = RunStage.figures
    package static let isOnPages = true
    package static let columns: [TableColumn<UnclaimedPurchase>] = [
        .text("original_transaction_id", width: 24) { $0.originalTransactionID },
        .text("transaction_id", width: 22) { $0.transactionID },
        .text("bundle_id", width: 28) { $0.bundleID },
        .text("product_id", width: 34) { $0.productID },
        .code("kind", width: 18) { $0.kind?.code },
        .date("purchased_at", width: 20) { $0.purchasedAt },
        .date("expires_at", width: 20) { $0.expiresAt },
        .textIfAny("account_token", width: 38) { $0.accountToken },
        .textIfAny("app_transaction_id", width: 22) { $0.appTransactionID },
        .decimal("price", width: 10) { $0.price.map { DecimalNumber(millionths: Int128($0.millionths)) } },
        .textIfAny("currency", width: 10) { $0.price?.currency },
        .date("signed_at", width: 20) { $0.signedAt },
        .hex("evidence_sha256", width: 67) { $0.evidenceDigest },
        .code("reason", width: 10) { $0.isForged ? "forged" : nil },
    ]

    package static func forEachRow(of run: ReportedRun, _ body: (UnclaimedPurchase) throws -> Void) throws {
        try run.result?.forEachUnclaimed(body)
    }
}
