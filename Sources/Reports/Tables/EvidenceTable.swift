import Checks
import Encodings
package import Engine

/// The table `evidence`: one row per token, including nested tokens and duplicates, in the order of the evidence.
package enum EvidenceTable: ReportTable {
    package static let name = "evidence"
    package static let stage = RunStage.evidence
    package static let columns: [TableColumn<EvidenceRow>] = [
        .text("source", width: 28) { $0.source },
        .code("kind", width: 16) { $0.kind.text },
        .verdict("verdict", width: 12) { $0.verdict },
        .codes("failed_checks", width: 26) { $0.failed.text },
        .textIfAny("notification_type", width: 28) { $0.notificationType },
        .textIfAny("subtype", width: 22) { $0.subtype },
        .textIfAny("notification_uuid", width: 38) { $0.notificationUUID },
        .date("signed_at", width: 20) { $0.signedAt },
        .textIfAny("environment", width: 14) { $0.environment },
        .textIfAny("bundle_id", width: 28) { $0.bundleID },
        .textIfAny("transaction_id", width: 22) { $0.transactionID },
        .textIfAny("original_transaction_id", width: 24) { $0.originalTransactionID },
        .textIfAny("app_transaction_id", width: 22) { $0.appTransactionID },
        .textIfAny("product_id", width: 34) { $0.productID },
        .date("revoked_at", width: 20) { $0.revokedAt },
        .number("revocation_reason", width: 18) { $0.revocationReason },
        .hex("payload_sha256", width: 67) { $0.payloadDigest },
        .textIfAny("unknown", width: 28) { $0.unknown },
    ]

    package static func forEachRow(of run: ReportedRun, _ body: (EvidenceRow) throws -> Void) throws {
        try run.result?.forEachEvidence(body)
    }
}
