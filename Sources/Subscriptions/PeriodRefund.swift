import Encodings
import Receipts

/// A refund for a transaction.
struct PeriodRefund: Equatable, Sendable {
    let refund: PurchaseAmount.Refund
    /// The date; `nil` if the refund is undated.
    let date: Instant?
}

extension SubscriptionPeriod {
    /// Returns the refunds of one transaction's price. If the reason is unknown, so is whether there was a refund.
    func refunds(of price: PeriodPrice) -> [PeriodRefund] {
        switch revocation {
        case .unknown?, .accessEnd?: return []
        case .refund?, .excusedRefund?, .partialRefund?, .move?, .upgrade?, nil: break
        }
        if let commerce = details?.commerce {
            let items = price.basis == .paid ? itemRefunds(commerce, of: price) : []
            if !items.isEmpty || revocation?.isRefund != true { return items }
        }
        let stated = details?.revocationPercentage.flatMap(price.amount.refund(share:))
        switch revocation {
        case .refund?, .excusedRefund?: return [PeriodRefund(refund: stated ?? price.amount.whole, date: cancelledAt)]
        case .move?: return stated.map { [PeriodRefund(refund: $0, date: cancelledAt)] } ?? []
        default: break
        }
        guard let seats = details?.seats?.revoked, seats > 0 else { return [] }
        return [
            PeriodRefund(refund: stated ?? price.amount.refund(ofSeats: seats), date: details?.seatsRefundedAt)
        ]
    }

    /// Returns the refunds of items, the earliest first, with the price as the maximum of their sum.
    private func itemRefunds(_ commerce: CommerceItems, of price: PeriodPrice) -> [PeriodRefund] {
        let sorted = commerce.refunds.map { (date: $0.date ?? cancelledAt, amount: $0.amount) }
            .filter { $0.amount > 0 }
            .sorted { ($0.date?.milliseconds ?? .max, $0.amount) < ($1.date?.milliseconds ?? .max, $1.amount) }
        var left = price.millionths
        return sorted.compactMap { date, amount in
            let amount = min(left, Int128(amount) * 1000)
            left -= amount
            return amount > 0 ? PeriodRefund(refund: PurchaseAmount.Refund(amount), date: date) : nil
        }
    }
}
