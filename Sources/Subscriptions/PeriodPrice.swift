import Encodings
import Receipts
import Rules

/// The price of a paid transaction, with all of its seats.
struct PeriodPrice: Equatable, Sendable {
    /// The source of the price.
    enum Basis: Sendable {
        /// A transaction token: the paid price.
        case paid
        /// The policy: the product's current price.
        case policy
    }

    let basis: Basis
    let amount: PurchaseAmount
    /// Three letters, as in ISO 4217.
    let currency: ExactText

    /// In millionths of the currency's unit; not negative.
    var millionths: Int128 { Int128(amount.millionths) }

    fileprivate init(_ basis: Basis, _ amount: PurchaseAmount, _ currency: ExactText) {
        self.basis = basis
        self.amount = amount
        self.currency = currency
    }

    /// - Returns: `nil` if the currency is not possible.
    init?(paid amount: PurchaseAmount, _ currency: ExactText) {
        guard currency.isThreeCapitals else { return nil }
        self.init(.paid, amount, currency)
    }
}

/// The value of a paid transaction in figures of money.
enum PeriodValue: Equatable, Sendable {
    case price(PeriodPrice)
    /// At an offer without a price in a token.
    case offer
    /// Shared by another family member, who paid.
    case shared
    /// A seat that somebody else bought, without a known token of that purchase.
    case assigned
    /// Neither a token nor the policy has a price, or the token's price is not possible.
    case unpriced

    /// - Parameters:
    ///   - period: one transaction.
    ///   - catalogue: the products of the period's app, with their prices.
    init(_ period: SubscriptionPeriod, _ catalogue: [ExactText: Product]) {
        let details = period.details
        if period.isMember {
            self = details?.ownership == "FAMILY_SHARED" ? .shared : .assigned
        } else if let details, details.statesPrice, let currency = details.currency, currency.isThreeCapitals {
            let amount = details.amount(quantity: period.quantity, isRenewable: true)
            self = amount.map { .price(PeriodPrice(.paid, $0, currency)) } ?? .unpriced
        } else if period.isOffer {
            self = .offer
        } else if !period.isInstalment,
            let price = period.boughtSeats.flatMap({ catalogue[period.productID]?.paidPrice($0) })
        {
            self = .price(price)
        } else {
            self = .unpriced
        }
    }
}

extension SubscriptionPeriod {
    /// Whether it is paid by a plan other than up front, so that the policy's price is not the price of the period.
    fileprivate var isInstalment: Bool { details?.billingPlan.map { $0 != "BILLED_UPFRONT" } ?? false }

    /// The sum paid for all of its unrevoked transactions, in thousandths of the currency's unit; for a member's the
    /// stated price of one seat. `nil` if one of them has no price.
    var shownPrice: Int64? {
        if isMember { return details?.price.flatMap { $0 < 0 ? nil : $0 } }
        let holding = transactions.filter(\.holds)
        var sum: Int64 = 0
        for transaction in holding.isEmpty ? transactions : holding {
            guard let amount = transaction.details?.amount(quantity: transaction.quantity, isRenewable: true) else {
                return nil
            }
            sum = sum.addingSaturating(amount.millionths / 1000)
        }
        return sum
    }

    /// The number of seats, without refunded ones; 0 without seats, and for a member's period, which repeats the
    /// buyer's number.
    var seats: Int {
        transactions.reduce(0) { $0.addingSaturating($1.ownSeats) }
    }

    /// The number of paid seats of one transaction; `nil` if it is not possible.
    fileprivate var boughtSeats: Int? {
        guard let details, details.seats?.tiers.isEmpty == false else { return quantity ?? 1 }
        return details.amount(quantity: quantity, isRenewable: true)?.seats
    }

    private var ownSeats: Int {
        guard !isMember, !isTakenBack, let details else { return 0 }
        let bought = max(quantity ?? details.amount(quantity: nil, isRenewable: true)?.seats ?? 0, 0)
        guard bought > 1 || details.seats != nil || details.additionalReason != nil else { return 0 }
        return bought - min(max(details.seats?.revoked ?? 0, 0), bought)
    }
}

extension Product {
    /// Returns the policy's price; `nil` if it has none, or not a possible one.
    ///
    /// - Parameter seats: the number of seats bought.
    func paidPrice(_ seats: Int = 1) -> PeriodPrice? {
        guard let price, let amount = PurchaseAmount(millionths: price.millionths, seats: seats) else { return nil }
        return PeriodPrice(.policy, amount, price.currency)
    }
}

extension ExactText {
    /// Whether it has the form of the code of a currency or a country, so that there are few.
    var isThreeCapitals: Bool {
        let octets = utf8.span
        guard octets.count == 3 else { return false }
        for index in octets.indices where !(0x41...0x5a).contains(octets[index]) { return false }
        return true
    }
}
