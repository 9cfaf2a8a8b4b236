package import Encodings
import Inputs

/// What claims can have in common: the kinds of keys for grouping.
public enum KeyKind: UInt8, CaseIterable, Sendable {
    /// The SHA-256 of the receipt's content.
    case receipt
    /// A purchase's original transaction id.
    case originalTransaction
    /// A purchase's transaction id.
    case transaction
    case device
    case account
    /// The bundle id of an app, NUL, and the date of its original purchase (attribute 18) in seconds since 1970, as a
    /// decimal number.
    case app
    /// A token's original transaction id, NUL, its transaction id (for a renewal info the original one again), NUL, and
    /// its `deviceVerificationNonce` in lower case.
    case nonce
    /// The environment whose App Store numbered the transactions, NUL, and a token's `appTransactionId`, which is
    /// unique for an Apple Account and app, also within a family.
    case person
    /// The UUID of a company's account, in lower case: `appAccountToken`, or a claim's `account_token`.
    case accountToken

    /// The word in lines between map and reduce.
    public var code: String {
        switch self {
        case .receipt: "receipt"
        case .originalTransaction: "original-transaction"
        case .transaction: "transaction"
        case .device: "device"
        case .account: "account"
        case .app: "app"
        case .nonce: "nonce"
        case .person: "person"
        case .accountToken: "account-token"
        }
    }

    /// Whether several people can have claims with one key, so that marks depend on who presents a claim.
    var isShared: Bool {
        switch self {
        case .receipt, .originalTransaction, .transaction, .app, .nonce, .person: true
        case .device, .account, .accountToken: false
        }
    }
}

/// A set of kinds of keys, one bit each.
public struct KeyKinds: Sendable {
    private var bits: UInt16 = 0

    public init(_ kinds: some Sequence<KeyKind>) {
        for kind in kinds { bits |= Self.bit(kind) }
    }

    public static let all = KeyKinds(KeyKind.allCases)

    public func contains(_ kind: KeyKind) -> Bool { bits & Self.bit(kind) != 0 }

    private static func bit(_ kind: KeyKind) -> UInt16 { 1 << UInt16(kind.rawValue) }
}

/// What the claims of one group have in common.
public struct GroupKey: Hashable, Sendable {
    public let kind: KeyKind
    /// The content's digest, the device's bytes, the id's text, or the key that ``ClaimObservations`` composes for the
    /// kind.
    public let octets: [UInt8]

    public init(_ kind: KeyKind, octets: [UInt8]) {
        self.kind = kind
        self.octets = octets
    }

    /// The subject of findings about the group: `device:…`.
    var subject: ExactText {
        let name =
            switch kind {
            case .receipt: Hex.string(octets.span)
            // A key that was made from a claim is a valid device.
            case .device: Device(octets: octets.span)?.description ?? Hex.string(octets.span)
            case .originalTransaction, .transaction, .account, .accountToken: String(decoding: octets, as: UTF8.self)
            case .app: AppKey.name(octets)
            // A transaction id contains no NUL.
            case .nonce: String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self)
            case .person: String(decoding: octets.drop { $0 != 0 }.dropFirst(), as: UTF8.self)
            }
        return "\(SubjectKind(kind).rawValue):\(name)"
    }
}

extension GroupKey {
    /// Returns the keys whose groups can have a finding about this subject: every claim of such a finding has at least
    /// one of them. Returns none for a single claim, which is not a group, and for text that is not a subject.
    package static func all(of subject: ExactText) -> [GroupKey] {
        guard let (kind, id) = SubjectKind.split(subject) else { return [] }
        let octets = Array(id.utf8)
        switch kind {
        case .claim: return []
        case .receipt: return Hex.octets(id).map { [GroupKey(.receipt, octets: $0)] } ?? []
        // A claim with a nonce also has its transaction's id as a key.
        case .transaction:
            return [GroupKey(.originalTransaction, octets: octets), GroupKey(.transaction, octets: octets)]
        case .device:
            let devices = DeviceIdentifiers(id)
            guard !devices.isMalformed, let octets = devices.identifiers.first else { return [] }
            return [GroupKey(.device, octets: octets)]
        case .account: return [GroupKey(.account, octets: octets)]
        case .app: return AppKey.octets(named: id).map { [GroupKey(.app, octets: $0)] } ?? []
        case .person: return PersonKeys.all(id).map { GroupKey(.person, octets: $0) }
        }
    }
}
