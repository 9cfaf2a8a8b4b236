import Encodings
import Inputs
import Proofs
import Receipts

/// Explains the result of each check of a claim, with the data that a person needs.
///
/// It decides nothing: the ``Checker`` determines what failed and what was not checked. The only exception is a check
/// without an input, which is reported as not run.
struct Explanation {
    let facts: Facts
    let expectations: Expectations
    /// The checked bytes; empty if there are none.
    let container: [UInt8]
    /// The original bytes, which may be base64.
    let original: [UInt8]
    /// The chain's certificates, signer first.
    let certificates: [CertificateDescription]
    let attributes: AttributeListing?
    let deviceHashes: [DeviceHash]

    /// A claimed device, with the hash that a receipt for it would have.
    struct DeviceHash {
        /// A UUID, or a MAC address.
        let device: String
        let octets: [UInt8]
    }

    /// The result of every check, in order.
    var results: [CheckResult] {
        Check.allCases.map { check in
            if facts.failed.contains(check) {
                return CheckResult(check: check, outcome: .failed, reason: failure(of: check))
            }
            if let reason = missingInput(of: check) ?? missingPrecondition(of: check) {
                return CheckResult(check: check, outcome: .notChecked, reason: reason)
            }
            return CheckResult(check: check, outcome: .passed, reason: success(of: check))
        }
    }

    /// Whether the claim is a row, judging by its source: `export.csv:17`.
    private var isOfRow: Bool {
        let digits = facts.claim.source.utf8.reversed().prefix { (0x30...0x39).contains($0) }.count
        return digits > 0 && facts.claim.source.utf8.dropLast(digits).last == UInt8(ascii: ":")
    }

    /// The reason why the check had no input to compare; `nil` if it had one.
    private func missingInput(of check: Check) -> String? {
        let claim = facts.claim
        switch check {
        case .rowMalformed: return isOfRow ? nil : "No row of a manifest or table was read."
        case .receiptNotFound: return facts.failed.contains(.rowMalformed) ? "The row cannot be read." : nil
        case .receiptUnreadable:
            let hasNoFile = facts.failed.contains(.rowMalformed) || facts.failed.contains(.receiptNotFound)
            return hasNoFile ? "There is no file to read." : nil
        case .deviceIDMalformed:
            return claim.deviceID.isEmpty && claim.deviceVerificationID.isEmpty ? "No device id was claimed." : nil
        case .bundleIDMismatch:
            guard claim.bundleID.isEmpty, expectations.bundleIDs == nil else { return nil }
            return "No bundle id was claimed" + receiptValue(facts.bundleID)
        case .appVersionMismatch:
            return claim.appVersion.isEmpty ? "No app version was claimed" + receiptValue(facts.appVersion) : nil
        case .environmentMismatch:
            let allowsAny = expectations.environments == nil
            return allowsAny ? "Any environment is allowed" + receiptValue(facts.environment) : nil
        case .receiptEmpty, .unknownFormat, .malformedContainer, .notSigned, .noContent, .notAProof,
            .noncanonicalContainer, .signatureInvalid, .signerNotFound, .chainUntrusted, .chainExpired,
            .signerNotAppStore, .malformedReceipt, .malformedInAppPurchase, .guidMismatch, .receiptExpired:
            return nil
        }
    }

    private func receiptValue(_ value: ExactText?) -> String {
        value.map { "; the \(proof)'s is \(quoted($0))." } ?? "."
    }

    /// The reason why the check could not run; `nil` if it ran.
    private func missingPrecondition(of check: Check) -> String? {
        guard facts.notChecked.contains(check) else { return nil }
        if facts.otherObject != nil { return "There is no proof to check." }
        if facts.format == .token, let text = tokenPrecondition(of: check) { return text }
        if facts.verdict == .unreadable { return "There is no container to check." }
        switch check {
        case .signatureInvalid: return uncheckedSignature
        case .chainUntrusted: return "There is no signer whose chain could be built."
        case .chainExpired:
            return facts.createdAt == nil
                ? "There is no creation date at which to validate the chain." : "There is no trusted chain to check."
        case .signerNotAppStore: return "There is no trusted chain to check."
        case .guidMismatch:
            if facts.deviceHashInput == nil { return missingContent }
            if facts.claim.deviceID.isEmpty { return "No device id was claimed." }
            let claimed = DeviceIdentifiers(facts.claim.deviceID)
            if claimed.identifiers.isEmpty, !claimed.isMalformed { return Self.placeholder }
            if claimed.identifiers.isEmpty { return "The device id cannot be read." }
            return claimed.isMalformed
                ? "One of the device ids cannot be read, and it may be the right one."
                : Self.placeholder
        case .rowMalformed, .receiptNotFound, .receiptUnreadable, .receiptEmpty, .unknownFormat, .malformedContainer,
            .notSigned, .noContent, .notAProof, .noncanonicalContainer, .signerNotFound, .malformedReceipt,
            .malformedInAppPurchase, .deviceIDMalformed, .bundleIDMismatch, .appVersionMismatch, .environmentMismatch,
            .receiptExpired:
            return missingContent
        }
    }

