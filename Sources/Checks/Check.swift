/// One test of one claim by itself. Its code in reports never changes.
///
/// The order of the cases is the order in which failures are reported.
public enum Check: UInt8, CaseIterable, Sendable {
    /// The manifest or table row cannot be read.
    case rowMalformed
    /// The named file is not there.
    case receiptNotFound
    /// Reading it fails, or it is too large.
    case receiptUnreadable
    /// No bytes.
    case receiptEmpty
    /// No format that a proof has: neither DER nor base64 of a PKCS #7 container.
    case unknownFormat
    /// PKCS #7, but its structure is broken or cut short.
    case malformedContainer
    /// PKCS #7 of another kind than signedData.
    case notSigned
    /// signedData without an embedded `data` content.
    case noContent
    /// Readable, but not in the one strict form that Apple writes.
    case noncanonicalContainer
    /// The signature does not hold over the content.
    case signatureInvalid
    /// No certificate in the container is the signer's.
    case signerNotFound
    /// The signer's chain does not end at a trust anchor.
    case chainUntrusted
    /// A certificate of the chain is not valid at the receipt's creation date.
    case chainExpired
    /// The chain is not that of Apple's receipt signing.
    case signerNotAppStore
    /// The content is not a receipt, or lacks what every receipt has.
    case malformedReceipt
    /// A purchase inside it is malformed.
    case malformedInAppPurchase
    /// The claimed device id is not one.
    case deviceIDMalformed
    /// The receipt's device hash is not that of the claimed device.
    case guidMismatch
    /// Not the bundle id that was claimed, or not one of the known apps.
    case bundleIDMismatch
    /// Not the app version that was claimed.
    case appVersionMismatch
    /// Not an environment that is allowed.
    case environmentMismatch
    /// The receipt's expiration date has passed.
    case receiptExpired

    /// The verdict on a claim that fails this check.
    public var verdictIfFailed: Verdict { self <= .noContent ? .unreadable : .invalid }
}

extension Check {
    /// The code in reports.
    public var code: String {
        switch self {
        case .rowMalformed: "row-malformed"
        case .receiptNotFound: "receipt-not-found"
        case .receiptUnreadable: "receipt-unreadable"
        case .receiptEmpty: "receipt-empty"
        case .unknownFormat: "unknown-format"
        case .malformedContainer: "malformed-container"
        case .notSigned: "not-signed"
        case .noContent: "no-content"
        case .noncanonicalContainer: "noncanonical-container"
        case .signatureInvalid: "signature-invalid"
        case .signerNotFound: "signer-not-found"
        case .chainUntrusted: "chain-untrusted"
        case .chainExpired: "chain-expired"
        case .signerNotAppStore: "signer-not-app-store"
        case .malformedReceipt: "malformed-receipt"
        case .malformedInAppPurchase: "malformed-in-app-purchase"
        case .deviceIDMalformed: "device-id-malformed"
        case .guidMismatch: "guid-mismatch"
        case .bundleIDMismatch: "bundle-id-mismatch"
        case .appVersionMismatch: "app-version-mismatch"
        case .environmentMismatch: "environment-mismatch"
        case .receiptExpired: "receipt-expired"
        }
    }
}

extension Check: Comparable {
    public static func < (a: Check, b: Check) -> Bool { a.rawValue < b.rawValue }
}

/// What the checks of a claim say together.
public enum Verdict: String, CaseIterable, Sendable {
    case valid
    case invalid
    /// There is nothing that could be judged.
    case unreadable
}
