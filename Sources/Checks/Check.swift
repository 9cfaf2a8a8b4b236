/// Names one test of one claim by itself. Failures are reported in the order of the cases; codes never change.
public enum Check: UInt8, CaseIterable, Sendable {
    /// The manifest or table row cannot be read.
    case rowMalformed
    /// The named file does not exist.
    case receiptNotFound
    /// Reading it failed, or it is too large.
    case receiptUnreadable
    /// There are no bytes.
    case receiptEmpty
    /// The bytes are not in the format of a proof: neither DER nor base64 of a PKCS #7 container, nor a token, or one
    /// of these that is not trusted and that no reader of proofs could take for one.
    case unknownFormat
    /// PKCS #7, but its structure is broken or cut short.
    case malformedContainer
    /// PKCS #7 of a kind other than signedData.
    case notSigned
    /// signedData without an embedded `data` content.
    case noContent
    /// A trusted authority signed it, but it is not a proof of purchase: an App Attest receipt, a provisioning profile.
    case notAProof
    /// Readable, but not in the one strict form that Apple writes.
    case noncanonicalContainer
    /// The signature does not match the content.
    case signatureInvalid
    /// No certificate in the container belongs to the signer.
    case signerNotFound
    /// The signer's chain does not end at a trust anchor.
    case chainUntrusted
    /// A certificate of the chain is not valid at the receipt's creation date.
    case chainExpired
    /// The chain is not the App Store's receipt signing chain.
    case signerNotAppStore
    /// The content is not a receipt, or lacks an attribute that every receipt has.
    case malformedReceipt
    /// A purchase inside it is malformed.
    case malformedInAppPurchase
    /// The claimed device id is not a device id.
    case deviceIDMalformed
    /// The receipt's device hash does not match the claimed device.
    case guidMismatch
    /// The bundle id is not the claimed one, or not one of the known apps.
    case bundleIDMismatch
    /// The app version is not the claimed one.
    case appVersionMismatch
    /// The environment is not allowed.
    case environmentMismatch
    /// The receipt's expiration date has passed.
    case receiptExpired

    /// The verdict on a claim that fails this check.
    public var verdictIfFailed: Verdict { self <= .notAProof ? .unreadable : .invalid }

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
        case .notAProof: "not-a-proof"
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

    /// What the check is about, in words that fit both a pass and a failure.
    public var subject: String {
        switch self {
        case .rowMalformed: "table row"
        case .receiptNotFound: "receipt file"
        case .receiptUnreadable: "reading it"
        case .receiptEmpty: "bytes in it"
        case .unknownFormat: "format"
        case .malformedContainer: "structure"
        case .notSigned: "signed data"
        case .noContent: "content"
        case .notAProof: "kind of object"
        case .noncanonicalContainer: "strict form"
        case .signatureInvalid: "signature"
        case .signerNotFound: "signer"
        case .chainUntrusted: "trust"
        case .chainExpired: "chain's dates"
        case .signerNotAppStore: "App Store signer"
        case .malformedReceipt: "receipt"
        case .malformedInAppPurchase: "purchases"
        case .deviceIDMalformed: "device id"
        case .guidMismatch: "device hash"
        case .bundleIDMismatch: "bundle id"
        case .appVersionMismatch: "app version"
        case .environmentMismatch: "environment"
        case .receiptExpired: "expiration"
        }
    }
}

extension Check: Comparable {
    public static func < (a: Check, b: Check) -> Bool { a.rawValue < b.rawValue }
}

/// The summary of a claim's checks.
public enum Verdict: String, CaseIterable, Sendable {
    case valid
    case invalid
    /// There is nothing to check.
    case unreadable
}

/// Holds a set of checks, with one bit each.
public struct CheckSet: Hashable, Sendable {
    private var bits: UInt32 = 0

    public init() {}

    public var isEmpty: Bool { bits == 0 }

    public func contains(_ check: Check) -> Bool { bits & Self.bit(check) != 0 }

    /// Whether it contains a check that is reported no later than another.
    public func containsAny(upTo last: Check) -> Bool { bits & (Self.bit(last) << 1 &- 1) != 0 }

    public mutating func insert(_ check: Check) { bits |= Self.bit(check) }

    /// The checks in the order in which they are reported.
    public var sorted: [Check] { isEmpty ? [] : Check.allCases.filter(contains) }

    /// The verdict on a claim that fails these checks.
    public var verdict: Verdict {
        if bits & Self.unreadable != 0 { return .unreadable }
        return isEmpty ? .valid : .invalid
    }

    private static func bit(_ check: Check) -> UInt32 { 1 << UInt32(check.rawValue) }

    private static let unreadable = Check.allCases.filter { $0.verdictIfFailed == .unreadable }
        .reduce(UInt32(0)) { $0 | bit($1) }
}

extension CheckSet: ExpressibleByArrayLiteral {
    public init(arrayLiteral checks: Check...) {
        for check in checks { insert(check) }
    }
}

extension CheckSet: CustomStringConvertible {
    /// The codes, joined by `;` as in reports.
    public var description: String { sorted.map(\.code).joined(separator: ";") }
}

/// The outcome of one check of one claim, with the reason in one sentence for a person.
public struct CheckResult: Equatable, Sendable {
    /// The outcome of a check.
    public enum Outcome: String, CaseIterable, Sendable {
        case passed
        case failed
        /// The input of the check was missing, which is never a pass.
        case notChecked = "not-checked"
    }

    public let check: Check
    public let outcome: Outcome
    /// The sentence, which may quote untrusted text: escape it before it reaches a terminal.
    public let reason: String
}
