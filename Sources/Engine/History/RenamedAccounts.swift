public import Encodings
import Inputs
import Rules

/// New ids of accounts, by the old ones, for the claims of earlier runs.
public struct RenamedAccounts {
    private var ids: [ExactText: ExactText] = [:]
    private var old: [ExactText: ExactText] = [:]

    public init() {}

    /// Adds the two ids of an account, in the form in which accounts are compared.
    ///
    /// - Returns: false if either is already one of another account.
    public mutating func insert(_ old: ExactText, _ new: ExactText) -> Bool {
        let (old, new) = (old.boundedID, new.boundedID)
        guard ids[old] == nil, self.old[new] == nil else { return false }
        ids[old] = new
        self.old[new] = old
        return true
    }

    /// A claim whose account has a new id.
    public struct Renamed {
        public let old: ExactText
        public let record: [UInt8]
        /// The hashes of the keys of the account.
        public let keys: (old: UInt64, new: UInt64)
    }

    public enum Outcome {
        case unchanged
        case renamed(Renamed)
        /// It already has one of the new ids, which is nobody's old one.
        case taken
    }

    /// Returns what becomes of a claim.
    package func outcome(of record: Span<UInt8>) throws(RecordError) -> Outcome {
        let claim = try ClaimRecord.observations(of: record)
        let account = claim.presented.accountID.boundedID
        guard let new = ids[account] else { return old[account] == nil ? .unchanged : .taken }
        var presented = claim.presented
        presented.accountID = new
        var writer = RecordWriter()
        ClaimRecord.write(
            ClaimObservations(presented: presented, contentDigest: claim.contentDigest, purchases: claim.purchases),
            to: &writer)
        return .renamed(Renamed(old: account, record: writer.bytes, keys: (Self.key(of: account), Self.key(of: new))))
    }

    /// Returns the hash of the key of an account.
    public static func key(of account: ExactText) -> UInt64 {
        ObservationRecord.prefix(of: .account, account.boundedID.utf8.span)
    }
}

/// Looks up the ids that accounts had before they were renamed, for one thread: the ids of their claims are made of
/// these, so that a claim stays what it was.
final class FormerAccounts {
    private let reader: any HistoryReader
    private(set) var failure: (any Error)?

    /// Makes nothing if no account was renamed.
    init?(_ reader: (any HistoryReader)?) {
        guard let reader, reader.hasRenamedAccounts else { return nil }
        self.reader = reader
    }

    func id(of claim: borrowing Claim) -> ExactText? {
        guard failure == nil, !claim.accountID.isEmpty else { return nil }
        do { return try reader.formerID(ofAccount: claim.canonicalAccountID) } catch {
            failure = error
            return nil
        }
    }
}
