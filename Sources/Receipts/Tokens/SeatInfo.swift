/// The seats of a subscription for several people ("multiSeatInfo").
public struct SeatInfo: Equatable, Codable, Sendable {
    /// Seats of one price ("priceTiers").
    public struct Tier: Equatable, Codable, Sendable {
        /// The price of one seat, in thousandths of the currency's unit.
        public var price: Int64
        /// The number of seats.
        public var quantity: Int

        public init(price: Int64, quantity: Int) { (self.price, self.quantity) = (price, quantity) }
    }

    public var tiers: [Tier] = []
    /// `revokedSeatQuantity`: the number of refunded seats. Only the buyer's token has it.
    public var revoked: Int?

    public init(tiers: [Tier] = [], revoked: Int? = nil) { (self.tiers, self.revoked) = (tiers, revoked) }

    /// The maximum number of tiers with an amount: Apple has a few.
    static let maxTiers = 64
}

extension [SeatInfo.Tier] {
    /// The price of all seats, in thousandths of the currency's unit; `nil` without tiers, or if one of them is
    /// impossible.
    public var amount: Int64? {
        guard !isEmpty else { return nil }
        var sum: Int64 = 0
        for tier in self {
            guard tier.price >= 0, tier.quantity >= 0 else { return nil }
            let (product, overflow) = tier.price.multipliedReportingOverflow(by: Int64(tier.quantity))
            let (added, isTooMuch) = sum.addingReportingOverflow(product)
            guard !overflow, !isTooMuch else { return nil }
            sum = added
        }
        return sum
    }
}
