import Encodings

extension ClaimDraft {
    /// The findings of single-claim rules about an honest proof: refunds, and subscriptions that ended long ago.
    var outcomes: [(rule: Plant, severity: ExpectedFinding.Severity)] {
        var outcomes: [(rule: Plant, severity: ExpectedFinding.Severity)] = []
        let asked = readable.filter { $0.productID == row.productID }
        if readable.contains(where: { $0.cancelledAt != nil }) {
            let isLost = asked.contains { refunded in
                refunded.cancelledAt != nil
                    && !asked.contains { later in
                        later.purchasedAt > refunded.purchasedAt && later.cancelledAt == nil
                            && (later.expiresAt.map { end in row.presentedAt.map { $0 < end } ?? true } ?? true)
                    }
            }
            outcomes.append((.refundedPurchase, isLost ? .medium : .info))
        }
        // A period ends with its refund.
        let ends = asked.filter { $0.kind == .autoRenewable }.compactMap { period in
            period.expiresAt.map { min($0, period.cancelledAt ?? $0) }
        }
        if let last = ends.max(), let presentedAt = row.presentedAt,
            last.adding(seconds: Int64(60 * PurchaseHistory.day)) < presentedAt
        {
            outcomes.append((.expiredSubscription, .low))
        }
        return outcomes
    }
}
