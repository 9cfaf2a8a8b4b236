import Encodings
import Inputs
import Receipts

extension Checker {
    /// Compares the receipt with what the claim says of it, and with what the run allows.
    func checkExpectations(_ receipt: Receipt, into facts: inout Facts) {
        judge(bundleID: receipt.bundleID, into: &facts)
        judge(appVersion: receipt.appVersion, into: &facts)
        judge(environment: receipt.environment, into: &facts)
        judge(expiresAt: receipt.expiresAt, into: &facts)
    }

    /// Makes the checks for which enough of an incomplete receipt can be read.
    func judge(_ fields: ReceiptFields, into facts: inout Facts) {
        if fields.purchaseError != nil { facts.fail(.malformedInAppPurchase) }
        if let binding = fields.deviceHashInput {
            checkDevice(binding, into: &facts)
        } else {
            facts.leaveUnchecked(.guidMismatch)
        }
        if let bundleID = fields.bundleID {
            judge(bundleID: bundleID, into: &facts)
        } else {
            facts.leaveUnchecked(.bundleIDMismatch)
        }
        if let appVersion = fields.appVersion {
            judge(appVersion: appVersion, into: &facts)
        } else {
            facts.leaveUnchecked(.appVersionMismatch)
        }
        if fields.isLegible(.environment) {
            judge(environment: fields.environment, into: &facts)
        } else {
            facts.leaveUnchecked(.environmentMismatch)
        }
        if fields.isLegible(.expiresAt) {
            judge(expiresAt: fields.expiresAt, into: &facts)
        } else {
            facts.leaveUnchecked(.receiptExpired)
        }
    }

    private func judge(bundleID: ExactText, into facts: inout Facts) {
        let claimed = facts.claim.bundleID
        if !claimed.isEmpty, claimed != bundleID { facts.fail(.bundleIDMismatch) }
        if let ours = expectations.bundleIDs, !ours.contains(bundleID) { facts.fail(.bundleIDMismatch) }
    }

    private func judge(appVersion: ExactText, into facts: inout Facts) {
        let claimed = facts.claim.appVersion
        if !claimed.isEmpty, claimed != appVersion { facts.fail(.appVersionMismatch) }
    }

    private func judge(environment: ExactText?, into facts: inout Facts) {
        if let allowed = expectations.environments, !allowed.contains(environment ?? "") {
            facts.fail(.environmentMismatch)
        }
    }

    private func judge(expiresAt: Instant?, into facts: inout Facts) {
        if let expiresAt, expiresAt < expectations.asOf { facts.fail(.receiptExpired) }
    }
}
