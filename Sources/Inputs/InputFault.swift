/// Why there are no bytes to judge: a result of the audit, not a failure of the run.
public struct InputFault: Error, Equatable, Sendable {
    public enum Kind: Sendable {
        /// The manifest or table row cannot be read.
        case rowMalformed
        /// The named file is not there, or lies outside the folder.
        case receiptNotFound
        /// Reading failed, or the receipt is over ``ReceiptLimit/bytes``.
        case receiptUnreadable
    }

    public let kind: Kind
    /// What happened, in words for a person: `permission denied`.
    public let reason: String
    /// Whether the system had no descriptor or no memory left to read with. That says nothing of the receipt: it ends the
    /// run, and is never a verdict.
    public let isExhaustion: Bool

    public init(_ kind: Kind, _ reason: String, isExhaustion: Bool = false) {
        self.kind = kind
        self.reason = reason
        self.isExhaustion = isExhaustion
    }
}

/// The size that no receipt of Apple's comes near.
public enum ReceiptLimit {
    /// 8 MiB.
    public static let bytes = 8 << 20
}
