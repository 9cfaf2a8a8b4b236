/// What a purchase cost its buyer, with all of its seats.
///
/// Only amounts that can be: a price or a number of seats that is negative, and an amount beyond 64 bits, make none.
public struct PurchaseAmount: Equatable, Sendable {
    /// In millionths of the currency's unit; not negative.
    public let millionths: Int64
    /// How many seats cost this together; 1 where there are none.
    public let seats: Int
    /// The seats by price, the cheapest first; empty if all cost alike.
    private let tiers: [SeatInfo.Tier]

    /// - Parameters:
    ///   - price: of one seat, in millionths of the currency's unit.
    ///   - seats: how many.
    public init?(millionths price: Int64, seats: Int = 1) {
        let (product, overflow) = price.multipliedReportingOverflow(by: Int64(seats))
        guard price >= 0, seats > 0, !overflow else { return nil }
        (millionths, self.seats, tiers) = (product, seats, [])
    }

    /// - Parameter tiers: with at least one seat.
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
        (self.millionths, self.seats) = (millionths, seats)
        self.tiers = tiers.sorted { ($0.price, $0.quantity) < ($1.price, $1.quantity) }
    }

    /// Money that went back, in millionths of the currency's unit.
    public struct Refund: Equatable, Sendable {
        /// What it is taken for.
        public let amount: Int128
        /// The least and the greatest that it can be.
        public let low, high: Int128

        public init(_ amount: Int128) { (self.amount, low, high) = (amount, amount, amount) }

        fileprivate init(_ amount: Int128, low: Int128, high: Int128) {
            (self.amount, self.low, self.high) = (amount, low, high)
        }
    }

    /// Everything went back.
    public var whole: Refund { Refund(Int128(millionths)) }

    /// A part of all went back; half a millionth is rounded up.
    ///
    /// - Parameter share: in thousandths of a percent.
    /// - Returns: `nil` if it is no share: negative, or more than all.
    public func refund(share: Int) -> Refund? {
        guard (0...100_000).contains(share) else { return nil }
        return Refund((Int128(millionths) * Int128(share) + 50_000) / 100_000)
    }

    /// Some of the seats went back: as many average seats, and at least the cheapest and at most the dearest of them.
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
    /// Whether the token states what the purchase cost.
    public var statesPrice: Bool { price != nil || seats?.tiers.isEmpty == false }

    /// What the purchase cost: its seats by their prices; without these the average price of a seat times the seats of a
    /// subscription; else the price, which is that of all pieces of a consumable. `nil` if none is stated that can be.
    ///
    /// - Parameters:
    ///   - quantity: as the token states it.
    ///   - isRenewable: whether it is a period of a subscription.
    public func amount(quantity: Int?, isRenewable: Bool) -> PurchaseAmount? {
        if let tiers = seats?.tiers, !tiers.isEmpty { return PurchaseAmount(tiers) }
        guard let price else { return nil }
        let (millionths, overflow) = price.multipliedReportingOverflow(by: 1000)
        return overflow ? nil : PurchaseAmount(millionths: millionths, seats: isRenewable ? quantity ?? 1 : 1)
    }
}

extension Token.RenewalInfo {
    /// What the next period costs with all of its seats; `nil` if nothing is said of seats, or nothing that can be.
    public var seatAmount: PurchaseAmount? {
        if !tiers.isEmpty { return PurchaseAmount(tiers) }
        guard let quantity, quantity > 1, let renewalPrice else { return nil }
        let (millionths, overflow) = renewalPrice.multipliedReportingOverflow(by: 1000)
        return overflow ? nil : PurchaseAmount(millionths: millionths, seats: quantity)
    }
}

extension Purchase {
    /// What it cost its buyer; `nil` if no token says so, and of a member, who did not pay. Where nobody knows the kind, the
    /// price of several may be that of all or of one.
    public var amount: PurchaseAmount? {
        guard let details, !details.isMember else { return nil }
        if kind == nil, quantity ?? 1 > 1, details.seats?.tiers.isEmpty ?? true { return nil }
        return details.amount(quantity: quantity, isRenewable: kind == .autoRenewable)
    }
}
