import Checks
import Encodings
package import Engine
import Inputs
import Proofs
import Receipts
package import Rules

/// The table `receipts`: one row per claim, in claim order.
package enum ReceiptsTable: ReportTable {
    package static let name = "receipts"
    package static let stage = RunStage.claims
    package static let isOnPages = true
    package static let columns = collected.columns

    private static let collected: ColumnCollector<ReceiptRow> = {
        var columns = ColumnCollector<ReceiptRow>()
        visit(&columns, of: ())
        return columns
    }()

    /// Visits the columns. Marks `risk` and `rules`, which are known only after all claims have been checked.
    private static func visit<Claim: ReceiptCells, Columns: ColumnVisitor>(
        _ columns: inout Columns, of claim: Columns.Source
    ) where Columns.Row == Claim {
        columns.visit(.text("source", width: 28) { $0.claim.source }, of: claim)
        columns.visit(.text("file", width: 34) { $0.claim.file }, of: claim)
        columns.visit(.text("device_id", width: 38) { $0.claim.deviceID }, of: claim)
        columns.visit(.text("account_id", width: 38) { $0.claim.canonicalAccountID }, of: claim)
        columns.visit(.verdict("verdict", width: 12) { $0.verdict }, of: claim)
        columns.visit(.codes("failed_checks", width: 26) { $0.failedCodes }, of: claim)
        columns.mark()
        columns.visit(.severity("risk", width: 10) { $0.risk }, of: claim)
        columns.visit(.codes("rules", width: 34) { $0.ruleIDs }, of: claim)
        columns.visit(.code("guid", width: 13) { $0.deviceHash.rawValue }, of: claim)
        columns.visit(.textIfAny("environment", width: 18) { $0.environment }, of: claim)
        columns.visit(.textIfAny("bundle_id", width: 28) { $0.bundleID }, of: claim)
        columns.visit(.textIfAny("app_version", width: 13) { $0.appVersion }, of: claim)
        columns.visit(.textIfAny("original_app_version", width: 21) { $0.originalAppVersion }, of: claim)
        columns.visit(.date("created_at", width: 20) { $0.createdAt }, of: claim)
        columns.visit(.date("expires_at", width: 20) { $0.expiresAt }, of: claim)
        columns.visit(.number("purchases", width: 12) { $0.purchaseCount }, of: claim)
        columns.visit(.code("signer", width: 20) { $0.signer }, of: claim)
        columns.visit(.code("digest", width: 9) { $0.digestAlgorithm }, of: claim)
        columns.visit(.hex("receipt_sha256", width: 67) { $0.contentDigest?.bytes }, of: claim)
        columns.visit(.id("claim_id", width: 27) { $0.id }, of: claim)
        columns.visit(.code("kind", width: 14) { $0.kind }, of: claim)
        columns.visit(.text("claimed_bundle_id", width: 28) { $0.claim.bundleID }, of: claim)
        columns.visit(.text("claimed_app_version", width: 21) { $0.claim.appVersion }, of: claim)
        columns.visit(.text("claimed_product_id", width: 34) { $0.claim.productID }, of: claim)
        columns.visit(.date("presented_at", width: 20) { $0.presentedAt }, of: claim)
        columns.visit(.textIfAny("transaction_id", width: 22) { $0.transactionID }, of: claim)
        columns.visit(.textIfAny("original_transaction_id", width: 24) { $0.originalTransactionID }, of: claim)
        columns.visit(.textIfAny("app_transaction_id", width: 22) { $0.appTransactionID }, of: claim)
    }

    /// Appends the row of a claim without findings.
    ///
    /// - Returns: the number of bytes before the cells `risk` and `rules`.
    static func append<Row: RowBuffer>(
        _ facts: Facts, _ names: [String], as: Row.Type, to bytes: inout [UInt8]
    ) -> Int {
        var visitor = CellVisitor<Facts, Row>(Row(names, from: 0, appendingTo: bytes.take()))
        visit(&visitor, of: facts)
        visitor.cells.endRow()
        bytes = visitor.cells.takeBytes()
        return visitor.marked
    }

    package static func encoder(in format: any FileFormat.Type, _: Policy, maxClaims: Int?) -> RowEncoder? {
        let (names, place) = (columnNames, collected.marked)
        let fill = { @Sendable (risk: CellValue, rules: String, bytes: inout [UInt8]) in
            format.append([risk, .codes(rules)], from: place, of: names, to: &bytes)
        }
        var empty: [UInt8] = []
        fill(.empty, "", &empty)
        return RowEncoder(
            maxRows: maxClaims, emptyLength: empty.count,
            encode: { facts, bytes in format.append(facts, names, to: &bytes) },
            fill: { risk, rules, bytes in fill(.severity(risk), rules, &bytes) })
    }
}
