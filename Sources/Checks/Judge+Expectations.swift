import Encodings
import Inputs
import Receipts

extension Judge {
    /// Compares the receipt with what the claim says of it, and with what the run allows.
    func judgeExpectations(_ receipt: Receipt, into facts: inout Facts) {
        let (bundleID, appVersion) = (facts.claim.bundleID, facts.claim.appVersion)
        if !bundleID.isEmpty, bundleID != receipt.bundleID { facts.fail(.bundleIDMismatch) }
        if let ours = expectations.bundleIDs, !ours.contains(receipt.bundleID) { facts.fail(.bundleIDMismatch) }
        if !appVersion.isEmpty, appVersion != receipt.appVersion { facts.fail(.appVersionMismatch) }
        if let allowed = expectations.environments, !allowed.contains(receipt.environment ?? "") {
            facts.fail(.environmentMismatch)
        }
        if let expiresAt = receipt.expiresAt, expiresAt < expectations.asOf { facts.fail(.receiptExpired) }
    }
}
