import Encodings

/// Makes up the purchases of one user in one app until the receipt was created.
///
/// Histories have the invariants of genuine ones: no purchase after the receipt, no expiry before its purchase, one
/// trial or introductory offer per subscription, and transaction ids that no other claim has.
struct PurchaseHistory {
    let app: SampleApp
    let createdAt: Instant
    let isSandbox: Bool
    /// The index of the claim, which determines transaction ids.
    let index: Int
    /// The number of the claim's transactions so far.
    private var count: Int

    init(app: SampleApp, createdAt: Instant, isSandbox: Bool, index: Int, startingAt count: Int = 0) {
        self.count = count
        self.app = app
        self.createdAt = createdAt
        self.isSandbox = isSandbox
        self.index = index
    }

    /// Returns nothing, some one-time purchases, or a subscription.
    mutating func purchases(_ random: inout SeededGenerator) -> [PurchaseContent] {
        switch random.below(100) {
        case ..<34: []
        case ..<64: (0..<random.within(1...3)).map { _ in oneTime(&random) }
        default: subscription(&random) + (random.chance(percent: 20) ? [oneTime(&random)] : [])
        }
    }

    /// Returns one purchase that does not renew.
    mutating func oneTime(_ random: inout SeededGenerator) -> PurchaseContent {
        let product = app.oneTimeProducts[random.below(app.oneTimeProducts.count)]
        let age = Int64(random.below(400 * Self.day) + 60)
        var purchase = PurchaseContent(
            product.kind, productID: product.id, transactionID: nextTransactionID(),
            purchasedAt: createdAt.adding(seconds: -age))
        purchase.productItemID = isSandbox ? 0 : product.itemID
        if product.kind == .consumable, random.chance(percent: 10) { purchase.quantity = random.within(2...5) }
        if random.chance(percent: 2) {
            purchase.cancelledAt = purchase.purchasedAt.adding(seconds: age / 2)
        }
        return purchase
    }

    /// Returns one subscription: 1 to 24 periods, few more often than many, the first perhaps a trial or an offer.
    private mutating func subscription(_ random: inout SeededGenerator) -> [PurchaseContent] {
        let product = app.subscriptions[random.below(app.subscriptions.count)]
        let beginning = random.below(100)
        let periods = periods(of: product, isTrial: beginning < 30, &random)
        var purchases: [PurchaseContent] = []
        for (number, period) in periods.enumerated() {
            var purchase = PurchaseContent(
                .autoRenewable, productID: product.id, transactionID: nextTransactionID(),
                purchasedAt: period.lowerBound)
            purchase.originalTransactionID = purchases.first?.transactionID ?? purchase.transactionID
            purchase.originallyPurchasedAt = purchases.first?.purchasedAt ?? purchase.purchasedAt
            purchase.productItemID = isSandbox ? 0 : product.itemID
            purchase.webOrderLineItemID = Self.firstLineItem + index * 100 + number
            purchase.expiresAt = period.upperBound
            purchase.isTrial = number == 0 && beginning < 30
            purchase.isIntroOffer = number == 0 && (30..<42).contains(beginning)
            if number > 0, random.chance(percent: 2) { purchase.promotionalOfferID = "loyal-\(product.days)" }
            purchase.hasAttribute1722 = createdAt >= .utc(2021, 12)
            purchases.append(purchase)
        }
        if random.chance(percent: 3), let last = purchases.indices.last {
            let age = createdAt.seconds - purchases[last].purchasedAt.seconds
            purchases[last].cancelledAt = purchases[last].purchasedAt.adding(seconds: age / 2)
        }
        return purchases
    }

    /// Returns the periods of a subscription, the oldest first. Now and then there is a lapse between two.
    private func periods(
        of product: SampleApp.Product, isTrial: Bool, _ random: inout SeededGenerator
    ) -> [ClosedRange<Instant>] {
        let length = isSandbox ? 300 : product.days * Self.day
        let wanted = 1 + random.below(24) * random.below(24) / 23
        let count = product.days == 365 ? min(wanted, 5) : wanted
        var periods: [ClosedRange<Instant>] = []
        var start = createdAt.adding(seconds: -Int64(60 + random.below(2 * length)))
        for number in (0..<count).reversed() {
            let duration = number == 0 && isTrial ? min(length, 7 * Self.day) : length
            if number < count - 1 {
                let lapse = random.chance(percent: 5) ? random.within(2 * Self.day...40 * Self.day) : 0
                start = start.adding(seconds: -Int64(duration + lapse))
            }
            periods.append(start...start.adding(seconds: Int64(duration)))
        }
        return periods.reversed()
    }

    /// Returns an id of fifteen digits in production, sixteen in the sandbox; a hundred per claim.
    private mutating func nextTransactionID() -> String {
        defer { count += 1 }
        return String((isSandbox ? Self.firstInSandbox : Self.firstInProduction) + index * 100 + count)
    }

    static let day = 86_400
    static let firstInProduction = 460_000_000_000_000
    private static let firstInSandbox = 2_000_000_000_000_000
    static let firstLineItem = 470_000_000_000_000
}
