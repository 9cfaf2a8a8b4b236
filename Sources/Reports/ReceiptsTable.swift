public import Checks
import Encodings
import Inputs
import Receipts
import Signatures

/// The table `receipts`: one row per claim, in claim order.
public enum ReceiptsTable {
    public static let columns = [
        "source", "file", "device_id", "account_id", "verdict", "failed_checks", "risk", "rules", "guid",
        "environment", "bundle_id", "app_version", "original_app_version", "created_at", "expires_at",
        "purchases", "signer", "digest", "receipt_sha256",
    ]

    /// Writes one claim's cells, one for each column.
    public static func write(_ facts: Facts, to row: inout some CellWriter) {
        row.text(facts.claim.source)
        row.text(facts.claim.file)
        row.text(facts.claim.deviceID)
        row.text(facts.claim.accountID)
        row.code(facts.verdict.rawValue)
        row.code(facts.failed.description)
        row.empty()  // risk
        row.empty()  // rules
        row.code(facts.deviceMatch.rawValue)
        let receipt = facts.receipt
        row.text(receipt?.environment)
        row.text(receipt?.bundleID)
        row.text(receipt?.appVersion)
        row.text(receipt?.originalAppVersion)
        row.date(receipt?.createdAt)
        row.date(receipt?.expiresAt)
        if let receipt { row.number(receipt.purchases.count) } else { row.empty() }
        if let signature = facts.signature {
            row.code(signature.chain.signerSerialNumber)
            row.code(signature.digestAlgorithm?.rawValue ?? "")
            row.hex(signature.contentDigest.octets)
        } else {
            for _ in 0..<3 { row.empty() }
        }
    }
}
