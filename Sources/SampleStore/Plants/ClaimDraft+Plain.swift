import Encodings

extension ClaimDraft {
    /// A claim in production with nothing bought, whose row says all that the receipt says.
    init(plainAt index: Int, seed: UInt64, app: SampleApp, createdAt: Instant, device: SampleDevice? = nil) {
        self.init(index: index, seed: seed, asOf: SampleExport.asOf)
        var random = SeededGenerator(seed: ~seed, index: index)
        let own = Self.device(isMac: app.isMac, index: index, seed: seed, &random)
        self.app = app
        digest = createdAt < .utc(2025, 1, 24) ? .sha1 : .sha256
        receipt = Self.receipt(for: app, device ?? own, createdAt, false, index, &random)
        receipt.purchases = []
        receipt.originallyPurchasedAt = createdAt.adding(
            seconds: -Int64(random.within(450...700) * PurchaseHistory.day))
        row.deviceID = receipt.device.text
        row.accountID = "account-\(index)"
        row.bundleID = receipt.bundleID
        row.appVersion = receipt.appVersion
        row.productID = ""
        row.presentedAt = createdAt.adding(seconds: Int64(60 + random.below(PurchaseHistory.day / 2)))
    }

    /// One of the hundred transaction ids that no other claim has.
    func transactionID(_ number: Int) -> String { String(PurchaseHistory.firstInProduction + index * 100 + number) }

    /// A purchase that does not renew, so many days before the receipt.
    func bought(_ product: SampleApp.Product, _ number: Int = 0, daysBefore days: Int = 1) -> PurchaseContent {
        var purchase = PurchaseContent(
            product.kind, productID: product.id, transactionID: transactionID(number),
            purchasedAt: receipt.createdAt.adding(seconds: -Int64(days * PurchaseHistory.day)))
        purchase.productItemID = product.itemID
        return purchase
    }

    /// A first period of a subscription, so many days before the receipt.
    func subscribed(to product: SampleApp.Product, _ number: Int = 0, daysBefore days: Int = 1) -> PurchaseContent {
        bought(product, number, daysBefore: days).with {
            $0.webOrderLineItemID = PurchaseHistory.firstLineItem + index * 100 + number
            $0.expiresAt = $0.purchasedAt.adding(seconds: Int64(max(product.days, 1) * PurchaseHistory.day))
            $0.hasAttribute1722 = receipt.createdAt >= .utc(2021, 12)
        }
    }

    /// A purchase of somebody else, restored into this claim's receipt: a new transaction of the same original.
    func restored(_ purchase: PurchaseContent, _ number: Int = 0) -> PurchaseContent {
        purchase.with {
            $0.transactionID = transactionID(number)
            $0.purchasedAt = receipt.createdAt.adding(seconds: -3600)
        }
    }
}

extension SampleApp {
    static let notes = catalogue[0]
    static let kingdoms = catalogue[1]
    static let drafts = catalogue[3]

    /// What an app sells that is restored on every device of an account.
    var unlock: Product { oneTimeProducts[0] }
}
