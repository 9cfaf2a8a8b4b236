public import Encodings
public import Inputs
import Receipts
import Rules

/// Selects claims of earlier runs by the ids of somebody: a claim with any of these ids.
public struct RecordedClaims {
    /// The devices that presented them.
    public var devices: Set<Device> = []
    /// The malformed texts that were given as device identifiers.
    public var malformedDevices: Set<ExactText> = []
    public var accounts: Set<ExactText> = []
    /// The Apple Accounts' uses of apps, by `appTransactionId`.
    public var persons: Set<ExactText> = []
    /// The `appAccountToken`s and `account_token`s, ignoring case.
    public var accountTokens: Set<ExactText> = []

    public init() {}

    /// Adds the ids of another selection.
    public mutating func formUnion(_ other: RecordedClaims) {
        devices.formUnion(other.devices)
        for texts in Self.texts { self[keyPath: texts].formUnion(other[keyPath: texts]) }
    }

    /// Whether two selections have no id in common.
    public func isDisjoint(with other: RecordedClaims) -> Bool {
        devices.isDisjoint(with: other.devices)
            && Self.texts.allSatisfy { self[keyPath: $0].isDisjoint(with: other[keyPath: $0]) }
    }

    private static var texts: [WritableKeyPath<RecordedClaims, Set<ExactText>>] {
        [\.malformedDevices, \.accounts, \.persons, \.accountTokens]
    }

    /// The ids as claims have them. An empty id selects nobody's claims.
    public var recorded: RecordedClaims {
        var recorded = RecordedClaims()
        recorded.devices = devices
        for texts in Self.texts {
            recorded[keyPath: texts] = Set(self[keyPath: texts].map(\.boundedID)).subtracting([""])
        }
        recorded.accountTokens = Set(accountTokens.map(\.lowercasedASCII)).subtracting([""])
        return recorded
    }

    /// Returns the numbers of all such claims, and of tokens of evidence, and the ids that they have. Reads every claim.
    public func found(in reader: any HistoryReader) throws -> (numbers: [UInt64], ids: RecordedClaims) {
        let meant = recorded
        var (numbers, ids) = ([UInt64](), RecordedClaims())
        try reader.forEachClaim { id, record in
            // An unreadable claim must not pass for somebody else's.
            let claim = try ClaimRecord.observations(of: record)
            let presented = claim.presented
            var shown = RecordedClaims()
            if let device = presented.device { shown.devices = [device] }
            shown.malformedDevices = [presented.malformedDevice.boundedID]
            shown.accounts = [presented.accountID.boundedID]
            shown.persons = [presented.appTransactionID.boundedID]
            shown.accountTokens = [presented.accountToken, presented.claimedAccountToken, presented.claimUUID]
            if !meant.accountTokens.isEmpty {
                shown.accountTokens.formUnion(
                    claim.purchases.compactMap { $0.details?.appAccountToken?.lowercasedASCII })
            }
            guard !shown.isDisjoint(with: meant) else { return }
            numbers.append(id)
            ids.formUnion(shown)
        }
        return (numbers, ids)
    }
}
