/// What a finding can be about: the word before the colon in the column `subject`.
public enum SubjectKind: String, CaseIterable, Sendable {
    case source
    case receipt
    case transaction
    case device
    case account

    /// As a subject of this kind is written: `device:…`.
    public var pattern: String { rawValue + ":…" }

    init(_ key: KeyKind) {
        switch key {
        case .receipt: self = .receipt
        case .originalTransaction, .transaction: self = .transaction
        case .device: self = .device
        case .account: self = .account
        }
    }
}

extension ClaimRule {
    public static var subjects: [SubjectKind] { [.source] }
}

extension GroupRule {
    public static var subjects: [SubjectKind] {
        let kinds = Set(keys.map { SubjectKind($0) })
        return SubjectKind.allCases.filter { kinds.contains($0) }
    }
}

extension FraudRing {
    /// The least of the ring's devices.
    public static var subjects: [SubjectKind] { [.device] }
}
