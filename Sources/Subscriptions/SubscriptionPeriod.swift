import Encodings
import Receipts
import Rules

/// One period of a subscription, according to all receipts.
///
/// The newest receipt wins, with one exception: the purchase date is the earliest, because a restored purchase may have
/// a later one.
struct SubscriptionPeriod: Equatable, Sendable {
    let id: PeriodID
    let productID: ExactText
    let transactionID: ExactText
    /// The earliest date in attribute 1704.
    var purchasedAt: Instant
    /// Attribute 1708: the stated end, even if the period was cancelled.
    var expiresAt: Instant
    /// Attribute 1712 in the newest receipt: when Apple revoked all of it, or some.
    var cancelledAt: Instant?
    /// Whether any proof shows that Apple revoked it because sharing ended.
    var wasSharingEnded = false
    /// Why Apple revoked it; `nil` if it is whole, or if that is not decided yet.
    var revocation: Revocation?
    let isTrial: Bool
    let isIntroOffer: Bool
    /// Whether it was sold at a promotional offer, attribute 1721; for a token any offer that is not introductory.
    let isPromotionalOffer: Bool
    /// The offer's id, for any kind of offer.
    var offerID: ExactText?
    /// The further fields of the newest transaction token.
    var details: TransactionDetails?
    /// That token's `quantity`.
    var quantity: Int?
    /// Attribute 1720 in the newest receipt.
    var cancellationReason: Int?
    /// Whether that token names a chain of transactions that the period's chain replaced.
    var isSuccessor = false
    /// When the period was bought that replaced this one before it began; `nil` if none did.
    var replacedAt: Instant?
    /// When another chain of transactions replaced this period's, which ended with it; `nil` if none did.
    var movedAt: Instant?
    /// The transactions that make up the period, in order of purchase; empty if there is only one.
    var parts: [SubscriptionPeriod] = []

    /// Whether an upgrade ended it.
    var isUpgraded: Bool { revocation == .upgrade }

    /// Whether Apple revoked it without a successor.
    var isTakenBack: Bool { revocation?.endsAccess == true }

    /// When it was refunded; `nil` if it was not cancelled, or cancelled for another reason.
    var refundedAt: Instant? { revocation?.isRefund == true ? cancelledAt : nil }

    /// When a cancellation ended it; `nil` also if only a part of the price was refunded.
    var cutAt: Instant? { revocation == .partialRefund ? nil : cancelledAt }

    /// When access ended: at the stated end, or at an earlier cancellation or move.
    var end: Instant { min(expiresAt, cutAt ?? expiresAt, movedAt ?? expiresAt) }

    /// Whether it counts as paid: it is not a trial, and not known to be free by an offer. Receipts do not show the
    /// price paid.
    var isPaid: Bool {
        guard let details, details.offerType != nil, details.price == 0 else { return !isTrial }
        return !isTrial && details.seats?.tiers.isEmpty == false
    }

    /// Whether it was sold at an offer, with a price other than the catalogue's.
    var isOffer: Bool { isIntroOffer || isPromotionalOffer }

    /// Whether a token shows that somebody else bought it.
    var isMember: Bool { details?.isMember == true }

    /// The order of purchase: the last one is the latest period. For equal purchase dates the later end decides, and
    /// then the smaller transaction id. A renewal that an upgrade cancelled comes before the period that replaced it.
    static func precedes(_ a: Self, _ b: Self) -> Bool {
        let (date, otherDate) = (a.replacedAt ?? a.purchasedAt, b.replacedAt ?? b.purchasedAt)
        guard date == otherDate, (a.replacedAt == nil) == (b.replacedAt == nil) else {
            return date == otherDate ? a.replacedAt != nil : date < otherDate
        }
        return (a.end, b.transactionID, b.id) < (b.end, a.transactionID, a.id)
    }
}

extension SubscriptionPeriod {
    /// The purchase, as far as the reason for its revocation depends on it.
    fileprivate var purchase: Purchase {
        var purchase = Purchase(productID: productID, transactionID: transactionID, purchaseDate: purchasedAt)
        // All periods have the same one.
        purchase.originalTransactionID = ""
        purchase.expiresDate = expiresAt
        purchase.details = details
        purchase.cancellationDate = cancelledAt
        purchase.cancellationReason = cancellationReason
        return purchase
    }

