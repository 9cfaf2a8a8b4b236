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
    /// The `appAccountToken`s, ignoring case.
    public var accountTokens: Set<ExactText> = []

    public init() {}

    /// Returns the numbers of all such claims, and of tokens of evidence. Reads every claim.
    public func numbers(in reader: any HistoryReader) throws -> [UInt64] {
        // An empty id selects nobody's claims.
        let bounded = { (ids: Set<ExactText>) in Set(ids.map(\.boundedID)).subtracting([""]) }
        let (malformed, accounts, persons) = (bounded(malformedDevices), bounded(accounts), bounded(persons))
        let tokens = Set(accountTokens.map(\.lowercasedASCII)).subtracting([""])
        var found: [UInt64] = []
        try reader.forEachClaim { id, record in
            // An unreadable claim must not pass for somebody else's.
            let claim = try ClaimRecord.observations(of: record)
            let presented = claim.presented
            let isMeant =
                presented.device.map(devices.contains) ?? false
                || malformed.contains(presented.malformedDevice.boundedID)
                || accounts.contains(presented.accountID.boundedID)
                || persons.contains(presented.appTransactionID.boundedID)
                || tokens.contains(presented.accountToken) || tokens.contains(presented.claimedAccountToken)
                || !tokens.isEmpty
                    && claim.purchases.contains { purchase in
                        purchase.details?.appAccountToken.map { tokens.contains($0.lowercasedASCII) } ?? false
                    }
            if isMeant { found.append(id) }
        }
        return found
    }
}
