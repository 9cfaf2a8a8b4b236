import Encodings
import Receipts
import Rules

/// One period of a subscription, as all receipts together show it.
///
/// The newest receipt decides, with one exception: the purchase date is the earliest, because a restored purchase may
/// have a later one.
struct SubscriptionPeriod: Equatable, Sendable {
    let id: PeriodID
    let productID: ExactText
    let transactionID: ExactText
    /// The earliest date in attribute 1704.
    var purchasedAt: Instant
    /// Attribute 1708: the stated end, also of a period that was cancelled.
    var expiresAt: Instant
    /// Attribute 1712 in the newest receipt: when Apple took back all of it, or some.
    var cancelledAt: Instant?
    /// Whether any proof shows that Apple took it back because sharing ended.
    var wasSharingEnded = false
    /// Why Apple took it back; `nil` if it is whole, or if that was not decided yet.
    var revocation: Revocation?
    let isTrial: Bool
    let isIntroOffer: Bool
    /// Whether it was sold at a promotional offer, attribute 1721; of a token any offer that is not introductory.
    let isPromotionalOffer: Bool
    /// The offer's id, of whatever kind.
    var offerID: ExactText?
    /// What the newest transaction token shows besides.
    var details: TransactionDetails?
    /// That token's `quantity`.
    var quantity: Int?
    /// Attribute 1720 in the newest receipt.
    var cancellationReason: Int?
    /// Whether that token names a chain of transactions whose place the period's took.
    var isSuccessor = false
    /// When another chain of transactions took the place of this period's, which ended with it; `nil` if none did.
    var movedAt: Instant?
    /// The transactions that make the period together, in order of purchase; empty if it is but one.
    var parts: [SubscriptionPeriod] = []

    /// Whether an upgrade ended it.
    var isUpgraded: Bool { revocation == .upgrade }

    /// Whether Apple took it back: it was cancelled, and nothing took its place.
    var isTakenBack: Bool { revocation?.endsAccess == true }

    /// When it was refunded; `nil` if it was not cancelled, or for another reason.
    var refundedAt: Instant? { revocation?.isRefund == true ? cancelledAt : nil }

    /// When a cancellation ended it; `nil` also if only a part of the price was refunded.
    var cutAt: Instant? { revocation == .partialRefund ? nil : cancelledAt }

    /// When access ended: the stated end, or what cut it before.
    var end: Instant { min(expiresAt, cutAt ?? expiresAt, movedAt ?? expiresAt) }

    /// Whether it is neither a trial nor free by an offer that is not known to be one. Receipts do not show what was paid.
    var isPaid: Bool {
        guard let details, details.offerType != nil, details.price == 0 else { return !isTrial }
        return !isTrial && details.seats?.tiers.isEmpty == false
    }

    /// Whether it was sold at an offer, whose price is not the catalogue's.
    var isOffer: Bool { isIntroOffer || isPromotionalOffer }

    /// Whether a token shows that somebody else bought it.
    var isMember: Bool { details?.isMember == true }

    /// In order of purchase: the last one is the latest period. Of periods bought at one instant the one with the later
    /// end is the later, and of those the one with the smaller transaction id.
    static func precedes(_ a: Self, _ b: Self) -> Bool {
        (a.purchasedAt, a.end, b.transactionID, b.id) < (b.purchasedAt, b.end, a.transactionID, a.id)
    }
}

extension SubscriptionPeriod {
    fileprivate mutating func decideRevocation(_ others: UpgradeIndex) {
        revocation = cancelledAt.map { date in
            var purchase = Purchase(productID: productID, transactionID: transactionID, purchaseDate: purchasedAt)
            (purchase.cancellationDate, purchase.cancellationReason) = (date, cancellationReason)
            purchase.details = details
            return Revocation(
                of: purchase, wasShared: wasSharingEnded,
                isReplaced: others.hasOther(
                    than: productID, of: "", within: Revocation.upgradeWindow, after: date))
        }
    }
}

extension [SubscriptionPeriod] {
    /// Decides why Apple took periods back, of all periods of one original transaction.
    mutating func decideRevocations() {
        guard contains(where: { $0.cancelledAt != nil }) else { return }
        let others = UpgradeIndex(map { UpgradeIndex.Entry($0.productID, of: "", boughtAt: $0.purchasedAt) })
        for index in indices { self[index].decideRevocation(others) }
    }
}

/// Identifies a period of a subscription, however often it was restored: ``Purchase/identity`` in a form that is fast
/// to compare.
///
/// Transactions come before line items. Apple does not document whether the transactions of one period, and those of
/// its members, share a line item, so that these are told apart by transaction.
enum PeriodID: Hashable, Comparable, Codable, Sendable {
    /// Attribute 1703, of a period whose attribute 1711 is 0 or absent.
    case transaction(ExactText)
    /// A transaction that with others makes one period ("additionalTransactionReason").
    case part(ExactText)
    /// The transaction of a family's member or of a seat's holder.
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

/// An anomaly in the periods of a subscription: something that is not as the store sells them.
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

    /// What is counted of each subscription, for a report.
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
