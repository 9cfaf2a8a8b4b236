import Encodings
import Foundation
import Receipts
import Rules

@testable import Subscriptions

/// Money, computed from all transactions by themselves.
extension ReferenceFigures {
    /// What a transaction cost, in millionths: by a token, else by the policy; `nil` without either.
    private func price(_ period: SubscriptionPeriod) -> (millionths: Int, currency: ExactText, isPaid: Bool)? {
        if period.details?.ownership ?? "PURCHASED" != "PURCHASED" { return nil }
        let tiers = period.details?.seats?.tiers ?? []
        let paid = period.details?.price
        if let currency = period.details?.currency, currency != "euro", paid != nil || !tiers.isEmpty {
            guard tiers.allSatisfy({ $0.quantity > 0 }) else { return nil }
            let thousandths = tiers.isEmpty ? (paid.map(Int.init) ?? 0) * (period.quantity ?? 1) : Self.sum(tiers)
            guard thousandths >= 0, !tiers.isEmpty || period.quantity != 0 else { return nil }
            return (thousandths * 1000, currency, true)
        }
        if period.isIntroOffer || period.isPromotionalOffer { return nil }
        let seats = tiers.isEmpty ? period.quantity ?? 1 : tiers.map(\.quantity).reduce(0, +)
        if seats <= 0 || ["MONTHLY", "NEW_PLAN"].contains(period.details?.billingPlan) { return nil }
        return prices[period.productID]?.price.map { (Int($0.millionths) * seats, $0.currency, false) }
    }

    private static func sum(_ tiers: [SeatInfo.Tier]) -> Int {
        tiers.reduce(0) { $0 + Int($1.price) * $1.quantity }
    }

    /// What seats cost that were refunded, as so many average ones, in millionths.
    private static func refundedSeats(_ period: SubscriptionPeriod, of millionths: Int) -> Decimal {
        guard let seats = period.details?.seats, let revoked = seats.revoked, revoked > 0 else { return 0 }
        let count = seats.tiers.reduce(0) { $0 + $1.quantity }
        return Decimal(millionths) * Decimal(min(revoked, count)) / Decimal(count)
    }

    /// What was given back of a transaction, with the date if there is one.
    private func refunds(_ period: SubscriptionPeriod) -> [(amount: Decimal, date: Instant?)] {
        guard let price = price(period), ![.unknown, .accessEnd].contains(period.revocation) else { return [] }
        let isRefund = [.refund, .excusedRefund].contains(period.revocation)
        if let items = period.details?.commerce?.refunds {
            let dated = items.map { (amount: $0.amount * 1000, date: $0.date ?? period.cancelledAt) }
                .filter { $0.amount > 0 }
                .sorted { ($0.date?.milliseconds ?? .max, $0.amount) < ($1.date?.milliseconds ?? .max, $1.amount) }
            let all = (price.isPaid ? dated : []).reduce(into: [(amount: Decimal, date: Instant?)]()) { found, item in
                let left = Decimal(price.millionths) - found.map(\.amount).reduce(0, +)
                if left > 0 { found.append((min(left, Decimal(item.amount)), item.date)) }
            }
            if !all.isEmpty || !isRefund { return all }
        }
        let share = period.details?.revocationPercentage.map { Decimal($0) / 100_000 }
        if isRefund { return [(Decimal(price.millionths) * (share ?? 1), period.cancelledAt)] }
        if period.revocation == .move { return [] }
        let seats = Self.refundedSeats(period, of: price.millionths)
        guard seats > 0 || period.details?.seats?.revoked ?? 0 > 0 else { return [] }
        return [(share.map { Decimal(price.millionths) * $0 } ?? seats, period.details?.seatsRefundedAt)]
    }

