extension TransactionDetails {
    /// What the purchase cost in all, in thousandths of the currency's unit: the sum over price tiers; without them the
    /// price, which of an auto-renewable subscription is that of one seat.
    ///
    /// - Parameters:
    ///   - quantity: the purchase's.
    ///   - kind: the purchase's; where nobody knows it, the price of several may be that of all or of one.
    /// - Returns: `nil` for a member, who did not pay, without a price, and where the numbers say nothing that can be.
    public func amount(quantity: Int?, kind: Purchase.Kind?) -> Int64? {
        guard !isMember else { return nil }
        if let seats, !seats.tiers.isEmpty { return seats.tiers.amount }
        guard let price, price >= 0 else { return nil }
        guard let quantity, quantity > 1 else { return price }
        switch kind {
        case .autoRenewable:
            let (product, overflow) = price.multipliedReportingOverflow(by: Int64(quantity))
            return overflow ? nil : product
        case .consumable, .nonConsumable, .nonRenewing, .freeSubscription: return price
        case nil: return nil
        }
    }
}

extension Purchase {
    /// What it cost its buyer in all, in thousandths of the currency's unit; `nil` if no token says so.
    public var amount: Int64? { details?.amount(quantity: quantity, kind: kind) }
}
