import Encodings
import Receipts
import Rules

/// One period of a subscription, as all receipts together show it.
///
/// The newest receipt decides, with two exceptions: a refund that any receipt shows counts (older receipts do not have
/// it yet), and the purchase date is the earliest (a restored purchase may have a later one).
struct SubscriptionPeriod: Equatable, Sendable {
    let id: PeriodID
    let productID: ExactText
    let transactionID: ExactText
    /// The earliest date in attribute 1704.
    let purchasedAt: Instant
    /// Attribute 1708.
    let expiresAt: Instant
    /// Attribute 1712, in the newest receipt that has it.
    let refundedAt: Instant?
    let isTrial: Bool
    let isIntroOffer: Bool
    /// Whether it was sold at a promotional offer, attribute 1721.
    let isPromotionalOffer: Bool

    /// Whether it is not a trial. Receipts do not show what was paid.
    var isPaid: Bool { !isTrial }

    /// Whether it was sold at an offer, whose price is not the catalogue's.
    var isOffer: Bool { isIntroOffer || isPromotionalOffer }

    /// In order of purchase.
    static func begins(_ a: Self, before b: Self) -> Bool {
        (a.purchasedAt, a.expiresAt, a.id) < (b.purchasedAt, b.expiresAt, b.id)
    }

    /// In order of expiry: the latest period is the greatest.
    static func ends(_ a: Self, before b: Self) -> Bool {
        (a.expiresAt, a.purchasedAt, a.id) < (b.expiresAt, b.purchasedAt, b.id)
    }
}

/// Identifies a period of a subscription, however often it was restored: ``Purchase/identity`` in a form that is fast
/// to compare.
///
/// Transactions come before line items.
enum PeriodID: Hashable, Comparable, Codable, Sendable {
    /// Attribute 1703, of a period whose attribute 1711 is 0 or absent.
    case transaction(ExactText)
    /// The web order line item, attribute 1711.
    case lineItem(Int)

    init(_ purchase: Purchase) {
        self = purchase.webOrderLineItemID.map(Self.lineItem) ?? .transaction(purchase.transactionID)
    }
}

extension PeriodID: StablyHashable {
    var stableHash: UInt64 {
        switch self {
        case .transaction(let id): id.stableHash
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
        case .productsDiffer: "periods of one product in one receipt, of another in another: the newest counts"
        case .expiriesDiffer: "periods with one end in one receipt, with another in another: the newest counts"
        case .refundWithdrawn: "refunds that a newer receipt does not show; they count"
        case .appsDiffer: "subscriptions in receipts of several apps: the newest counts"
        case .environmentsDiffer: "subscriptions in receipts of several environments: the newest counts"
        case .tooManyPeriods:
            "periods that were left out, being earlier than the \(Subscription.maxPeriods) latest of a subscription"
        }
    }
}
