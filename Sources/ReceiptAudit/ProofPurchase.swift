import Encodings
public import FoundationEssentials
import Receipts

/// One purchase in a proof: what was bought, when, until when, and whether Apple revoked it.
public struct ProofPurchase: Sendable, Equatable {
    public enum Kind: String, Sendable {
        case nonConsumable, consumable, nonRenewing, autoRenewable, freeSubscription
    }

    /// Why Apple revoked it.
    public enum Revocation: String, Sendable {
        case refund
        /// A refund whose reason says nothing about the buyer.
        case excusedRefund
        /// Some items were refunded; the rest is still valid.
        case partialRefund
        /// Another product of the subscription replaced it.
        case upgrade
        /// Another chain of transactions replaced it.
        case move
        /// Family Sharing or an assignment ended.
        case accessEnd
        case unknown
    }

    public let productID: String
    public let transactionID: String
    /// The first transaction of a subscription or of a restored purchase.
    public let originalTransactionID: String?
    /// The type of product; `nil` if the proof does not say it.
    public let kind: Kind?
    public let quantity: Int?
    public let purchasedAt: Date
    public let originalPurchaseDate: Date?
    /// The end of a subscription's period; `nil` for what does not end.
    public let expiresAt: Date?
    public let revokedAt: Date?
    public let revocation: Revocation?
    public let isTrial: Bool
    public let isInIntroOffer: Bool
    /// Whether somebody else bought it: a family member, or who assigned a seat.
    public let isShared: Bool
    /// The UUID that the app gave to StoreKit for an account of its own; in tokens only.
    public let appAccountToken: String?
    /// The price in thousandths of the currency's unit; in tokens only.
    public let price: Int64?
    /// A code of ISO 4217.
    public let currency: String?
    /// A code of ISO 3166-1, of three letters; in tokens only.
    public let storefront: String?

    init(_ purchase: Purchase) {
        productID = purchase.productID.text
        transactionID = purchase.transactionID.text
        originalTransactionID = purchase.originalTransactionID?.text
        kind = purchase.kind.map { kind in
            switch kind {
            case .nonConsumable: .nonConsumable
            case .consumable: .consumable
            case .nonRenewing: .nonRenewing
            case .autoRenewable: .autoRenewable
            case .freeSubscription: .freeSubscription
            }
        }
        quantity = purchase.quantity
        purchasedAt = purchase.purchaseDate.date
        originalPurchaseDate = purchase.originalPurchaseDate?.date
        expiresAt = purchase.expiresDate?.date
        revokedAt = purchase.cancellationDate?.date
        revocation = purchase.revocation().flatMap { Revocation(rawValue: $0.rawValue) }
        isTrial = purchase.isTrialPeriod
        isInIntroOffer = purchase.isInIntroOfferPeriod
        isShared = purchase.details?.isMember ?? false
        appAccountToken = purchase.details?.appAccountToken?.text
        price = purchase.details?.price.flatMap { $0 < 0 ? nil : $0 }
        currency = purchase.details?.currency?.text
        storefront = purchase.details?.storefront?.text
    }

    /// Whether it is a period of a subscription that runs at a date and was not revoked by then. A partial refund
    /// keeps it.
    func isPaid(at date: Date) -> Bool {
        guard let expiresAt, purchasedAt <= date, date < expiresAt else { return false }
        guard let revokedAt, revokedAt <= date else { return true }
        return revocation == .partialRefund
    }
}
