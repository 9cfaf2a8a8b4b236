import Checks
import Encodings
package import Engine
import Inputs
import Proofs
import Receipts
import Rules

/// The table `receipts`: one row per claim, in claim order.
public enum ReceiptsTable {
    package static let schema = TableSchema(
        name: "receipts",
        columns: [
            .init("source", .text, width: 28), .init("file", .text, width: 34), .init("device_id", .text, width: 38),
            .init("account_id", .text, width: 38), .init("verdict", .verdict, width: 12),
            .init("failed_checks", .code, width: 26), .init("risk", .severity, width: 10),
            .init("rules", .code, width: 34), .init("guid", .code, width: 13), .init("environment", .text, width: 18),
            .init("bundle_id", .text, width: 28), .init("app_version", .text, width: 13),
            .init("original_app_version", .text, width: 21), .init("created_at", .date, width: 20),
            .init("expires_at", .date, width: 20), .init("purchases", .number, width: 12),
            .init("signer", .code, width: 20), .init("digest", .code, width: 9),
            .init("receipt_sha256", .hex, width: 67),
        ])

    public static let columns = schema.columnNames

    /// The index of the column `risk`, which is known with the next one only when all claims have been checked.
    static let riskColumn = 6

    /// Writes the first cell, the only one that says where a claim stands.
    static func writeSource(_ source: ExactText, to row: inout some CellWriter) { row.text(source) }

    /// Writes the cells before ``riskColumn``.
    static func writeHead(_ facts: Facts, to row: inout some CellWriter) {
        writeSource(facts.claim.source, to: &row)
        row.text(facts.claim.file)
        row.text(facts.claim.deviceID)
        row.text(facts.claim.accountID)
        row.code(facts.verdict.rawValue)
        row.code(facts.failed.description)
    }

    /// Writes the cells `risk` and `rules`: the highest severity, and the ids of the rules.
    static func writeFindings(_ risk: Severity, _ rules: String, to row: inout some CellWriter) {
        row.code(risk.code)
        row.code(rules)
    }

    /// Writes the same two cells of a claim without findings.
    static func writeNoFindings(to row: inout some CellWriter) {
        row.empty()
        row.empty()
    }

    /// Writes the cells after them.
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

/// The same row, read from a line of `audit map`.
extension ReceiptRow: TableRow {
    package static var schema: TableSchema { ReceiptsTable.schema }

    package func write(to row: inout some CellWriter) {
        row.text(source)
        row.text(file)
        row.text(deviceID)
        row.text(accountID)
        row.code(verdict.rawValue)
        row.code(failed.text)
        row.code(rules.risk?.code ?? "")
        row.code(rules.ids)
        row.code(deviceHash.rawValue)
        row.text(environment)
        row.text(bundleID)
        row.text(appVersion)
        row.text(originalAppVersion)
        row.date(createdAt)
        row.date(expiresAt)
        if let purchases { row.number(purchases) } else { row.empty() }
        if let signature {
            row.code(signature.signer.text)
            row.code(signature.digest.text)
            row.hex(signature.contentDigest.span)
        } else {
            for _ in 0..<3 { row.empty() }
        }
    }
}
