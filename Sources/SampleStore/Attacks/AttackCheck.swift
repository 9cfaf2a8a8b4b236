/// The codes of the checks that a case fails, as reports name them.
///
/// A list of its own, so that what the suite expects does not depend on the code that is tested with it.
public enum AttackCheck: String, CaseIterable, Sendable {
    case receiptUnreadable = "receipt-unreadable"
    case receiptEmpty = "receipt-empty"
    case unknownFormat = "unknown-format"
    case malformedContainer = "malformed-container"
    case notSigned = "not-signed"
    case noContent = "no-content"
    case noncanonicalContainer = "noncanonical-container"
    case signatureInvalid = "signature-invalid"
    case signerNotFound = "signer-not-found"
    case chainUntrusted = "chain-untrusted"
    case chainExpired = "chain-expired"
    case signerNotAppStore = "signer-not-app-store"
    case malformedReceipt = "malformed-receipt"
    case malformedInAppPurchase = "malformed-in-app-purchase"
    case deviceIDMalformed = "device-id-malformed"
    case guidMismatch = "guid-mismatch"
    case bundleIDMismatch = "bundle-id-mismatch"
    case appVersionMismatch = "app-version-mismatch"
    case environmentMismatch = "environment-mismatch"
    case receiptExpired = "receipt-expired"

    /// Whether nothing can be checked behind it.
    var isUnreadable: Bool {
        switch self {
        case .receiptUnreadable, .receiptEmpty, .unknownFormat, .malformedContainer, .notSigned, .noContent: true
        default: false
        }
    }
}
