/// Holds what a transaction says of the seats of a subscription for several people ("multiSeatInfo").
public struct SeatInfo: Equatable, Codable, Sendable {
    /// Seats of one price ("priceTiers").
    public struct Tier: Equatable, Codable, Sendable {
        /// Of one seat, in thousandths of the currency's unit.
        public var price: Int64
        /// How many seats.
        public var quantity: Int

        public init(price: Int64, quantity: Int) { (self.price, self.quantity) = (price, quantity) }
    }

    public var tiers: [Tier] = []
    /// `revokedSeatQuantity`: how many of the seats were refunded; only the buyer's token says so.
    public var revoked: Int?

    public init(tiers: [Tier] = [], revoked: Int? = nil) { (self.tiers, self.revoked) = (tiers, revoked) }

    /// More than this many tiers of one token make no amount: Apple has a few.
    static let maxTiers = 64
}

extension [SeatInfo.Tier] {
    /// The price of all seats, in thousandths of the currency's unit; `nil` without tiers, or where one of them says
    /// nothing that can be.
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
