/// The seats of a subscription for several people (App Store Server API, `multiSeatInfo`).
public struct SeatContent: Sendable, Changeable {
    /// Seats of one price, in thousandths of the currency's unit.
    public struct Tier: Sendable {
        public var price: Int
        public var quantity: Int

        public init(price: Int, quantity: Int) { (self.price, self.quantity) = (price, quantity) }
    }

    public var tiers: [Tier]
    /// `APPLE`: members have tokens of their own; `DEVELOPER`: they have none.
    public var invitationManagement: String?
    /// How many were refunded.
    public var revoked: Int?

    public init(_ tiers: [Tier], invitationManagement: String? = "APPLE", revoked: Int? = nil) {
        (self.tiers, self.invitationManagement, self.revoked) = (tiers, invitationManagement, revoked)
    }

    /// The number of seats.
    public var quantity: Int { tiers.reduce(0) { $0 + $1.quantity } }

    /// What one seat costs on average, in thousandths.
    public var averagePrice: Int {
        quantity == 0 ? 0 : tiers.reduce(0) { $0 + $1.price * $1.quantity } / quantity
    }

    var json: SampleJSON {
        .members([
            ("invitationManagement", invitationManagement), ("priceTiers", prices), ("revokedSeatQuantity", revoked),
        ])
    }

    /// As a renewal info has them.
    var renewalJSON: SampleJSON { .members([("renewalPriceTiers", prices)]) }

    private var prices: SampleJSON {
        .list(tiers.map { .object([("price", .number($0.price)), ("quantity", .number($0.quantity))]) })
    }
}

extension TransactionContent {
    /// Sells several seats: of a subscription the price is that of one on average.
    public mutating func sell(_ seats: SeatContent) {
        self.seats = seats
        (quantity, price) = (seats.quantity, seats.averagePrice)
    }
}
