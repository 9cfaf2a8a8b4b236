import Checks

/// A check that a proof fails, with its reason.
public struct ProofFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The check, by its code in reports.
    public enum Code: String, CaseIterable, Sendable {
        /// Reading it failed, or it is too large.
        case receiptUnreadable = "receipt-unreadable"
        /// There are no bytes.
        case receiptEmpty = "receipt-empty"
        /// The bytes are not in the format of a proof: neither DER nor base64 of a PKCS #7 container, nor a token, or one
        /// of these that is not trusted and that no reader of proofs could take for one.
        case unknownFormat = "unknown-format"
        /// PKCS #7, but its structure is broken or cut short.
        case malformedContainer = "malformed-container"
        /// PKCS #7 of a kind other than signedData.
        case notSigned = "not-signed"
        /// signedData without an embedded `data` content.
        case noContent = "no-content"
        /// A trusted authority signed it, but it is not a proof of purchase: an App Attest receipt, a provisioning profile.
        case notAProof = "not-a-proof"
        /// Readable, but not in the one strict form that Apple writes.
        case noncanonicalContainer = "noncanonical-container"
        /// The signature does not match the content.
        case signatureInvalid = "signature-invalid"
        /// No certificate in the container belongs to the signer.
        case signerNotFound = "signer-not-found"
        /// The signer's chain does not end at a trust anchor.
        case chainUntrusted = "chain-untrusted"
        /// A certificate of the chain is not valid at the receipt's creation date.
        case chainExpired = "chain-expired"
        /// The chain is not the App Store's receipt signing chain.
        case signerNotAppStore = "signer-not-app-store"
        /// The content is not a receipt, or lacks an attribute that every receipt has.
        case malformedReceipt = "malformed-receipt"
        /// A purchase inside it is malformed.
        case malformedInAppPurchase = "malformed-in-app-purchase"
        /// The claimed device id is not a device id.
        case deviceIDMalformed = "device-id-malformed"
        /// The receipt's device hash does not match the claimed device.
        case guidMismatch = "guid-mismatch"
        /// The bundle id is not the claimed one, or not one of the known apps.
        case bundleIDMismatch = "bundle-id-mismatch"
        /// The app version is not the claimed one.
        case appVersionMismatch = "app-version-mismatch"
        /// The environment is not allowed.
        case environmentMismatch = "environment-mismatch"
        /// The receipt's expiration date has passed.
        case receiptExpired = "receipt-expired"
    }

    public let code: Code
    /// One sentence for people. It may quote text of the proof: escape it where it is shown.
    public let reason: String

    public var description: String { "\(code.rawValue): \(reason)" }

    init(_ result: CheckResult) {
        code = Code(rawValue: result.check.code) ?? .unknownFormat
        reason = result.reason
    }
}
