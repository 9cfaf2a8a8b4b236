import Encodings
import Inputs
import Proofs
import Receipts

/// The sentences about tokens that differ from those about receipts.
extension Explanation {
    /// The kind of proof, for sentences.
    var proof: String { facts.format == .token ? "token" : "receipt" }

    /// The reason why a check could not run; `nil` if the sentence about receipts fits.
    func tokenPrecondition(of check: Check) -> String? {
        if facts.verdict == .unreadable { return "There is no payload to check." }
        switch check {
        case .signatureInvalid: return "There is no certificate to check it with."
        case .chainExpired where facts.createdAt == nil: return "There is no date at which to validate the chain."
        case .malformedInAppPurchase: return "Only receipts have purchases inside."
        case .receiptExpired: return "Only receipts expire."
        case .guidMismatch:
            guard facts.token?.deviceVerification != nil else { return "The token is bound to no device." }
            return facts.claim.deviceVerificationID.isEmpty
                ? "No device verification id was claimed."
                : Placeholder.matchesDevice(facts.claim.deviceVerificationID)
                    ? "The device verification id is a placeholder that names no device."
                    : "The device verification id cannot be read."
        case .bundleIDMismatch, .appVersionMismatch, .environmentMismatch:
            return facts.token == nil ? "The payload is not that of a token." : "The token does not name it."
        default: return nil
        }
    }

    /// The sentence for a check that passed; `nil` if the sentence about receipts fits.
    func tokenSuccess(of check: Check) -> String? {
        switch check {
        case .unknownFormat: "The bytes are a token."
        case .malformedContainer: "Its three parts can be decoded, and the header is JSON."
        case .notSigned: "It is signed."
        case .noContent: "There is a payload."
        case .noncanonicalContainer: "The token is in the one form that Apple writes."
        case .signatureInvalid: "The signature holds over header and payload (ES256)."
        case .chainExpired: "All certificates were valid when the token was signed, on \(createdText)."
        case .signerNotAppStore: "Leaf and intermediate have Apple's marker extensions."
        case .malformedReceipt:
            "All that a token of the kind \(facts.kind) requires is present; it was signed on \(createdText)."
        case .guidMismatch: "The token's device hash is that of the device verification id."
        default: nil
        }
    }

    /// The sentence for a check that failed; `nil` if the sentence about receipts fits.
    func tokenFailure(of check: Check) -> String? {
        switch check {
        case .malformedContainer:
            guard case .token(let fault) = facts.fault else { return nil }
            return "It is \(fault)."
        case .notSigned: return "It is not signed: the algorithm is none, or the signature is empty."
        case .noContent: return "The payload is empty."
        case .signatureInvalid where facts.isOfNewerForm:
            return "The algorithm is not ES256, but the certificates are Apple's: this may be a newer form, which this "
                + "version cannot verify."
        case .signatureInvalid:
            return "The signature does not hold over header and payload: one of them was altered, another key signed, "
                + "or the algorithm is not ES256."
        case .signerNotFound: return "The header's x5c does not begin with a certificate."
        case .signerNotAppStore where facts.signature?.chain.presented?.marking == .chainLength(1):
            return "There is no second certificate for the signer's issuer."
        case .malformedReceipt:
            if case .payload(let error) = facts.fault { return "The content is not a token: \(error)." }
            if let error = facts.token?.error { return "The token is malformed: \(error)." }
            return "It says that it was signed on \(createdText), more than a day after \(expectations.asOf)."
        case .guidMismatch:
            let hash = facts.token?.deviceVerification?.hash ?? []
            let expected = hash.isEmpty ? "no hash of 48 bytes" : Hex.string(hash.span)
            return "The token's device hash is \(expected), but that of "
                + "\(quoted(facts.claim.deviceVerificationID)) would be another."
        default: return nil
        }
    }

    /// The unreadable parts of the claimed device ids.
    var malformedDeviceID: String {
        let claim = facts.claim
        if !claim.deviceVerificationID.isEmpty, facts.verificationDevice == nil, !facts.claimedDevice.isMalformed {
            return "\(quoted(claim.deviceVerificationID)) is not a device verification id (a UUID with hyphens)."
        }
        return "\(quoted(claim.deviceID)) is neither a UUID nor a MAC address, nor several of them."
    }
}
