public import Encodings

/// Holds what Apple gave back for the items of a purchase through the Advanced Commerce API ("advancedCommerceInfo").
public struct CommerceItems: Equatable, Codable, Sendable {
    /// Money that went back for an item.
    public struct Refund: Equatable, Codable, Sendable {
        /// `refundAmount`, in thousandths of the currency's unit; 0 where it is not stated.
        public var amount: Int64
        /// `refundDate`.
        public var date: Instant?
        /// `refundReason`.
        public var reason: ExactText?

        public init(amount: Int64, date: Instant? = nil, reason: ExactText? = nil) {
            (self.amount, self.date, self.reason) = (amount, date, reason)
        }

        /// Whether the reason is one that a buyer gives, and nothing else: an unknown one says nothing.
        fileprivate var isAskedFor: Bool { reason.map(Self.askedFor.contains) ?? true }

        /// Without MODIFY_ITEMS_REFUND, which a seller asks for, and SIMULATE_REFUND_DECLINE, which is for tests.
        private static let askedFor: [ExactText] = [
            "UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER",
        ]
    }

    /// Of all items, in their order.
    public var refunds: [Refund] = []
    /// Whether each item has a `revocationDate`.
    public var areAllRevoked = false
    /// The latest `revocationDate` of an item.
    public var revokedAt: Instant?

    public init() {}

    /// More items, or refunds in all, are left out.
    static let maxItems = 256

    /// What went back in all, in thousandths of the currency's unit, at most the price.
    public func refunded(ofPrice price: Int64?) -> Int64 {
        let sum = refunds.reduce(Int64(0)) { sum, refund in
            let (added, overflow) = sum.addingReportingOverflow(max(0, refund.amount))
            return overflow ? .max : added
        }
        return min(sum, price.map { max(0, $0) } ?? sum)
    }

    /// Whether all of the purchase was given back.
    func isWhole(ofPrice price: Int64?) -> Bool {
        areAllRevoked || price.map { $0 > 0 && refunded(ofPrice: $0) >= $0 } ?? false
    }

    /// When all of it was given back; `nil` if it was not, or no date says when.
    func endedAt(price: Int64?) -> Instant? {
        guard isWhole(ofPrice: price) else { return nil }
        return revokedAt ?? refunds.compactMap(\.date).max()
    }

    /// Why Apple took the purchase back.
    func revocation(ofPrice price: Int64?) -> Revocation {
        guard isWhole(ofPrice: price) else { return .partialRefund }
        return refunds.allSatisfy(\.isAskedFor) ? .refund : .excusedRefund
    }
}
