public import Encodings

/// Why Apple took a purchase back. All rules, states, figures and columns ask here.
///
/// What is not known accuses nobody: a type, reason or ownership that no text of Apple's names makes it ``unknown``.
public enum Revocation: Sendable {
    /// The price went back to the buyer, all or the part that the proof states.
    case refund
    /// The same, for a reason that says nothing of the buyer: one that is not known, or a change of what was bought. It
    /// counts as money, and accuses nobody.
    case excusedRefund
    /// The price of some items went back; the rest still holds (Advanced Commerce API).
    case partialRefund
    /// Another product of the subscription took its place.
    case upgrade
    /// A chain of transactions with another original transaction took its place: a bundle, or a migration.
    case move
    /// A family's sharing or an organization's assignment ended. What the buyer got back is not the member's.
    case accessEnd
    /// Nobody knows.
    case unknown

    /// When another product of the same original transaction is bought for a cancelled period to count as upgraded, in
    /// seconds after the cancellation; both bounds are included.
    public static let upgradeWindow: ClosedRange<Int64> = -60...300

    /// How far a cancellation may be from the first purchase of the chain that takes its place, in seconds.
    public static let moveSeconds: Int64 = 86_400

    /// Whether the price went back, all of it or the part that the proof states: the purchase is refunded.
    public var isRefund: Bool { self == .refund || self == .excusedRefund }

    /// Whether access ended: a partial refund leaves it, and what took the place of an upgrade or a move goes on with it.
    public var endsAccess: Bool { isRefund || self == .accessEnd || self == .unknown }

    /// Classifies a purchase that has a cancellation date. What Apple signed decides; only where that says nothing an
    /// upgrade is guessed from the purchase of another product.
    ///
    /// - Parameters:
    ///   - wasShared: whether another token shows that it was shared.
    ///   - isReplaced: whether another product of the same original transaction was bought in the ``upgradeWindow``.
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
    /// Returns why Apple took it back; `nil` if it is whole.
    ///
    /// - Parameter isReplaced: whether another product of the same original transaction was bought in the
    ///   ``Revocation/upgradeWindow``.
    public func revocation(isReplaced: @autoclosure () -> Bool = false) -> Revocation? {
        cancellationDate == nil ? nil : Revocation(of: self, isReplaced: isReplaced())
    }

    /// When the purchase was refunded for what its buyer asked for, as far as it shows that alone; `nil` also if Apple took
    /// it back for any other reason than ``Revocation/refund``.
    public var refundDate: Instant? { revocation() == .refund ? cancellationDate : nil }

    /// Whether Apple took it back because a family's sharing or an organization's assignment ended.
    public var isSharingEnded: Bool { revocation() == .accessEnd }

    /// Whether it was taken back when the chain began that took its place.
    fileprivate var isMoved: Bool {
        guard let cancellationDate, let movedAt = details?.movedAt else { return false }
        let (first, last) = (min(cancellationDate, movedAt), max(cancellationDate, movedAt))
        return first.adding(seconds: Revocation.moveSeconds) >= last
    }
}
