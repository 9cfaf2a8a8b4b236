public import Encodings

/// Refunds for the items of a purchase through the Advanced Commerce API ("advancedCommerceInfo").
public struct CommerceItems: Equatable, Codable, Sendable {
    /// A refund for an item.
    public struct Refund: Equatable, Codable, Sendable {
        /// `refundAmount`, in thousandths of the currency's unit; 0 if it is not stated.
        public var amount: Int64
        /// `refundDate`.
        public var date: Instant?
        /// `refundReason`.
        public var reason: ExactText?

        public init(amount: Int64, date: Instant? = nil, reason: ExactText? = nil) {
            self.amount = amount
            self.date = date
            self.reason = reason
        }

        /// Whether a buyer gives this reason. An unknown one says nothing.
        fileprivate var isAskedFor: Bool { reason.map(Self.askedFor.contains) ?? true }

        /// Without MODIFY_ITEMS_REFUND, which a seller requests, and SIMULATE_REFUND_DECLINE, which is for tests.
        private static let askedFor: [ExactText] = [
            "UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER",
        ]
    }

    /// The refunds of all items, in order.
    public var refunds: [Refund] = []
    /// Whether each item has a `revocationDate`.
    public var areAllRevoked = false
    /// The latest `revocationDate` of an item.
    public var revokedAt: Instant?

    public init() {}

    /// The maximum number of items, and of refunds in all. The rest is left out.
    static let maxItems = 256

    /// Returns the total refund, in thousandths of the currency's unit, at most the price.
    public func refunded(ofPrice price: Int64?) -> Int64 {
        let sum = refunds.reduce(Int64(0)) { sum, refund in
            let (added, overflow) = sum.addingReportingOverflow(max(0, refund.amount))
            return overflow ? .max : added
        }
        return min(sum, price.map { max(0, $0) } ?? sum)
    }

    /// Whether the whole purchase was refunded.
    func isWhole(ofPrice price: Int64?) -> Bool {
        areAllRevoked || price.map { $0 > 0 && refunded(ofPrice: $0) >= $0 } ?? false
    }

    /// Returns when all of it was refunded; `nil` if it was not, or is undated.
    func endedAt(price: Int64?) -> Instant? {
        guard isWhole(ofPrice: price) else { return nil }
        return revokedAt ?? refunds.compactMap(\.date).max()
    }

    /// Returns why Apple revoked the purchase.
    func revocation(ofPrice price: Int64?) -> Revocation {
        guard isWhole(ofPrice: price) else { return .partialRefund }
        return refunds.allSatisfy(\.isAskedFor) ? .refund : .excusedRefund
    }
}
