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
    package static let columns: [Column<ReceiptRow>] = columns(of: ReceiptRow.self)
    private static let ofFacts = columns(of: Facts.self)

    private static func columns<Claim: ReceiptCells>(of: Claim.Type) -> [Column<Claim>] {
        let first: [Column<Claim>] = [
            .text("source", width: 28) { $0.claim.source },
            .text("file", width: 34) { $0.claim.file },
            .text("device_id", width: 38) { $0.claim.deviceID },
            .text("account_id", width: 38) { $0.claim.accountID },
            .verdict("verdict", width: 12) { $0.verdict },
            .codes("failed_checks", width: 26) { $0.failedCodes },
        ]
        let last: [Column<Claim>] = [
            .code("guid", width: 13) { $0.deviceHash.rawValue },
            .textIfAny("environment", width: 18) { $0.environment },
            .textIfAny("bundle_id", width: 28) { $0.bundleID },
            .textIfAny("app_version", width: 13) { $0.appVersion },
            .textIfAny("original_app_version", width: 21) { $0.originalAppVersion },
            .date("created_at", width: 20) { $0.createdAt },
            .date("expires_at", width: 20) { $0.expiresAt },
            .number("purchases", width: 12) { $0.purchaseCount },
            .code("signer", width: 20) { $0.signer },
            .code("digest", width: 9) { $0.digestAlgorithm },
            .hex("receipt_sha256", width: 67) { $0.contentDigest?.bytes },
            .id("claim_id", width: 27) { $0.id },
            .code("kind", width: 14) { $0.kind },
            .text("claimed_bundle_id", width: 28) { $0.claim.bundleID },
            .text("claimed_app_version", width: 21) { $0.claim.appVersion },
            .text("claimed_product_id", width: 34) { $0.claim.productID },
            .date("presented_at", width: 20) { $0.presentedAt },
            .textIfAny("transaction_id", width: 22) { $0.transactionID },
            .textIfAny("original_transaction_id", width: 24) { $0.originalTransactionID },
            .textIfAny("app_transaction_id", width: 22) { $0.appTransactionID },
        ]
        return first + findings.map { $0.of { $0.findings } } + last
    }

    /// The columns of what the rules found, which is known only when all claims have been checked.
    private static let findings: [Column<ClaimFindings>] = [
        .severity("risk", width: 10) { $0.risk },
        .codes("rules", width: 34) { $0.rules },
    ]

    /// The place of the first of these columns.
    private static let findingsPlace = schema.index(of: findings[0].name)

    package static func encoder(in format: any FileFormat.Type, _: Policy, maxClaims: Int?) -> RowEncoder? {
        let names = columnNames
        let (columns, place) = (ofFacts, findingsPlace)
        let none = findings.map { $0.value(ClaimFindings()) }
        var empty: [UInt8] = []
        format.append(none[...], from: place, of: names, to: &empty)
        return RowEncoder(
            name: format.name + (maxClaims.map { " \($0)" } ?? ""), maxRows: maxClaims, emptyLength: empty.count,
            encode: { facts, bytes in
                let cells = columns.map { $0.value(facts) }
                format.append(cells[..<place], from: 0, of: names, to: &bytes)
                let start = bytes.count
                format.append(cells[place...], from: place, of: names, to: &bytes)
                return start
            },
            encodeSource: { source, bytes in format.append([.text(source)], from: 0, of: names, to: &bytes) },
            fill: { risk, rules, bytes in
                let cells = findings.map { $0.value(ClaimFindings(risk: risk, rules: rules)) }
                format.append(cells[...], from: place, of: names, to: &bytes)
            })
    }
}

/// What the rules found in a claim.
struct ClaimFindings {
    var risk: Severity?
    /// The ids of the rules, joined by `;`.
    var rules = ""
}

/// What the table `receipts` says of a claim.
protocol ReceiptCells: SendableMetatype {
    var id: ClaimID { get }
    /// What the claim says. An impossible `presented_at` is none of the row.
    var claim: Claim { get }
    var presentedAt: Instant? { get }
    var verdict: Verdict { get }
    /// The codes of the failed checks, joined by `;`.
    var failedCodes: String { get }
    var findings: ClaimFindings { get }
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
    /// None yet: they are filled in when all claims have been checked.
    var findings: ClaimFindings { ClaimFindings() }
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
    var findings: ClaimFindings { ClaimFindings(risk: rules.risk, rules: rules.ids) }
    var presentedAt: Instant? { claim.presentedAt }
    var failedCodes: String { failed.text }
    var signer: String? { signature?.signer.text }
    var digestAlgorithm: String? { signature?.digest.text }
    var contentDigest: Digest? { signature?.contentDigest }
}
