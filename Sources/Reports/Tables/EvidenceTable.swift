import Checks
import Encodings
package import Engine

/// The table `evidence`: one row per token, including nested tokens and duplicates, in the order of the evidence.
package enum EvidenceTable: ReportTable {
    package static let name = "evidence"
    package static let stage = RunStage.evidence
    package static let columns: [TableColumn<EvidenceRow>] = [
        .text("source", "the file and line of the token or text", width: 28) { $0.source },
        .code("kind", "the kind of token, as in [receipts](#receipts)", width: 16) { $0.kind.text },
        .verdict("verdict", "`valid`, `invalid` or `unreadable`", width: 12) { $0.verdict },
        .codes("failed_checks", "the codes of the checks that failed", width: 26) { $0.failed.text },
        .textIfAny("notification_type", "`notificationType` of a notification", width: 28) { $0.notificationType },
        .textIfAny("subtype", "`subtype` of a notification", width: 22) { $0.subtype },
        .textIfAny("notification_uuid", "`notificationUUID` of a notification", width: 38) { $0.notificationUUID },
        .date("signed_at", "when the token was signed", width: 20) { $0.signedAt },
        .textIfAny("environment", "`environment` of the token", width: 14) { $0.environment },
        .textIfAny("bundle_id", "`bundleId` of the token; a renewal info has none", width: 28) { $0.bundleID },
        .textIfAny("transaction_id", "`transactionId` of the token", width: 22) { $0.transactionID },
        .textIfAny("original_transaction_id", "`originalTransactionId` in it", width: 24) { $0.originalTransactionID },
        .textIfAny("app_transaction_id", "`appTransactionId` of the token", width: 22) { $0.appTransactionID },
        .textIfAny("product_id", "`productId` of the token", width: 34) { $0.productID },
        .date("revoked_at", "`revocationDate` of a revoked transaction", width: 20) { $0.revokedAt },
        .number("revocation_reason", "`revocationReason` of a revoked transaction", width: 18) { $0.revocationReason },
        .hex("payload_sha256", "SHA-256 of the decoded payload: equal for duplicates", width: 67) { $0.payloadDigest },
        .textIfAny("unknown", "members and values that this version does not know", width: 28) { $0.unknown },
        .code("revocation", "why it was revoked, as in [purchases](#purchases)", width: 15) { $0.revocation?.text },
    ]

    package static func forEachRow(of run: ReportedRun, _ body: (EvidenceRow) throws -> Void) throws {
        try run.result?.forEachEvidence(body)
    }
}
