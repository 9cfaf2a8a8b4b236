import Checks
import Encodings
package import Engine
import Rules

/// The table `refund_requests`: one row per refund request from Apple: those that it waits for, then the newest.
package enum RefundRequestsTable: ReportTable {
    package static let name = "refund_requests"
    package static let stage = RunStage.figures
    package static let isOnPages = true
    package static let needsEntities = true
    package static let columns: [TableColumn<RefundRequest>] = [
        .text("notification_uuid", "the notification CONSUMPTION_REQUEST", width: 38) { $0.request.uuid },
        .date("requested_at", "when Apple asked", width: 20) { $0.request.requestedAt },
        .date("answer_by", "when Apple stops waiting: twelve hours later", width: 20) { $0.answerBy },
        .textIfAny("reason", "`consumptionRequestReason`, verbatim", width: 26) { $0.request.reason },
        .text("transaction_id", "the transaction to refund", width: 22) { $0.request.transactionID },
        .text("original_transaction_id", "its original transaction", width: 24) { $0.request.originalTransactionID },
        .textIfAny("bundle_id", "its app", width: 28) { $0.request.bundleID },
        .text("product_id", "its product", width: 34) { $0.request.productID },
        .textIfAny("account_token", "`appAccountToken`: your account's UUID", width: 38) { $0.request.accountToken },
        .textIfAny(
            "app_transaction_id", "`appTransactionId`, one for each Apple Account and app", width: 22
        ) { $0.request.appTransactionID },
        .amount("price", "the price paid, as the transaction says", width: 10) { $0.request.millionths },
        .textIfAny("currency", "the currency of `price`", width: 10) { $0.request.currency },
        .number("claims", "how many claims present the original transaction", width: 9) { $0.claims },
        .number("accounts", "how many accounts these claims name", width: 11) { $0.accounts },
        .number("devices", "how many devices these claims name", width: 10) { $0.devices },
        .date("first_presented", "the earliest `presented_at` of these claims", width: 20) { $0.firstPresented },
        .date("last_presented", "the latest `presented_at` of these claims", width: 20) { $0.lastPresented },
        .number("earlier_refunds", "how many other purchases were refunded before", width: 17) { $0.earlierRefunds },
        .number("findings", "how many findings concern the original transaction", width: 11) { $0.found.findings },
        .severity("worst", "their highest severity", width: 10) { $0.found.worst },
        .code("confidence", "their highest confidence", width: 12) { $0.found.confidence?.code },
        .code("status", "the most urgent of their statuses", width: 11) { $0.found.status?.rawValue },
        .date("refunded_at", "when it was refunded, by the newest proof", width: 20) { $0.refundedAt },
        .hex("evidence_sha256", "SHA-256 of the notification's payload", width: 67) { $0.request.digest },
        .textIfAny("environment", "as the transaction says: `Sandbox` is a test", width: 14) { $0.request.environment },
        .flag("overdue", "`true` if Apple no longer waits; empty if it has decided", width: 10) { $0.isOverdue },
        .textIfAny("account_id", "the account of these claims, if there is one only", width: 24) { $0.accountID },
        .code("kind", "the kind of purchase, as in [purchases](#purchases)", width: 18) { $0.request.kind?.code },
        .code("delivery_status", "`DELIVERED` if claims show it: what Apple asks for", width: 14) {
            $0.deliveryStatus
        },
    ]

    package static func forEachRow(of run: ReportedRun, _ body: (RefundRequest) throws -> Void) throws {
        try run.result?.forEachRefundRequest(body)
    }
}
