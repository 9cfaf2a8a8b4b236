/// The seats of a subscription for several people (App Store Server API, `multiSeatInfo`).
public struct SeatContent: Sendable, Changeable {
    /// Seats of one price, in thousandths of the currency's unit.
    public struct Tier: Sendable {
        public var price: Int
        public var quantity: Int

        public init(price: Int, quantity: Int) { (self.price, self.quantity) = (price, quantity) }
    }

    public var tiers: [Tier]
    /// `APPLE`: members have their own tokens; `DEVELOPER`: they have none.
    public var invitationManagement: String?
    /// The number of refunded seats.
    public var revoked: Int?

    public init(_ tiers: [Tier], invitationManagement: String? = "APPLE", revoked: Int? = nil) {
        self.tiers = tiers
        self.invitationManagement = invitationManagement
        self.revoked = revoked
    }

    /// The number of seats.
    public var quantity: Int { tiers.reduce(0) { $0 + $1.quantity } }

    /// The average price of a seat, in thousandths.
    public var averagePrice: Int {
        quantity == 0 ? 0 : tiers.reduce(0) { $0 + $1.price * $1.quantity } / quantity
    }

    var json: SampleJSON {
        .members([
            ("invitationManagement", invitationManagement), ("priceTiers", prices), ("revokedSeatQuantity", revoked),
        ])
    }

    /// The seats in the form of a renewal info.
    var renewalJSON: SampleJSON { .members([("renewalPriceTiers", prices)]) }

    private var prices: SampleJSON {
        .list(tiers.map { .object([("price", .number($0.price)), ("quantity", .number($0.quantity))]) })
    }
}

extension TransactionContent {
    /// Sells several seats. The price of a subscription is the average price of one.
    public mutating func sell(_ seats: SeatContent) {
        self.seats = seats
        quantity = seats.quantity
        price = seats.averagePrice
    }
}
