public import Encodings

/// Why Apple took a purchase back. All rules, states and figures ask here.
public enum Revocation: Codable, Sendable {
    /// All or part of the price went back to the buyer.
    case refund
    /// Another product of the subscription took its place.
    case upgrade
    /// A family's sharing or an organisation's assignment ended.
    case sharingEnd

    /// When another product of the same original transaction is bought for a cancelled period to count as upgraded, in
    /// seconds after the cancellation; both bounds are included.
    public static let upgradeWindow: ClosedRange<Int64> = -60...300

    /// Classifies a purchase that has a cancellation date. What Apple signed decides; only where that says nothing an
    /// upgrade is guessed from the purchase of another product.
    ///
    /// - Parameters:
    ///   - details: what a token shows; `nil` if only receipts show the purchase.
    ///   - wasShared: whether another token shows that it was shared.
    ///   - isReplaced: whether another product of the same original transaction was bought in the ``upgradeWindow``.
    public init(_ details: TransactionDetails?, wasShared: Bool = false, isReplaced: @autoclosure () -> Bool) {
        let type = details?.revocationType
        let isBuyer = details?.ownership.map { $0 == "PURCHASED" } ?? true
        let isShared = type == nil && (wasShared || details?.ownership == "FAMILY_SHARED")
        if isBuyer, type == "REFUND_FULL" || type == "REFUND_PRORATED" {
            self = .refund
        } else if details?.isUpgraded == true {
            self = .upgrade
        } else if type == "FAMILY_REVOKE" {
            self = .sharingEnd
        } else if isBuyer, !isShared, type == nil, details?.revocationReason.map({ (0...1).contains($0) }) == true {
            self = .refund
        } else if isReplaced() {
            self = .upgrade
        } else {
            self = isShared ? .sharingEnd : .refund
        }
    }
}

extension Purchase {
    /// Returns why Apple took it back; `nil` if it is whole.
    ///
    /// - Parameter isReplaced: whether another product of the same original transaction was bought in the
    ///   ``Revocation/upgradeWindow``.
    public func revocation(isReplaced: @autoclosure () -> Bool = false) -> Revocation? {
        cancellationDate == nil ? nil : Revocation(details, isReplaced: isReplaced())
    }

    /// When the purchase was refunded, as far as it shows that alone; `nil` also if Apple took it back for a signed
    /// upgrade, or because a family's sharing or an organisation's assignment ended.
    public var refundDate: Instant? { revocation() == .refund ? cancellationDate : nil }

    /// Whether Apple took it back because a family's sharing or an organisation's assignment ended.
    public var isSharingEnded: Bool { revocation() == .sharingEnd }
}
