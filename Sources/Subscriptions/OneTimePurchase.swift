public import Encodings
import Receipts
import Rules

/// A purchase that is paid for once, as all genuine receipts together show it: consumable, not consumable, or a
/// subscription that does not renew.
public struct OneTimePurchase: Equatable, Sendable {
    /// The app of the newest receipt.
    public let bundleID: ExactText
    /// The earliest purchase date or original purchase date (attributes 1704, 1706): restoring it changes the former.
    public let purchasedAt: Instant
    /// Attribute 1712 in the newest receipt; `nil` also if it was taken back because sharing ended.
    public let refundedAt: Instant?
    /// Whether Apple took it back for a cause that is not known.
    public var isTakenBackUnknown = false
}

/// What receipts say about a one-time purchase, added in any order.
struct OneTimeEvidence: Codable, Sendable {
    private var word: Purchase
    private var spokenAt: Instant
    private var bundleID: ExactText
    private var earliestPurchase: Instant
    /// Whether any token shows that another member of the family bought it, or that sharing ended.
    private var wasShared: Bool

    init(_ purchase: Purchase, of bundleID: ExactText, createdAt: Instant) {
        word = purchase
        spokenAt = createdAt
        self.bundleID = bundleID
        earliestPurchase = min(purchase.purchaseDate, purchase.originalPurchaseDate ?? purchase.purchaseDate)
        wasShared = purchase.isSharingEnded || purchase.details?.isMember == true
    }

    /// Adds what other receipts say.
    mutating func add(_ other: OneTimeEvidence) {
        earliestPurchase = min(earliestPurchase, other.earliestPurchase)
        wasShared = wasShared || other.wasShared
        guard isWeaker(than: other) else { return }
        (word, spokenAt, bundleID) = (other.word, other.spokenAt, other.bundleID)
    }

    /// The newest receipt counts; of equally new ones the one with the smaller ids.
    private func isWeaker(than other: OneTimeEvidence) -> Bool {
        guard spokenAt == other.spokenAt else { return spokenAt < other.spokenAt }
        return bundleID == other.bundleID ? word.isWeaker(than: other.word) : other.bundleID < bundleID
    }

    var purchase: OneTimePurchase {
        let revocation = word.cancellationDate.map { _ in Revocation(of: word, wasShared: wasShared) }
        return OneTimePurchase(
            bundleID: bundleID, purchasedAt: earliestPurchase,
            refundedAt: revocation?.isRefund == true ? word.cancellationDate : nil,
            isTakenBackUnknown: revocation == .unknown)
    }
}
