import Checks
import Encodings
package import Engine
import Rules

/// The table `refund_requests`: one row per refund request from Apple, the newest first.
package enum RefundRequestsTable: ReportTable {
    package static let name = "refund_requests"
    package static let stage = RunStage.figures
    package static let isOnPages = true
    package static let needsEntities = true
    package static let columns: [TableColumn<RefundRequest>] = [
        .text("notification_uuid", width: 38) { $0.request.uuid },
        .date("requested_at", width: 20) { $0.request.requestedAt },
        .date("answer_by", width: 20) { $0.answerBy },
        .textIfAny("reason", width: 26) { $0.request.reason },
        .text("transaction_id", width: 22) { $0.request.transactionID },
        .text("original_transaction_id", width: 24) { $0.request.originalTransactionID },
        .textIfAny("bundle_id", width: 28) { $0.request.bundleID },
        .text("product_id", width: 34) { $0.request.productID },
        .textIfAny("account_token", width: 38) { $0.request.accountToken },
        .textIfAny("app_transaction_id", width: 22) { $0.request.appTransactionID },
        .decimal("price", width: 10) { row in
            row.request.millionths.map { DecimalNumber(millionths: Int128($0)) }
        },
        .textIfAny("currency", width: 10) { $0.request.currency },
        .number("claims", width: 9) { $0.claims },
        .number("accounts", width: 11) { $0.accounts },
        .number("devices", width: 10) { $0.devices },
        .date("first_presented", width: 20) { $0.firstPresented },
        .date("last_presented", width: 20) { $0.lastPresented },
        .number("earlier_refunds", width: 17) { $0.earlierRefunds },
        .number("findings", width: 11) { $0.found.findings },
        .severity("worst", width: 10) { $0.found.worst },
        .code("confidence", width: 12) { $0.found.confidence?.code },
        .code("status", width: 11) { $0.found.status?.rawValue },
        .date("refunded_at", width: 20) { $0.refundedAt },
        .hex("evidence_sha256", width: 67) { $0.request.digest },
        .textIfAny("environment", width: 14) { $0.request.environment },
    ]

    package static func forEachRow(of run: ReportedRun, _ body: (RefundRequest) throws -> Void) throws {
        try run.result?.forEachRefundRequest(body)
    }
}
