import Encodings
package import Receipts

extension TransactionDetails: Recorded {
    package static var unread: TransactionDetails { TransactionDetails() }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var bits = try coder.beginBits()
        try coder.wideNumber(&price, &bits)
        try coder.text(&currency, &bits)
        try coder.text(&ownership, &bits)
        try coder.text(&storefront, &bits)
        coder.flag(&isUpgraded, &bits)
        try coder.number(&offerType, &bits)
        try coder.text(&revocationType, &bits)
        try coder.number(&revocationReason, &bits)
        try coder.number(&revocationPercentage, &bits)
        try coder.text(&previousOriginalTransactionID, &bits)
        try coder.text(&subscriptionGroupID, &bits)
        try coder.text(&appAccountToken, &bits)
        try coder.text(&additionalReason, &bits)
        let isNew = billingPlan != nil || commitmentExpiresDate != nil || bundleTransactionID != nil || seats != nil
        let hasMore = isNew || commerce != nil || seatsRefundedAt != nil || movedAt != nil
        if coder.isPresent(hasMore, &bits) { try codeMore(&coder) } else { dropMore() }
        coder.end(bits)
    }

    /// Codes the fields that most transactions lack.
    private mutating func codeMore<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var bits = try coder.beginBits()
        try coder.text(&billingPlan, &bits)
        try coder.instant(&commitmentExpiresDate, &bits)
        try coder.text(&bundleTransactionID, &bits)
        try coder.instant(&seatsRefundedAt, &bits)
        try coder.instant(&movedAt, &bits)
        try coder.value(&seats, &bits)
        try coder.value(&commerce, &bits)
        coder.end(bits)
    }

    private mutating func dropMore() {
        billingPlan = nil
        commitmentExpiresDate = nil
        bundleTransactionID = nil
        seatsRefundedAt = nil
        movedAt = nil
        seats = nil
        commerce = nil
    }
}

extension SeatInfo: Recorded {
    package static var unread: SeatInfo { SeatInfo() }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.list(&tiers)
        var bits = try coder.beginBits()
        try coder.number(&revoked, &bits)
        coder.end(bits)
    }
}

extension SeatInfo.Tier: Recorded {
    package static var unread: Self { Self(price: 0, quantity: 0) }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.signed(&price)
        var seats = Int64(quantity)
        try coder.signed(&seats)
        quantity = Int(seats)
    }
}

extension CommerceItems: Recorded {
    package static var unread: CommerceItems { CommerceItems() }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.list(&refunds, of: Refund(amount: 0)) { (refund, coder) throws(Coder.Failure) in
            try coder.signed(&refund.amount)
            var bits = try coder.beginBits()
            try coder.instant(&refund.date, &bits)
            try coder.text(&refund.reason, &bits)
            coder.end(bits)
        }
        var bits = try coder.beginBits()
        coder.flag(&areAllRevoked, &bits)
        try coder.instant(&revokedAt, &bits)
        coder.end(bits)
    }
}
