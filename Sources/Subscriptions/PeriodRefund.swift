import Encodings
import Receipts

/// Money that went back for a transaction.
struct PeriodRefund: Equatable, Sendable {
    let refund: PurchaseAmount.Refund
    /// `nil` if nothing says when.
    let date: Instant?
}

extension SubscriptionPeriod {
    /// What went back of the price of one transaction. Where the cause is not known, nobody knows whether anything did.
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

    /// What went back for items, the earliest first: at most the price together.
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
