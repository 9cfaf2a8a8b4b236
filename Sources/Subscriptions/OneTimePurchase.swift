public import Encodings
import Receipts
import Rules

/// A purchase with a single payment, according to all genuine receipts: consumable, non-consumable, or a non-renewing
/// subscription.
public struct OneTimePurchase: Equatable, Sendable {
    /// The app of the newest receipt.
    public let bundleID: ExactText
    /// The earliest purchase date or original purchase date (attributes 1704, 1706): a restore changes the former.
    public let purchasedAt: Instant
    /// Attribute 1712 in the newest receipt; `nil` also if it was revoked because sharing ended.
    public let refundedAt: Instant?
    /// Whether Apple revoked it for an unknown reason.
    public var isTakenBackUnknown = false
    /// Whether a claim shows it, and not only evidence.
    var isClaimed = true
    /// The environment of the newest receipt.
    public var environment: ExactText = "Production"
}

/// The state over receipts with a one-time purchase, added in any order.
struct OneTimeEvidence: Sendable {
    private var newestPurchase: Purchase
    private var signedAt: Instant
    private var bundleID: ExactText
    private var environment: ExactText
    private var earliestPurchase: Instant
    /// Whether any token shows that another family member bought it, or that sharing ended.
    private var wasShared: Bool

    init(_ purchase: Purchase, of bundleID: ExactText, in environment: ExactText, createdAt: Instant) {
        newestPurchase = purchase
        signedAt = createdAt
        self.bundleID = bundleID
        self.environment = environment
        earliestPurchase = min(purchase.purchaseDate, purchase.originalPurchaseDate ?? purchase.purchaseDate)
        wasShared = purchase.isSharingEnded || purchase.details?.isMember == true
    }

    /// Adds the state over other receipts.
    mutating func add(_ other: OneTimeEvidence) {
        earliestPurchase = min(earliestPurchase, other.earliestPurchase)
        wasShared = wasShared || other.wasShared
        guard isWeaker(than: other) else { return }
        newestPurchase = other.newestPurchase
        signedAt = other.signedAt
        bundleID = other.bundleID
        environment = other.environment
    }

    /// The newest receipt wins; for equal dates the one with the smaller ids.
    private func isWeaker(than other: OneTimeEvidence) -> Bool {
        guard signedAt == other.signedAt else { return signedAt < other.signedAt }
        let (mine, theirs) = ((bundleID, environment), (other.bundleID, other.environment))
        return mine == theirs ? newestPurchase.isWeaker(than: other.newestPurchase) : theirs < mine
    }

    var purchase: OneTimePurchase {
        let revocation = newestPurchase.cancellationDate.map { _ in Revocation(of: newestPurchase, wasShared: wasShared)
        }
        return OneTimePurchase(
            bundleID: bundleID, purchasedAt: earliestPurchase,
            refundedAt: revocation?.isRefund == true ? newestPurchase.cancellationDate : nil,
            isTakenBackUnknown: revocation == .unknown, environment: environment)
    }
}
