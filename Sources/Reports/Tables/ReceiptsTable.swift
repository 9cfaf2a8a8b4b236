import Checks
import Encodings
import Inputs
import Proofs
import Receipts
import Rules

/// The table `receipts`: one row per claim, in claim order.
public enum ReceiptsTable {
    public static let columns = [
        "source", "file", "device_id", "account_id", "verdict", "failed_checks", "risk", "rules", "guid",
        "environment", "bundle_id", "app_version", "original_app_version", "created_at", "expires_at",
        "purchases", "signer", "digest", "receipt_sha256",
    ]

    /// The column `risk`, which with the next one is only known when all claims have been judged.
    static let riskColumn = 6

    /// Writes the cells before ``riskColumn``.
    static func writeHead(_ facts: Facts, to row: inout some CellWriter) {
        row.text(facts.claim.source)
        row.text(facts.claim.file)
        row.text(facts.claim.deviceID)
        row.text(facts.claim.accountID)
        row.code(facts.verdict.rawValue)
        row.code(facts.failed.description)
    }

    /// Writes the two cells that say what the rules found.
    static func writeFindings(_ risk: Severity, _ rules: String, to row: inout some CellWriter) {
        row.code(risk.code)
        row.code(rules)
    }

    /// Writes the two cells if nothing was found.
    static func writeNoFindings(to row: inout some CellWriter) {
        row.empty()
        row.empty()
    }

    /// Writes the cells behind them.
    static func writeTail(_ facts: Facts, to row: inout some CellWriter) {
        row.code(facts.deviceHash.rawValue)
        row.text(facts.environment)
        row.text(facts.bundleID)
        row.text(facts.appVersion)
        row.text(facts.originalAppVersion)
        row.date(facts.createdAt)
        row.date(facts.expiresAt)
        if let count = facts.purchaseCount { row.number(count) } else { row.empty() }
        if let signature = facts.signature {
            row.code(signature.chain.signerSerialNumber)
            row.code(signature.digestAlgorithm?.rawValue ?? "")
            row.hex(signature.contentDigest.octets)
        } else {
            for _ in 0..<3 { row.empty() }
        }
    }
}
