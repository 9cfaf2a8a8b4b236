import Encodings

/// A tester with receipts from the sandbox: many accounts and reinstalls, periods of minutes, and restores that the
/// sandbox dates in an order that would be impossible in production.
extension HonestLives {
    init(tester number: Int, seed: UInt64) {
        self.init(
            random: SeededGenerator(seed: seed ^ 0x7465_7374_6572, index: number),
            numbers: HonestNumbers(account: number, isSandbox: true))
        let app = SampleApp.catalogue[random.below(SampleApp.catalogue.count)]
        var devices: [SampleDevice] = []
        var purchases: [PurchaseContent] = []
        for session in 0..<random.within(3...20) {
            if devices.isEmpty || random.chance(percent: 30) {
                devices.append(ClaimDraft.device(isMac: false, index: number, seed: seed, &random))
            }
            let day = HonestWorld.start.adding(seconds: Int64(random.below(30 * PurchaseHistory.day)))
            let start = day.adding(seconds: Int64(session * 50 * PurchaseHistory.day))
            subscribe(to: app, at: start, &purchases)
            let created = start.adding(seconds: 1900)
            var receipt = ReceiptContent(bundleID: app.bundleID, device: devices[devices.count - 1], createdAt: created)
            receipt.environment = "ProductionSandbox"
            receipt.appItemID = 0
            receipt.developerID = 0
            receipt.downloadID = 0
            receipt.versionExternalID = 0
            receipt.downloadedAt = nil
            receipt.originallyPurchasedAt = Instant(rfc3339: "2013-08-01T07:00:00Z")
            receipt.originalAppVersion = "1.0"
            receipt.appVersion = app.versions[app.versions.count - 1]
            receipt.opaqueValue = random.octets(16)
            receipt.purchases = purchases
            let digest: SampleDigest = created < .utc(2025, 1, 24) ? .sha1 : .sha256
            receipts.append(HonestReceipt(content: receipt, digest: digest, life: .tester))
            claims.append(
                HonestClaim(
                    person: "tester-\(number)", receipt: receipts.count - 1, devices: [devices[devices.count - 1]],
                    accountID: "qa-\(number)-\(random.below(8))", bundleID: app.bundleID,
                    appVersion: receipt.appVersion, productID: purchases.last?.productID ?? "",
                    presentedAt: created.adding(seconds: 5), life: .tester))
        }
    }

    /// Adds six periods of five minutes. Those of earlier sessions have the new restore's date as their original date.
    private mutating func subscribe(to app: SampleApp, at start: Instant, _ purchases: inout [PurchaseContent]) {
        let product = app.subscriptions[random.below(app.subscriptions.count)]
        let isRestored = random.chance(percent: 30)
        for number in 0..<6 {
            var purchase = PurchaseContent(
                .autoRenewable, productID: product.id, transactionID: String(numbers.next()),
                purchasedAt: start.adding(seconds: Int64(300 * number)))
            let original = purchases.first ?? purchase
            purchase.originalTransactionID = original.originalTransactionID
            purchase.originallyPurchasedAt = original.originallyPurchasedAt
            purchase.webOrderLineItemID = numbers.next()
            purchase.expiresAt = purchase.purchasedAt.adding(seconds: 300)
            purchase.isTrial = purchases.isEmpty
            purchases.append(purchase)
        }
        guard isRestored else { return }
        for place in purchases.indices { purchases[place].originallyPurchasedAt = start }
    }
}
