/// A fault that a sample claim can have: one for each check that a file or a row can fail by itself.
///
/// The raw value is the code of the check. `environment-mismatch` is not here: which
/// environments are wrong is for a policy to say.
public enum Forgery: String, CaseIterable, Sendable {
    case rowMalformed = "row-malformed"
    case receiptNotFound = "receipt-not-found"
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
    case receiptExpired = "receipt-expired"

    /// What was done, in words for whoever opens the folder.
    public var summary: String {
        switch self {
        case .rowMalformed: "the row lacks its last cell; there is no file"
        case .receiptNotFound: "the row names a file that is not there"
        case .receiptUnreadable: "one byte over 8 MiB: a receipt, and zeros behind it. At most one in an export"
        case .receiptEmpty: "a file of no bytes"
        case .unknownFormat: "an error page, or noise, where a receipt belongs"
        case .malformedContainer: "a receipt whose end is cut off"
        case .notSigned: "the content of a receipt in PKCS #7 of the kind data"
        case .noContent: "a signature without the content that it is over"
        case .noncanonicalContainer: "a genuine receipt, rewrapped in a way the App Store never writes"
        case .signatureInvalid: "a purchase was added after signing"
        case .signerNotFound: "the signer's certificate was taken out"
        case .chainUntrusted: "signed by a stranger's authority that has the same names and markers"
        case .chainExpired: "signed by a certificate that ended before the receipt was created"
        case .signerNotAppStore: "signed by a developer's certificate under the same root"
        case .malformedReceipt: "truly signed, but the content is not a whole receipt"
        case .malformedInAppPurchase: "truly signed, but one purchase is not whole"
        case .deviceIDMalformed: "the row's device_id is not one"
        case .guidMismatch: "a genuine receipt of another device"
        case .bundleIDMismatch: "a genuine receipt of another app"
        case .appVersionMismatch: "a genuine receipt of another version of the app"
        case .receiptExpired: "a genuine receipt of a volume purchase that has run out"
        }
    }
}
