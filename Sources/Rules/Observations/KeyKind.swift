/// Some kinds of keys, one bit each.
public struct KeyKinds: Sendable {
    private var bits: UInt8 = 0

    public init(_ kinds: some Sequence<KeyKind>) {
        for kind in kinds { bits |= Self.bit(kind) }
    }

    public static let all = KeyKinds(KeyKind.allCases)

    public func contains(_ kind: KeyKind) -> Bool { bits & Self.bit(kind) != 0 }

    private static func bit(_ kind: KeyKind) -> UInt8 { 1 << kind.rawValue }
}

/// What claims can have in common.
public enum KeyKind: UInt8, CaseIterable, Sendable {
    /// The SHA-256 of the receipt's content.
    case receipt
    /// A purchase's original transaction id.
    case originalTransaction
    /// A purchase's transaction id.
    case transaction
    case device
    case account

    /// The word in lines between map and reduce, and before a finding's subject.
    public var code: String {
        switch self {
        case .receipt: "receipt"
        case .originalTransaction: "original-transaction"
        case .transaction: "transaction"
        case .device: "device"
        case .account: "account"
        }
    }
}
