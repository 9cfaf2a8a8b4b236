import Checks
import Encodings
public import FoundationEssentials
import Receipts

/// The result of an audit of one proof: its verdict, why it fails, and what is in it.
public struct AuditedProof: Sendable {
    /// The summary of all checks.
    public enum Verdict: String, Sendable {
        case valid, invalid
        /// There is nothing to check.
        case unreadable
    }

    /// What was sent.
    public enum Kind: String, Sendable {
        case receipt = "app-receipt"
        case transaction
        case renewalInfo = "renewal-info"
        case appTransaction = "app-transaction"
        case notification
        case realtimeRequest = "realtime-request"
    }

    /// Whether the proof belongs to the device.
    public enum DeviceHash: String, Sendable {
        case match, mismatch
        /// No device was named, or the proof has no hash: never a pass.
        case notChecked = "not-checked"
    }

    public let verdict: Verdict
    /// The failed checks, the most basic first, which is usually the cause.
    public let failures: [ProofFailure]
    /// The kind of proof; `nil` if it is none.
    public let kind: Kind?
    public let deviceHash: DeviceHash
    /// Whether Apple, or a root that you trust, signed it, even if other checks fail.
    public let isSigned: Bool

    // What the proof says, true only if `isSigned`; `nil` where it says nothing.

    public let bundleID: String?
    public let appVersion: String?
    /// The version that was bought or downloaded first.
    public let originalAppVersion: String?
    public let environment: String?
    /// When a receipt was created, or a token signed.
    public let createdAt: Date?
    /// When a receipt for volume purchases expires.
    public let expiresAt: Date?
    /// When the app was first bought or downloaded.
    public let originalPurchaseDate: Date?
    /// Identifies the Apple Account's purchase of the app (`appTransactionId`).
    public let appTransactionID: String?
    /// All purchases in it, also those of a proof that nobody signed. To grant access, take ``purchases``.
    public let unprovenPurchases: [ProofPurchase]
    /// Every attribute of a receipt, or member of a token, in its order: known and unknown ones.
    public let fields: [Field]

    /// One attribute or member, as text.
    public struct Field: Sendable, Equatable {
        /// The name in Apple's documents, or the number of an attribute that Apple does not document.
        public let name: String
        /// The value; of other bytes than text, numbers and dates their hexadecimal digits.
        public let value: String
    }

    /// The purchases of a complete proof that Apple signed; none of any other. Check the ``verdict``, too: it says
    /// whether the proof is of your app, and was made for the device.
    public let purchases: [ProofPurchase]

    /// Returns the subscriptions that are paid for at a date, as far as this proof shows: the latest period of each
    /// original transaction. Later renewals and refunds are not in it.
    public func activeSubscriptions(at date: Date) -> [ProofPurchase] {
        var latest: [String: ProofPurchase] = [:]
        for purchase in purchases where purchase.isPaid(at: date) {
            let key = purchase.originalTransactionID ?? purchase.transactionID
            if let other = latest[key]?.expiresAt, other >= purchase.expiresAt ?? .distantPast { continue }
            latest[key] = purchase
        }
        return latest.values.sorted {
            ($0.expiresAt ?? .distantPast, $0.transactionID) > ($1.expiresAt ?? .distantPast, $1.transactionID)
        }
    }

    init(_ inspection: Inspection) {
        let facts = inspection.facts
        verdict = Verdict(rawValue: facts.verdict.rawValue) ?? .unreadable
        failures = inspection.checks.filter { $0.outcome == .failed }.map { ProofFailure($0) }
        kind = Kind(rawValue: facts.kind)
        deviceHash = DeviceHash(rawValue: facts.deviceHash.rawValue) ?? .notChecked
        isSigned = facts.isSigned
        bundleID = facts.bundleID?.text
        appVersion = facts.appVersion?.text
        originalAppVersion = facts.originalAppVersion?.text
        environment = facts.environment?.text
        createdAt = facts.createdAt?.date
        expiresAt = facts.expiresAt?.date
        originalPurchaseDate = facts.originalPurchaseDate?.date
        appTransactionID = facts.token?.appTransactionID?.text
        purchases = facts.provenPurchases?.map { ProofPurchase($0) } ?? []
        unprovenPurchases = facts.purchases?.map { ProofPurchase($0) } ?? []
        fields =
            inspection.attributes?.attributes.map { Field($0) } ?? inspection.payload?.members.map { Field($0) } ?? []
    }
}

extension AuditedProof.Field {
    init(_ attribute: ListedAttribute) {
        name = attribute.name ?? "\(attribute.type)"
        value =
            switch attribute.reading {
            case .text(let text), .date(_, let text): text.text
            case .number(let number): "\(number)"
            case .empty: ""
            case .purchase, .octets: Hex.string(attribute.octets.span)
            }
    }

    init(_ member: PayloadListing.Member) {
        name = member.name.text
        value =
            switch member.value {
            case .null, .empty: ""
            case .bool(let isTrue): "\(isTrue)"
            case .number(let text), .text(let text), .token(let text), .date(_, let text): text.text
            }
    }
}
