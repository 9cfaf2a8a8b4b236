public import Encodings

/// The reason why Apple revoked a purchase. All rules, states, figures and columns use it.
///
/// Unknown values accuse nobody: a type, reason or ownership that Apple does not document makes it ``unknown``.
public enum Revocation: String, Sendable {
    /// The buyer got the price back, all of it or the part that the proof states.
    case refund
    /// A refund for a reason that says nothing about the buyer: an unknown one, or a change of the purchase. It counts
    /// as money, and accuses nobody.
    case excusedRefund
    /// The buyer got the price of some items back; the rest is still valid (Advanced Commerce API).
    case partialRefund
    /// Another product of the subscription replaced it.
    case upgrade
    /// A chain of transactions with another original transaction replaced it: a bundle, or a migration.
    case move
    /// Family sharing or an organization's assignment ended. The member did not get the buyer's refund.
    case accessEnd
    /// The reason is not known.
    case unknown

    /// The word in reports.
    public var code: String {
        switch self {
        case .refund, .upgrade, .move, .unknown: rawValue
        case .excusedRefund: "excused-refund"
        case .partialRefund: "partial-refund"
        case .accessEnd: "access-end"
        }
    }

    /// The time in which another product of the same original transaction must be bought for a cancelled period to
    /// count as upgraded, in seconds after the cancellation, bounds included.
    public static let upgradeWindow: ClosedRange<Int64> = -60...300

    /// How long before the cancellation of a renewal another product may be bought for the renewal to count as
    /// upgraded, in seconds: Apple charges renewals up to a day before they begin.
    public static let renewalSeconds: Int64 = 86_400

    /// The maximum distance between a cancellation and the first purchase of the chain that replaces it, in seconds.
    public static let moveSeconds: Int64 = 86_400

    /// Whether the price was refunded, all of it or the part that the proof states.
    public var isRefund: Bool { self == .refund || self == .excusedRefund }

    /// Whether access ended. A partial refund keeps it, and the successor of an upgrade or a move continues it.
    public var endsAccess: Bool { isRefund || self == .accessEnd || self == .unknown }

    /// Classifies a purchase with a cancellation date. What Apple signed decides; only if that says nothing, the
    /// purchase of another product suggests an upgrade.
    ///
    /// - Parameters:
    ///   - wasShared: whether another token shows that it was shared.
    ///   - isReplaced: whether the purchase of another product suggests an upgrade.
    public init(of purchase: Purchase, wasShared: Bool = false, isReplaced: @autoclosure () -> Bool = false) {
        let details = purchase.details
        let type = details?.revocationType
        let reason = details == nil ? purchase.cancellationReason : details?.revocationReason
        let isKnownReason = reason.map { (0...1).contains($0) } ?? true
        let isMoneyBack = type == "REFUND_FULL" || type == "REFUND_PRORATED"
        if details?.isMember == true || wasShared && type == nil {
            self = details?.isUpgraded == true ? .upgrade : .accessEnd
        } else if details?.isUpgraded == true, !isMoneyBack {
            self = .upgrade
        } else if purchase.isMoved, !(type == "REFUND_FULL" && reason != nil && isKnownReason) {
            self = .move
        } else if let commerce = details?.commerce {
            self = commerce.revocation(ofPrice: details?.price)
        } else if isMoneyBack {
            self = isKnownReason ? .refund : .excusedRefund
        } else if type == "FAMILY_REVOKE" {
            self = .accessEnd
        } else if type != nil || !isKnownReason {
            self = .unknown
        } else if reason != nil, details != nil {
            self = .refund
        } else {
            self = isReplaced() ? .upgrade : .refund
        }
    }
}

extension Purchase {
    /// Returns why Apple revoked it; `nil` if it is whole.
    ///
    /// - Parameter isReplaced: whether the purchase of another product suggests an upgrade.
    public func revocation(isReplaced: @autoclosure () -> Bool = false) -> Revocation? {
        cancellationDate == nil ? nil : Revocation(of: self, isReplaced: isReplaced())
    }

    /// When the purchase was refunded at its buyer's request, as far as it shows that alone; `nil` if Apple revoked it
    /// for any reason other than ``Revocation/refund``.
    public var refundDate: Instant? { revocation() == .refund ? cancellationDate : nil }

    /// Whether Apple revoked it because family sharing or an organization's assignment ended.
    public var isSharingEnded: Bool { revocation() == .accessEnd }

    /// Whether it was cancelled at the start of the chain that replaced it.
    fileprivate var isMoved: Bool {
        guard let cancellationDate, let movedAt = details?.movedAt else { return false }
        let (first, last) = (min(cancellationDate, movedAt), max(cancellationDate, movedAt))
        return first.adding(seconds: Revocation.moveSeconds) >= last
    }
}
