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
            .init("receipt_sha256", .hex, width: 67), .init("claim_id", .code, width: 27),
            .init("kind", .code, width: 14), .init("claimed_bundle_id", .text, width: 28),
            .init("claimed_app_version", .text, width: 21), .init("claimed_product_id", .text, width: 34),
            .init("presented_at", .date, width: 20), .init("transaction_id", .text, width: 22),
            .init("original_transaction_id", .text, width: 24), .init("app_transaction_id", .text, width: 22),
        ])

    public static let columns = schema.columnNames

    /// The index of the column `risk`, which is known with the next one only when all claims have been checked.
    static let riskColumn = 6

    /// Writes the first cell, the only one that says where a claim stands.
    static func writeSource(_ source: ExactText, to row: inout some CellWriter) { row.text(source) }

    /// Writes a row.
    ///
    /// - Parameter findings: writes the cells `risk` and `rules`.
    static func write<Cells: ReceiptCells, Row: CellWriter>(
        _ cells: Cells, to row: inout Row, findings: (inout Row) -> Void
    ) {
        let claim = cells.claim
        writeSource(claim.source, to: &row)
        row.text(claim.file)
        row.text(claim.deviceID)
        row.text(claim.accountID)
        row.code(cells.verdict.rawValue)
        row.codes(cells.failedCodes)
        findings(&row)
        row.code(cells.deviceHash.rawValue)
        row.text(cells.environment)
        row.text(cells.bundleID)
        row.text(cells.appVersion)
        row.text(cells.originalAppVersion)
        row.date(cells.createdAt)
        row.date(cells.expiresAt)
        row.number(cells.purchaseCount)
        if let signer = cells.signer { row.code(signer) } else { row.empty() }
        if let algorithm = cells.digestAlgorithm { row.code(algorithm) } else { row.empty() }
        if let digest = cells.contentDigest { row.hex(digest.octets) } else { row.empty() }
        row.id(cells.id)
        row.code(cells.kind)
        row.text(claim.bundleID)
        row.text(claim.appVersion)
        row.text(claim.productID)
        row.date(cells.presentedAt)
        row.text(cells.transactionID)
        row.text(cells.originalTransactionID)
        row.text(cells.appTransactionID)
    }

    /// Writes the cells `risk` and `rules`: the highest severity, and the ids of the rules.
    static func writeFindings(_ risk: Severity, _ rules: String, to row: inout some CellWriter) {
        row.code(risk.code)
        row.codes(rules)
    }

    /// Writes the same two cells of a claim without findings.
    static func writeNoFindings(to row: inout some CellWriter) {
        row.empty()
        row.codes("")
    }
}

/// What the table `receipts` says of a claim, but for what the rules found.
protocol ReceiptCells {
    var id: ClaimID { get }
    /// What the claim says. An impossible `presented_at` is none of the row.
    var claim: Claim { get }
    var presentedAt: Instant? { get }
    var verdict: Verdict { get }
    /// The codes of the failed checks, joined by `;`.
    var failedCodes: String { get }
    var deviceHash: DeviceHashResult { get }
    var environment: ExactText? { get }
    var bundleID: ExactText? { get }
    var appVersion: ExactText? { get }
    var originalAppVersion: ExactText? { get }
    var createdAt: Instant? { get }
    var expiresAt: Instant? { get }
    /// `nil` if no purchases could be read.
    var purchaseCount: Int? { get }
    /// The serial number of the signer's certificate; `nil` if the container cannot be read.
    var signer: String? { get }
    var digestAlgorithm: String? { get }
    var contentDigest: Digest? { get }
    /// Empty if there are no bytes of a known format.
    var kind: String { get }
    /// What a token says of its transaction.
    var transactionID: ExactText? { get }
    var originalTransactionID: ExactText? { get }
    var appTransactionID: ExactText? { get }
}

extension Facts: ReceiptCells {
    var failedCodes: String { failed.description }
    var signer: String? { signature?.chain.signerSerialNumber }
    var digestAlgorithm: String? { signature.map { $0.digestAlgorithm?.rawValue ?? "" } }
    var contentDigest: Digest? { signature?.contentDigest }
    var transactionID: ExactText? { token?.transactionID }
    var originalTransactionID: ExactText? { token?.originalTransactionID }
    var appTransactionID: ExactText? { token?.appTransactionID }
}

/// The same, read from a line of `audit map`.
extension ReceiptRow: ReceiptCells {
    var presentedAt: Instant? { claim.presentedAt }
    var failedCodes: String { failed.text }
    var signer: String? { signature?.signer.text }
    var digestAlgorithm: String? { signature?.digest.text }
    var contentDigest: Digest? { signature?.contentDigest }
}

extension ReceiptRow: TableRow {
    package static var schema: TableSchema { ReceiptsTable.schema }

    package func write(to row: inout some CellWriter) {
        ReceiptsTable.write(self, to: &row) { row in
            row.code(rules.risk?.code ?? "")
            row.codes(rules.ids)
        }
    }
}