    /// Months a period, as a fraction; `nil` for anything but months, weeks and days. No random period has whole
    /// months.
    private func months(_ period: SubscriptionPeriod, isPaid: Bool) -> (times: Int, over: Int)? {
        let isOffer = period.isIntroOffer || period.isPromotionalOffer
        let isPlanned = isPaid && period.details?.billingPlan != nil
        switch isOffer || isPlanned ? nil : prices[period.productID]?.period {
        case .day?: return (30, 1)
        case .week?: return (4, 1)
        case .month?: return (1, 1)
        case .twoMonths?: return (1, 2)
        case .quarter?: return (1, 3)
        case .halfYear?: return (1, 6)
        case .year?: return (1, 12)
        case nil: break
        }
        guard isPaid else { return nil }
        let milliseconds = period.expiresAt.milliseconds - period.purchasedAt.milliseconds
        switch Double(milliseconds) / 86_400_000 {
        case 1, 2, 3, 4, 5, 6: return (30, Int(milliseconds / 86_400_000))
        case 7, 14, 21: return (28, Int(milliseconds / 86_400_000))
        case 59, 60, 61, 62: return (1, 2)
        default: return nil
        }
    }

    /// Millionths a month by currency, each subscription's with all decimals that twelfths need.
    func recurring(isPaid wanted: Bool) -> [ExactText: Int] {
        var twelfths: [ExactText: Int] = [:]
        for one in all where [.trial, .intro, .active].contains(one.row.state) {
            guard let latest = one.periods.first(where: { $0.transactionID == one.row.lastTransactionID }),
                !latest.isTrial, let (times, over) = months(latest, isPaid: wanted)
            else { continue }
            let prices = latest.transactions.filter { Self.cut($0) == nil || latest.parts.isEmpty }.map {
                part -> (Int, ExactText, Bool)? in
                guard let price = price(part) else { return nil }
                let refunded = Self.refundedSeats(part, of: price.millionths)
                return (price.millionths - Self.rounded(refunded), price.currency, price.isPaid)
            }
            guard let first = prices.first ?? nil, first.2 == wanted,
                prices.allSatisfy({ $0?.1 == first.1 && $0?.2 == first.2 })
            else { continue }
            twelfths[first.1, default: 0] += prices.reduce(0) { $0 + ($1?.0 ?? 0) } * 12 * times / over
        }
        return twelfths.mapValues { ($0 + 6) / 12 }
    }

    private static func rounded(_ amount: Decimal) -> Int {
        var (amount, rounded) = (amount, Decimal())
        unsafe NSDecimalRound(&rounded, &amount, 0, .plain)
        return NSDecimalNumber(decimal: rounded).intValue
    }

    /// Gross or refunds by `2024-03 USD`.
    ///
    /// - Parameter wanted: whether what tokens show as paid is wanted, else all.
    func revenue(ofRefunds: Bool, onlyPaid wanted: Bool) -> [String: Int] {
        var sums: [String: Int] = [:]
        for transaction in all.flatMap(\.periods).filter({ $0.wasPaid }).flatMap(\.transactions) {
            guard let price = price(transaction), price.isPaid || !wanted else { continue }
            let gross = [(amount: Decimal(price.millionths), date: Optional(transaction.purchasedAt))]
            for (amount, date) in ofRefunds ? refunds(transaction) : gross {
                guard let date else { continue }
                sums["\(Self.month(date)) \(price.currency)", default: 0] += Self.rounded(amount)
            }
        }
        return sums
    }

    /// Paid transactions by what their value rests on.
    func periods() -> [MoneyFigures.PeriodCount: Int] {
        let transactions = all.flatMap(\.periods).filter { $0.wasPaid }.flatMap(\.transactions)
        let counts = transactions.map { period -> MoneyFigures.PeriodCount in
            if let price = price(period) { return price.isPaid ? .paid : .priced }
            let (details, currency) = (period.details, period.details?.currency)
            if details?.ownership == "FAMILY_SHARED" { return .shared }
            if details?.ownership ?? "PURCHASED" != "PURCHASED" { return .assigned }
            let isStated = details?.price != nil || details?.seats?.tiers.isEmpty == false
            if isStated, currency != nil, currency != "euro" { return .unpriced }
            return period.isIntroOffer || period.isPromotionalOffer ? .offer : .unpriced
        }
        let members = all.flatMap { one in
            one.memberPeriods.filter { $0.wasPaid }.map { period -> MoneyFigures.PeriodCount in
                one.isBuyerSeen || period.details?.ownership == "FAMILY_SHARED" ? .shared : .assigned
            }
        }
        return Dictionary(grouping: counts + members) { $0 }.mapValues(\.count)
    }
}
