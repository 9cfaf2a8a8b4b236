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
        @inline(__always) func add(_ column: TableColumn<Claim>) { columns.visit(column, of: claim) }
        add(
            .text("source", "the table and line of its row, or else the path of the file", width: 28) {
                $0.claim.source
            })
        add(.text("file", "the receipt file, as the row names it or relative to INPUT", width: 34) { $0.claim.file })
        add(.text("device_id", "as claimed, verbatim; alternatives joined by `|`", width: 38) { $0.claim.deviceID })
        add(.text("account_id", "as claimed; a UUID in one form", width: 38) { $0.claim.canonicalAccountID })
        add(.verdict("verdict", "`valid`, `invalid` or `unreadable`", width: 12) { $0.verdict })
        add(.codes("failed_checks", "the codes of the checks that failed", width: 26) { $0.failedCodes })
        columns.mark()
        add(.severity("risk", "the highest severity of the claim's [marks](#marks)", width: 10) { $0.risk })
        add(.codes("rules", "the rules that raised these findings", width: 34) { $0.ruleIDs })
        add(
            .code(
                "guid", "whether it belongs to the claimed device: `match`, `mismatch`, `not-checked`", width: 13
            ) { $0.deviceHash.rawValue })
        add(.textIfAny("environment", "attribute 0; of an app transaction `receiptType`", width: 18) { $0.environment })
        add(.textIfAny("bundle_id", "attribute 2, not the claimed one", width: 28) { $0.bundleID })
        add(.textIfAny("app_version", "attribute 3: the version of the app", width: 13) { $0.appVersion })
        add(.textIfAny("original_app_version", "attribute 19: the first version", width: 21) { $0.originalAppVersion })
        add(.date("created_at", "attribute 12; of a token, when it was signed", width: 20) { $0.createdAt })
        add(.date("expires_at", "attribute 21, of apps bought in volume", width: 20) { $0.expiresAt })
        add(.number("purchases", "the number of in-app purchases (attribute 17)", width: 12) { $0.purchaseCount })
        add(.code("signer", "the signing certificate's serial number, in hex", width: 20) { $0.signer })
        add(.code("digest", "the signature's digest: `sha1` or `sha256`", width: 9) { $0.digestAlgorithm })
        add(.hex("receipt_sha256", "SHA-256 of the signed content", width: 67) { $0.contentDigest?.bytes })
        add(.id("claim_id", "the [id](#fraud) of the claim", width: 27) { $0.id })
        add(.code("kind", "`app-receipt` or the [kind](../docs/tokens.md#kinds) of a token", width: 14) { $0.kind })
        add(.text("claimed_bundle_id", "the app that is claimed", width: 28) { $0.claim.bundleID })
        add(.text("claimed_app_version", "the version that is claimed", width: 21) { $0.claim.appVersion })
        add(.text("claimed_product_id", "the product that is claimed", width: 34) { $0.claim.productID })
        add(.date("presented_at", "when it was sent, as claimed", width: 20) { $0.presentedAt })
        add(.textIfAny("transaction_id", "`transactionId` of a token", width: 22) { $0.transactionID })
        add(
            .textIfAny("original_transaction_id", "`originalTransactionId` in it", width: 24) {
                $0.originalTransactionID
            })
        add(.textIfAny("app_transaction_id", "`appTransactionId` of a token", width: 22) { $0.appTransactionID })
        add(
            .id("case_id", "the claim without its date and version: findings about it name it", width: 27) { $0.caseID }
        )
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

    package static func encoder(in format: any FileFormat.Type, _: Policy) -> RowEncoder? {
        .joined(encoder(in: format))
    }

    /// Returns the encoder of rows whose cells `risk` and `rules` are filled at the end.
    package static func encoder(in format: any FileFormat.Type) -> JoinedRowEncoder {
        let (names, place) = (columnNames, collected.marked)
        let fill = { @Sendable (risk: CellValue, rules: String, bytes: inout [UInt8]) in
            format.append([risk, .codes(rules)], from: place, of: names, to: &bytes)
        }
        var empty: [UInt8] = []
        fill(.empty, "", &empty)
        return JoinedRowEncoder(
            emptyLength: empty.count,
            encode: { facts, bytes in format.append(facts, names, to: &bytes) },
            fill: { risk, rules, bytes in fill(.severity(risk), rules, &bytes) })
    }
}