    /// Why Apple revoked it. A token can state an upgrade without a date.
    fileprivate func revocation(_ others: UpgradeIndex) -> Revocation? {
        guard isRevoked else { return nil }
        let revocation = Revocation(
            of: purchase, wasShared: wasSharingEnded, isReplaced: others.isReplaced(purchase))
        return cancelledAt == nil && revocation != .upgrade ? nil : revocation
    }

    fileprivate var isRevoked: Bool { cancelledAt != nil || details?.isUpgraded == true }
}

extension [SubscriptionPeriod] {
    /// Decides why Apple revoked periods, for all periods of one original transaction.
    mutating func decideRevocations() {
        guard contains(where: \.isRevoked) else { return }
        let others = UpgradeIndex(map(\.purchase))
        for index in indices { self[index].revocation = self[index].revocation(others) }
        placeRenewals()
    }

    /// Places renewals that an upgrade cancelled before the period that replaced them. Apple charges a renewal up to a
    /// day ahead, so it may begin after that period.
    private mutating func placeRenewals() {
        var running: Element?
        for index in indices.sorted(by: { Element.precedes(self[$0], self[$1]) }) {
            let period = self[index]
            guard period.isUpgraded else {
                running = period
                continue
            }
            guard let running, running.productID != period.productID, period.purchasedAt < running.end,
                period.purchasedAt <= running.purchasedAt.adding(seconds: Revocation.renewalSeconds)
            else { continue }
            self[index].replacedAt = running.purchasedAt
        }
    }
}

/// The identity of a subscription's period across restores: ``Purchase/identity`` in a form that is fast to compare.
///
/// Transactions come before line items. Apple does not document whether the transactions of one period, and those of
/// its members, share a line item, so these are identified by transaction.
enum PeriodID: Hashable, Comparable, Sendable {
    /// Attribute 1703, for a period with attribute 1711 absent or 0.
    case transaction(ExactText)
    /// A transaction that makes up one period together with others ("additionalTransactionReason").
    case part(ExactText)
    /// The transaction of a family member or a seat holder.
    case member(ExactText)
    /// The web order line item, attribute 1711.
    case lineItem(Int)

    init(_ purchase: Purchase) {
        let details = purchase.details
        if details?.isMember == true {
            self = .member(purchase.transactionID)
        } else if details?.additionalReason != nil {
            self = .part(purchase.transactionID)
        } else {
            self = purchase.webOrderLineItemID.map(Self.lineItem) ?? .transaction(purchase.transactionID)
        }
    }
}

extension PeriodID {
    /// Whether other tokens may show the same transaction under another id.
    var isOfManyTokens: Bool {
        switch self {
        case .part, .member: true
        case .transaction, .lineItem: false
        }
    }
}

extension PeriodID: StablyHashable {
    var stableHash: UInt64 {
        switch self {
        case .transaction(let id), .part(let id), .member(let id): id.stableHash
        case .lineItem(let number): stableMix(UInt64(bitPattern: Int64(number)))
        }
    }
}

/// An anomaly in the periods of a subscription: something that differs from what the store sells.
enum Oddity: String, CaseIterable, Sendable, Codable {
    case noOriginalID = "no-original-id"
    case noKind = "no-kind"
    case noLineItem = "no-line-item"
    case overlap
    case endsBeforeItBegins = "ends-before-it-begins"
    case productsDiffer = "products-differ"
    case expiriesDiffer = "expiries-differ"
    case refundWithdrawn = "refund-withdrawn"
    case appsDiffer = "apps-differ"
    case environmentsDiffer = "environments-differ"
    case tooManyPeriods = "too-many-periods"

    /// The definition of its count, for a report.
    var meaning: String {
        switch self {
        case .noOriginalID: "periods without an original transaction id in any receipt (attribute 1705)"
        case .noKind: "periods without a kind in any receipt (attribute 1707), taken as auto-renewable"
        case .noLineItem: "periods without a web order line item (attribute 1711), told apart by transaction id"
        case .overlap: "periods bought before an earlier one had ended"
        case .endsBeforeItBegins: "periods that end before they were bought"
        case .productsDiffer: "periods whose product differs between receipts: the newest counts"
        case .expiriesDiffer: "periods whose end differs between receipts: the newest counts"
        case .refundWithdrawn: "cancellations that the newest receipt does not show; they do not count"
        case .appsDiffer: "subscriptions in receipts of several apps: the newest counts"
        case .environmentsDiffer: "subscriptions in receipts of several environments: the newest counts"
        case .tooManyPeriods:
            "periods that were left out, being earlier than the \(Subscription.maxPeriods) latest of a subscription"
        }
    }
}
