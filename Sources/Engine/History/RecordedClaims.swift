public import Encodings
public import Inputs
import Receipts
import Rules

/// Of whom claims of earlier runs are to be found: of any of these.
public struct RecordedClaims {
    /// The devices that presented them.
    public var devices: Set<Device> = []
    /// Texts in the place of a device that are no device identifiers.
    public var malformedDevices: Set<ExactText> = []
    public var accounts: Set<ExactText> = []
    /// The Apple Accounts that use an app, by `appTransactionId`.
    public var persons: Set<ExactText> = []
    /// Each `appAccountToken`, in whatever case.
    public var accountTokens: Set<ExactText> = []

    public init() {}

    /// Returns the numbers of all such claims, and of tokens of evidence. Every claim is read.
    public func numbers(in reader: any HistoryReader) throws -> [UInt64] {
        // Who gives none of these is nobody's claim.
        let bounded = { (ids: Set<ExactText>) in Set(ids.map(\.boundedID)).subtracting([""]) }
        let (malformed, accounts, persons) = (bounded(malformedDevices), bounded(accounts), bounded(persons))
        let tokens = Set(accountTokens.map(\.lowercasedASCII)).subtracting([""])
        var found: [UInt64] = []
        try reader.forEachClaim { id, record in
            // One that cannot be read must not be left as if it were another's.
            let claim = try ClaimRecord.observations(of: record)
            let presented = claim.presented
            let isMeant =
                presented.device.map(devices.contains) ?? false
                || malformed.contains(presented.malformedDevice.boundedID)
                || accounts.contains(presented.accountID.boundedID)
                || persons.contains(presented.appTransactionID.boundedID)
                || tokens.contains(presented.accountToken)
                || !tokens.isEmpty
                    && claim.purchases.contains { purchase in
                        purchase.details?.appAccountToken.map { tokens.contains($0.lowercasedASCII) } ?? false
                    }
            if isMeant { found.append(id) }
        }
        return found
    }
}
