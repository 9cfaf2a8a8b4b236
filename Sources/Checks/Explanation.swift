import Encodings
import Inputs
import Proofs
import Receipts

/// Says why each check of a claim came out as it did, with the data that a person needs.
///
/// It judges nothing: what failed and what was not checked is the ``Checker``'s word, except that a check whose
/// input nobody gave is said not to have been made.
struct Explanation {
    let facts: Facts
    let expectations: Expectations
    /// The bytes that were judged; empty if there are none.
    let container: [UInt8]
    /// The bytes as they were sent in, which may be base64.
    let original: [UInt8]
    /// The chain's certificates, signer first.
    let certificates: [CertificateDescription]
    let attributes: AttributeListing?
    let devices: [DeviceHash]

    /// Every check of the contract, in order.
    var results: [CheckResult] { Check.allCases.map(result) }

    private func result(of check: Check) -> CheckResult {
        if facts.failed.contains(check) {
            return CheckResult(check: check, outcome: .failed, reason: failure(of: check))
        }
        if let reason = whatIsMissing(for: check) {
            return CheckResult(check: check, outcome: .notChecked, reason: reason)
        }
        return CheckResult(check: check, outcome: .passed, reason: success(of: check))
    }

    /// Why a check was not made; `nil` if it was.
    private func whatIsMissing(for check: Check) -> String? {
        let claim = facts.claim
        switch check {
        case .rowMalformed: return "No row of a manifest or table was read."
        case .receiptNotFound where facts.failed.contains(.rowMalformed): return "The row cannot be read."
        case .receiptUnreadable
        where facts.failed.contains(.rowMalformed) || facts.failed.contains(.receiptNotFound):
            return "There is no file to read."
        case .deviceIDMalformed where claim.deviceID.isEmpty: return "No device id was claimed."
        case .bundleIDMismatch where claim.bundleID.isEmpty && expectations.bundleIDs == nil:
            return "No bundle id was claimed" + foundText(facts.bundleID)
        case .appVersionMismatch where claim.appVersion.isEmpty:
            return "No app version was claimed" + foundText(facts.appVersion)
        case .environmentMismatch where expectations.environments == nil:
            return "Any environment is allowed" + foundText(facts.environment)
        default: break
        }
        guard facts.notChecked.contains(check) else { return nil }
        if facts.verdict == .unreadable { return "There is no container to look at." }
        switch check {
        case .signatureInvalid: return uncheckedSignature
        case .chainUntrusted: return "There is no signer whose chain could be built."
        case .chainExpired where facts.createdAt == nil: return "There is no creation date to judge the chain at."
        case .chainExpired, .signerNotAppStore: return "There is no trusted chain to look at."
        case .guidMismatch where facts.deviceHashInput != nil:
            let isSeveral = !DeviceIdentifiers(claim.deviceID).identifiers.isEmpty
            if claim.deviceID.isEmpty { return "No device id was claimed." }
            return isSeveral
                ? "One of the device ids cannot be read, and it may be the right one." : "The device id cannot be read."
        default:
            guard facts.purchaseCount != nil else { return "The content is not a receipt." }
            return "What the receipt says of it is missing, or cannot be read."
        }
    }

    private func foundText(_ found: ExactText?) -> String { found.map { "; the receipt's is \(quoted($0))." } ?? "." }

    private func success(of check: Check) -> String {
        switch check {
        case .rowMalformed, .receiptNotFound, .receiptUnreadable, .receiptEmpty, .unknownFormat, .malformedContainer,
            .notSigned, .noContent, .noncanonicalContainer:
            containerSuccess(of: check)
        case .signatureInvalid, .signerNotFound, .chainUntrusted, .chainExpired, .signerNotAppStore:
            chainSuccess(of: check)
        default: receiptSuccess(of: check)
        }
    }

    private func failure(of check: Check) -> String {
        switch check {
        case .rowMalformed, .receiptNotFound, .receiptUnreadable, .receiptEmpty, .unknownFormat, .malformedContainer,
            .notSigned, .noContent, .noncanonicalContainer:
            containerFailure(of: check)
        case .signatureInvalid, .signerNotFound, .chainUntrusted, .chainExpired, .signerNotAppStore:
            chainFailure(of: check)
        default: receiptFailure(of: check)
        }
    }
}
