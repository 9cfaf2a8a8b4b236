import Encodings
import Receipts
import Rules

/// What a paid period cost.
struct PeriodPrice: Equatable, Sendable {
    /// Names what says so.
    enum Basis: Sendable {
        /// A transaction token: what was paid.
        case paid
        /// The policy: what the product costs today.
        case policy
    }

    let basis: Basis
    /// In millionths of the currency's unit; not negative.
    let millionths: Int128
    /// Three letters, as in ISO 4217.
    let currency: ExactText

    /// What the refund of a period gave back: all of it, or as much of it as a token says.
    func refund(of period: SubscriptionPeriod) -> Int128 {
        // In thousandths of a percent.
        guard let share = period.details?.revocationPercentage, (0..<100_000).contains(share) else { return millionths }
        // An amount of 64 bits, in thousandths, leaves room.
        return (millionths * Int128(share) + 50_000) / 100_000
    }
}

/// What a paid period is worth in figures of money.
enum PeriodValue: Equatable, Sendable {
    case price(PeriodPrice)
    /// At an offer, whose price no token shows.
    case offer
    /// Shared by another member of the family, who paid.
    case shared
    /// Neither a token nor the policy has a price.
    case unpriced

    /// - Parameter catalogue: the products of the period's app, with their prices.
    init(_ period: SubscriptionPeriod, _ catalogue: [ExactText: Product]) {
        if period.isShared {
            self = .shared
        } else if let price = period.details?.paidPrice {
            self = .price(price)
        } else if period.isOffer {
            self = .offer
        } else if let price = catalogue[period.productID]?.paidPrice {
            self = .price(price)
        } else {
            self = .unpriced
        }
    }
}

extension SubscriptionPeriod {
    /// Whether a token shows that another member of the family bought it.
    fileprivate var isShared: Bool { details?.isMember == true }
}

extension TransactionDetails {
    /// What the token shows as paid; `nil` without a price, or without a currency that can be one.
    fileprivate var paidPrice: PeriodPrice? {
        guard let price, price >= 0, let currency, currency.isCurrencyCode else { return nil }
        return PeriodPrice(basis: .paid, millionths: Int128(price) * 1000, currency: currency)
    }
}

extension Product {
    /// What the policy says that it costs; `nil` if it says nothing, or nothing that can be.
    var paidPrice: PeriodPrice? {
        guard let price, price.millionths >= 0 else { return nil }
        return PeriodPrice(basis: .policy, millionths: Int128(price.millionths), currency: price.currency)
    }
}

extension ExactText {
    /// Whether it has the form of a currency's code, so that there are few of them: three capital letters.
    fileprivate var isCurrencyCode: Bool {
        let octets = utf8.span
        guard octets.count == 3 else { return false }
        for index in octets.indices where !(0x41...0x5a).contains(octets[index]) { return false }
        return true
    }
}
