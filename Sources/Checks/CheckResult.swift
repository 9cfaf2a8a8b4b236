/// One check of one claim: how it came out, and why, in one sentence for a person.
public struct CheckResult: Equatable, Sendable {
    public enum Outcome: String, CaseIterable, Sendable {
        case passed
        case failed
        /// What it looks at was not there. Never to be taken for a pass.
        case notChecked = "not-checked"
    }

    public let check: Check
    public let outcome: Outcome
    /// May quote a stranger's text: escape it before it reaches a terminal.
    public let reason: String
}

extension Check {
    /// What the check is about, in words that fit whether it passes or fails.
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
