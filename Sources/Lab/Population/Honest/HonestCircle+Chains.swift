import Encodings

/// Subscriptions that move from one chain of transactions to another, and years paid in months.
extension HonestCircle {
    /// Apple's possible statements that a chain was left for another.
    private static let moveEnds: [(type: String?, reason: Int?)] = [
        (nil, 2), (nil, nil), ("UPGRADED_TO_BUNDLE", 2), ("REFUND_PRORATED", nil), (nil, 0),
    ]

    /// A customer moves into a bundle and out again, three times: four chains, one customer.
    mutating func switchBundles() {
        guard let member = members.first else { return }
        let app = app(random.below(3))
        guard let product = app.subscriptions.last else { return }
        let end = Self.moveEnds[random.below(Self.moveEnds.count)]
        var previous: String?
        for chain in 0..<4 {
            let began = start.adding(seconds: Self.month * Int64(3 * chain))
            var original: String?
            for period in 0..<3 {
                let date = began.adding(seconds: Self.month * Int64(period))
                var bought = nextPeriod(
                    product, of: app, by: member, at: date, days: period == 2 ? 45 : 30, of: &original, since: began)
                bought.previousOriginalTransactionID = previous
                if chain % 2 == 1 { bought.bundleTransactionID = "9" + bought.transactionID }
                present(bought, by: member, at: date.adding(seconds: 60), life: .moved)
                guard period == 2, chain < 3 else { continue }
                let left = began.adding(seconds: 3 * Self.month)
                let ended = bought.with {
                    $0.revokedAt = left
                    $0.revocationType = end.type
                    $0.revocationReason = end.reason
                    if end.type == "REFUND_PRORATED" { $0.revocationPercentage = 50_000 }
                    $0.signedAt = left.adding(seconds: 2)
                }
                if random.chance(percent: 50) { notify("DID_CHANGE_RENEWAL_PREF", of: ended, at: ended.signedAt) }
                present(ended, by: member, at: left.adding(seconds: 3600), life: .moved)
            }
            previous = original
        }
    }

    /// A year paid in months, and a subscription with some items refunded.
    mutating func commit() {
        guard let member = members.first else { return }
        let app = app(0)
        guard let product = app.subscriptions.last else { return }
        let isMonthly = random.chance(percent: 50)
        var original: String?
        for period in 0..<12 {
            let date = start.adding(seconds: Self.month * Int64(period))
            var bought = nextPeriod(product, of: app, by: member, at: date, of: &original, since: start)
            guard isMonthly else {
                sellItems(in: &bought, isRefunded: period % 3 == 2, at: date)
                continue
            }
            bought.billingPlanType = "MONTHLY"
            bought.commitmentInfo = .object([
                ("billingPeriodNumber", .number(period + 1)), ("totalBillingPeriods", .number(12)),
                ("commitmentExpiresDate", .date(start.adding(seconds: 12 * Self.month))),
                ("commitmentPrice", .number(product.thousandths * 12)),
            ])
            present(bought, by: member, at: date.adding(seconds: 60), life: .commitment)
        }
    }

    /// Sells two items in one transaction, and refunds part of one.
    private mutating func sellItems(in bought: inout TransactionContent, isRefunded: Bool, at date: Instant) {
        guard let member = members.first else { return }
        let whole = bought.with { $0.advancedCommerceInfo = Self.items([]) }
        present(whole, by: member, at: date.adding(seconds: 60), life: .itemRefund)
        guard isRefunded else { return }
        let refundedAt = date.adding(seconds: 5 * 86_400)
        let refund = SampleJSON.object([
            ("refundAmount", .number(500)), ("refundDate", .date(refundedAt)),
            ("refundReason", .text(random.chance(percent: 50) ? "UNSATISFIED_WITH_PURCHASE" : "MODIFY_ITEMS_REFUND")),
            ("refundType", .text("CUSTOM")),
        ])
        let refunded = bought.with {
            $0.advancedCommerceInfo = Self.items([refund])
            $0.signedAt = refundedAt.adding(seconds: 2)
            if random.chance(percent: 50) { $0.revokedAt = refundedAt }
        }
        notify("REFUND", of: refunded, at: refunded.signedAt)
        present(refunded, by: member, at: refundedAt.adding(seconds: 3600), life: .itemRefund)
    }

    private static func items(_ refunds: [SampleJSON]) -> SampleJSON {
        let items = ["base", "extra"].map { sku in
            SampleJSON.object([
                ("SKU", .text(sku)), ("price", .number(4995)), ("refunds", .list(sku == "extra" ? refunds : [])),
            ])
        }
        return .object([("items", .list(items))])
    }
}