    private static let placeholder = "The device id is a placeholder that names no device."

    private var missingContent: String {
        facts.purchaseCount == nil
            ? "The content is not a receipt." : "The receipt's value is missing or unreadable."
    }

    private func success(of check: Check) -> String {
        if facts.format == .token, let text = tokenSuccess(of: check) { return text }
        if facts.otherObject != nil, check > .receiptEmpty { return "The bytes can be read." }
        switch check {
        case .rowMalformed: return "It was read."
        case .receiptNotFound: return "It was found."
        case .receiptUnreadable: return "It was read."
        case .receiptEmpty: return "There are \(counted(original.count, "byte"))."
        case .unknownFormat: return "The bytes are a PKCS #7 container."
        case .malformedContainer: return "The container can be decoded."
        case .notSigned: return "Its content type is signedData."
        case .noContent: return "It has embedded content of type data."
        case .notAProof: return "It is a proof of purchase, or a reader could take it for one."
        case .noncanonicalContainer: return "The container is in the one form that Apple writes."
        case .signatureInvalid: return "The signature holds over the content (\(digestName))." + whichSignerInfo
        case .signerNotFound: return "The signer is \(signerName)."
        case .chainUntrusted: return "The chain ends at the trust anchor \(certificates.last.map(name) ?? "")."
        case .chainExpired:
            return "All \(certificates.count) certificates were valid when the receipt was created, on \(createdText)."
        case .signerNotAppStore: return "Leaf and intermediate have Apple's marker extensions."
        case .malformedReceipt: return "All required attributes are present; it was created on \(createdText)."
        case .malformedInAppPurchase:
            let count = facts.purchaseCount ?? 0
            return count == 0 ? "There are none." : "\(counted(count, "purchase")) can be read."
        case .deviceIDMalformed:
            let claimed = DeviceIdentifiers(facts.claim.deviceID)
            let count = claimed.identifiers.count
            if count == 0, claimed.placeholder != nil { return Self.placeholder }
            return count <= 1 ? "It can be read." : "All \(count) alternatives can be read."
        case .guidMismatch:
            let match = deviceHashes.first { $0.octets == facts.deviceHashInput?.hash }
            return "The receipt's device hash is that of \(match?.device ?? "the device")."
        case .bundleIDMismatch: return "It is \(quoted(facts.bundleID ?? "")), as expected."
        case .appVersionMismatch: return "It is \(quoted(facts.appVersion ?? "")), as claimed."
        case .environmentMismatch: return "\(quoted(facts.environment ?? "")) is allowed."
        case .receiptExpired:
            guard let date = facts.expiresAt else { return "The receipt has no expiration date." }
            return "It expires on \(date), which is not before \(expectations.asOf)."
        }
    }

    private func failure(of check: Check) -> String {
        if facts.format == .token, let text = tokenFailure(of: check) { return text }
        switch check {
        case .rowMalformed, .receiptNotFound, .receiptUnreadable: return inputFault
        case .receiptEmpty: return "There are no bytes."
        case .notAProof: return failureOfOtherObject
        case .unknownFormat where facts.otherObject != nil: return failureOfOtherObject
        case .unknownFormat:
            return "The bytes are neither a PKCS #7 container, in DER or base64, nor a token; \(appearanceOfOriginal)."
        case .malformedContainer: return malformedContainer
        case .notSigned: return "It is PKCS #7, but not signedData."
        case .noContent: return "It is signedData, but without embedded content of type data."
        case .noncanonicalContainer: return noncanonicalContainer
        case .signatureInvalid: return brokenSignature + whichSignerInfo
        case .signerNotFound:
            return "None of the container's certificates is the signer's (\(certificatesText))."
        case .chainUntrusted: return untrustedChain
        case .chainExpired: return expiredChain
        case .signerNotAppStore: return missingMarker
        case .malformedReceipt: return malformedReceipt
        case .malformedInAppPurchase: return malformedPurchase
        case .deviceIDMalformed:
            return malformedDeviceID
        case .guidMismatch: return deviceHashMismatch
        case .bundleIDMismatch:
            return mismatch(facts.claim.bundleID, facts.bundleID, else: "is not one of the policy's apps")
        case .appVersionMismatch:
            return mismatch(facts.claim.appVersion, facts.appVersion, else: "is not what was claimed")
        case .environmentMismatch:
            return facts.environment.map { "\(quoted($0)) is not an allowed environment." }
                ?? "The \(proof) names no environment."
        case .receiptExpired:
            return "It expired on \(facts.expiresAt?.description ?? ""), before \(expectations.asOf)."
        }
    }
}

/// Puts an untrusted text in quotation marks, truncated to a readable length.
func quoted(_ text: String) -> String { text.quoted(upTo: 100) }

func quoted(_ text: ExactText) -> String { quoted(text.text) }
