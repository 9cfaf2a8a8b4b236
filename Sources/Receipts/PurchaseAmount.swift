/// The price of a purchase for its buyer, with all of its seats.
///
/// Only possible amounts are represented: not with a negative price or number of seats, and not beyond 64 bits.
public struct PurchaseAmount: Equatable, Sendable {
    /// In millionths of the currency's unit; not negative.
    public let millionths: Int64
    /// The number of seats for this price; 1 without seats.
    public let seats: Int
    /// The seats by price, the cheapest first; empty if all have the same price.
    private let tiers: [SeatInfo.Tier]

    /// - Parameters:
    ///   - price: the price of one seat, in millionths of the currency's unit.
    ///   - seats: the number of seats.
    public init?(millionths price: Int64, seats: Int = 1) {
        let (product, overflow) = price.multipliedReportingOverflow(by: Int64(seats))
        guard price >= 0, seats > 0, !overflow else { return nil }
        millionths = product
        self.seats = seats
        tiers = []
    }

    /// - Parameter tiers: seats by price, with at least one seat.
    fileprivate init?(_ tiers: [SeatInfo.Tier]) {
        guard let amount = tiers.amount else { return nil }
        let (millionths, overflow) = amount.multipliedReportingOverflow(by: 1000)
        var seats = 0
        for tier in tiers {
            let (sum, isTooMuch) = seats.addingReportingOverflow(tier.quantity)
            guard !isTooMuch else { return nil }
            seats = sum
        }
        guard seats > 0, !overflow else { return nil }
        self.millionths = millionths
        self.seats = seats
        self.tiers = tiers.sorted { ($0.price, $0.quantity) < ($1.price, $1.quantity) }
    }

    /// A refunded amount, in millionths of the currency's unit.
    public struct Refund: Equatable, Sendable {
        /// The best estimate.
        public let amount: Int128
        /// The bounds of the amount.
        public let low, high: Int128

        public init(_ amount: Int128) { (self.amount, low, high) = (amount, amount, amount) }

        fileprivate init(_ amount: Int128, low: Int128, high: Int128) {
            self.amount = amount
            self.low = low
            self.high = high
        }
    }

    /// The refund of the full amount.
    public var whole: Refund { Refund(Int128(millionths)) }

    /// Returns the refund of a share of the full amount; half a millionth is rounded up.
    ///
    /// - Parameter share: the share in thousandths of a percent.
    /// - Returns: `nil` if it is not a share: negative, or more than all.
    public func refund(share: Int) -> Refund? {
        guard (0...100_000).contains(share) else { return nil }
        return Refund((Int128(millionths) * Int128(share) + 50_000) / 100_000)
    }

    /// Returns the refund of some seats: estimated at the average price, bounded by the cheapest and the most expensive
    /// seats.
    public func refund(ofSeats count: Int) -> Refund {
        guard count < seats else { return whole }
        let count = max(count, 0)
        let average = (Int128(millionths) * Int128(count) + Int128(seats) / 2) / Int128(seats)
        guard !tiers.isEmpty else { return Refund(average) }
        return Refund(average, low: price(ofFirst: count, of: tiers), high: price(ofFirst: count, of: tiers.reversed()))
    }

    private func price(ofFirst count: Int, of tiers: [SeatInfo.Tier]) -> Int128 {
        var (sum, left) = (Int128(0), count)
        for tier in tiers where left > 0 {
            let taken = min(left, tier.quantity)
            sum += Int128(tier.price) * 1000 * Int128(taken)
            left -= taken
        }
        return sum
    }
}

extension TransactionDetails {
    /// Whether the token states a price.
    public var statesPrice: Bool { price != nil || seats?.tiers.isEmpty == false }

    /// Returns the price of the purchase: the sum of its seats by price; without these the average price of a seat
    /// times the seats of a subscription; otherwise the price, which covers all items of a consumable. `nil` if no
    /// possible price is stated.
    ///
    /// - Parameters:
    ///   - quantity: the quantity in the token.
    ///   - isRenewable: whether it is a period of a subscription.
    public func amount(quantity: Int?, isRenewable: Bool) -> PurchaseAmount? {
        if let tiers = seats?.tiers, !tiers.isEmpty { return PurchaseAmount(tiers) }
        guard let price else { return nil }
        let (millionths, overflow) = price.multipliedReportingOverflow(by: 1000)
        return overflow ? nil : PurchaseAmount(millionths: millionths, seats: isRenewable ? quantity ?? 1 : 1)
    }
}

extension Token.RenewalInfo {
    /// The price of the next period with all of its seats; `nil` if seats are not stated, or not possible.
    public var seatAmount: PurchaseAmount? {
        if !tiers.isEmpty { return PurchaseAmount(tiers) }
        guard let quantity, quantity > 1, let renewalPrice else { return nil }
        let (millionths, overflow) = renewalPrice.multipliedReportingOverflow(by: 1000)
        return overflow ? nil : PurchaseAmount(millionths: millionths, seats: quantity)
    }
}

extension Purchase {
    /// The price for the buyer; `nil` if no token states it, and for a member, who did not pay. If the kind is unknown,
    /// the price of several items may be for all or for one.
    public var amount: PurchaseAmount? {
        guard let details, !details.isMember else { return nil }
        if kind == nil, quantity ?? 1 > 1, details.seats?.tiers.isEmpty ?? true { return nil }
        return details.amount(quantity: quantity, isRenewable: kind == .autoRenewable)
    }
}
