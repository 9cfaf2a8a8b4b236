import Checks
import Encodings
package import Engine

/// The table `evidence`: one row per token, those inside others and duplicates too, in the order of the evidence.
package enum EvidenceTable {
    package static let schema = TableSchema(
        name: "evidence",
        columns: [
            .init("source", .text, width: 28), .init("kind", .code, width: 16), .init("verdict", .verdict, width: 12),
            .init("failed_checks", .code, width: 26), .init("notification_type", .text, width: 28),
            .init("subtype", .text, width: 22), .init("notification_uuid", .text, width: 38),
            .init("signed_at", .date, width: 20), .init("environment", .text, width: 14),
            .init("bundle_id", .text, width: 28), .init("transaction_id", .text, width: 22),
            .init("original_transaction_id", .text, width: 24), .init("app_transaction_id", .text, width: 22),
            .init("product_id", .text, width: 34), .init("revoked_at", .date, width: 20),
            .init("revocation_reason", .number, width: 18), .init("payload_sha256", .hex, width: 67),
        ])
}

extension EvidenceRow: TableRow {
    package static var schema: TableSchema { EvidenceTable.schema }

    package func write(to row: inout some CellWriter) {
        row.text(source)
        row.code(kind.text)
        row.code(verdict.rawValue)
        row.codes(failed.text)
        row.text(notificationType)
        row.text(subtype)
        row.text(notificationUUID)
        row.date(signedAt)
        row.text(environment)
        row.text(bundleID)
        row.text(transactionID)
        row.text(originalTransactionID)
        row.text(appTransactionID)
        row.text(productID)
        row.date(revokedAt)
        row.number(revocationReason)
        if payloadDigest.isEmpty { row.empty() } else { row.hex(payloadDigest.span) }
    }
}
