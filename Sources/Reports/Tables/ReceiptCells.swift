import Checks
import Encodings
import Engine
import Inputs
import Proofs
import Receipts
import Rules

/// The cells of a claim in the table `receipts`.
protocol ReceiptCells: SendableMetatype {
    var id: ClaimID { get }
    var caseID: CaseID { get }
    /// The claim's fields. The row does not show an impossible `presented_at`.
    var claim: Claim { get }
    var presentedAt: Instant? { get }
    var verdict: Verdict { get }
    /// The codes of the failed checks, joined by `;`.
    var failedCodes: String { get }
    /// The highest severity of its findings, and the ids of their rules, joined by `;`.
    var risk: Severity? { get }
    var ruleIDs: String { get }
    var deviceHash: DeviceHashResult { get }
    var environment: ExactText? { get }
    var bundleID: ExactText? { get }
    var appVersion: ExactText? { get }
    var originalAppVersion: ExactText? { get }
    var createdAt: Instant? { get }
    var expiresAt: Instant? { get }
    /// The number of purchases; `nil` if none could be read.
    var purchaseCount: Int? { get }
    /// The serial number of the signer's certificate; `nil` if the container cannot be read.
    var signer: String? { get }
    var digestAlgorithm: String? { get }
    var contentDigest: Digest? { get }
    /// The kind of proof; empty if there are no bytes of a known format.
    var kind: String { get }
    /// The transaction of a token.
    var transactionID: ExactText? { get }
    var originalTransactionID: ExactText? { get }
    var appTransactionID: ExactText? { get }
}

extension Facts: ReceiptCells {
    /// Not known yet. It is filled in after all claims have been checked.
    var risk: Severity? { nil }
    var ruleIDs: String { "" }
    var failedCodes: String { failed.description }
    var signer: String? { signature?.chain.signerSerialNumber }
    var digestAlgorithm: String? { signature.map { $0.digestAlgorithm?.rawValue ?? "" } }
    var contentDigest: Digest? { signature?.contentDigest }
    var transactionID: ExactText? { token?.transactionID }
    var originalTransactionID: ExactText? { token?.originalTransactionID }
    var appTransactionID: ExactText? { token?.appTransactionID }
}

/// The cells from a line of `audit map`.
extension ReceiptRow: ReceiptCells {
    var risk: Severity? { rules.risk }
    var ruleIDs: String { rules.ids }
    var presentedAt: Instant? { claim.presentedAt }
    var failedCodes: String { failed.text }
    var signer: String? { signature?.signer.text }
    var digestAlgorithm: String? { signature?.digest.text }
    var contentDigest: Digest? { signature?.contentDigest }
}
