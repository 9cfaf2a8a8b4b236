import Encodings

/// StoreKit 2's data about one Apple Account's use of one app, by any of its people.
struct HonestStoreKit: Sendable {
    /// The time from which the app presents tokens instead of receipts; `nil` if it never does.
    let since: Instant?
    /// An id that is unique for an Apple Account and app.
    let appTransactionID: String
    /// The country of the Apple Account, and the one that it moved to.
    private let storefronts: [TokenOwner.Storefront]
    private let movedAt: Instant?
    /// Whether another family member bought everything, and shares it.
    let isFamilyShared: Bool
    /// When the sharing ended.
    let sharingEndedAt: Instant?

    /// Another generator than that of the lives, so that receipts are the same for any share of tokens.
    init(account: Int, app: Int, isShared: Bool, seed: UInt64, _ parameters: HonestParameters) {
        var random = SeededGenerator(seed: seed ^ 0x746f_6b65_6e73, index: account)
        // An Apple Account is in one country, in all of its apps.
        let first = random.below(TokenOwner.Storefront.all.count)
        let second = (first + 1 + random.below(TokenOwner.Storefront.all.count - 1)) % TokenOwner.Storefront.all.count
        storefronts = [first, second].map { TokenOwner.Storefront.all[$0] }
        let moves = random.chance(perThousand: parameters.moves * 3)
        let date = HonestWorld.start.adding(seconds: Int64(random.below(HonestWorld.seconds)))
        movedAt = moves ? date : nil
        random = SeededGenerator(seed: seed ^ 0x7374_6f72_656b, index: account * 8 + app)
        appTransactionID = String(705_000_000_000_000_000 + account * 8 + app)
        let usesTokens = random.chance(percent: parameters.tokenUsers)
        let switches = random.chance(percent: parameters.switches)
        let switchedAt = HonestWorld.start.adding(seconds: Int64(random.below(HonestWorld.seconds)))
        since = usesTokens ? (switches ? switchedAt : HonestWorld.leadIn) : nil
        isFamilyShared = !isShared && random.chance(percent: parameters.familyShared)
        let ends = isFamilyShared && random.chance(percent: parameters.sharingEnds)
        let end = HonestWorld.start.adding(seconds: Int64(random.below(HonestWorld.seconds)))
        sharingEndedAt = ends ? end : nil
    }

    /// Returns the UUID that an app gives to StoreKit for an account; empty for a guest.
    static func accountToken(of account: String) -> String {
        guard !account.isEmpty else { return "" }
        var octets = Array(SampleDigest.sha256.hash(Array("account \(account)".utf8)).prefix(16))
        octets[6] = octets[6] & 0x0f | 0x80  // a UUID of a hash (RFC 9562, section 5.8)
        octets[8] = octets[8] & 0x3f | 0x80
        return SampleDevice.vendorIdentifier(octets).text.lowercased()
    }

    /// Whether the app presents tokens at an instant.
    func usesTokens(at instant: Instant) -> Bool { since.map { $0 <= instant } ?? false }

    /// Whether the Apple Account is in another country than before.
    func hasMoved(at instant: Instant) -> Bool { movedAt.map { $0 <= instant } ?? false }

    /// Returns the App Store where something was bought.
    func storefront(at instant: Instant) -> TokenOwner.Storefront { storefronts[hasMoved(at: instant) ? 1 : 0] }
}

extension HonestLives {
    /// Returns the index of the token that an app with tokens presents: of the last transaction of a product, or of the
    /// app itself if it asks for none.
    ///
    /// - Parameters:
    ///   - snapshot: the index of what the app got from the App Store, as a receipt.
    ///   - device: the device that it was made for.
    ///   - accountToken: returns the UUID that the app gave to StoreKit, by the time of a purchase; empty for a guest.
    mutating func token(
        of snapshot: Int, bound device: SampleDevice, product: String, _ store: HonestStoreKit, app: SampleApp,
        accountToken: (Instant) -> String
    ) -> Int {
        let made = receipts[snapshot]
        let purchase = made.content.purchases.last { !product.isEmpty && $0.productID == product }
        let name = "\(snapshot) \(purchase?.transactionID ?? "")"
        if let known = tokens[name] { return known }
        let index = Int(truncatingIfNeeded: made.content.createdAt.seconds &* 64 &+ Int64(snapshot))
        var random = SeededGenerator(seed: made.content.opaqueValue.reduce(7) { $0 &* 31 &+ UInt64($1) }, index: index)
        let verification = DeviceVerification(nonce: TokenOwner.uuid(&random), deviceID: device.text)
        var life = made.life.union(.token)
        let token: SampleToken
        if let purchase {
            let transaction = transaction(
                purchase, in: made.content, store, app, accountToken(purchase.purchasedAt), verification, &life, &random
            )
            token = .transaction(transaction)
        } else {
            token = .appTransaction(
                AppTransactionContent(bundleID: app.bundleID, createdAt: made.content.createdAt).with {
                    $0.appItemID = app.itemID
                    $0.appVersion = made.content.appVersion
                    $0.originallyPurchasedAt = made.content.originallyPurchasedAt
                    $0.originalAppVersion = made.content.originalAppVersion
                    $0.appTransactionID = store.appTransactionID
                    $0.originalPlatform = app.isMac ? "macOS" : "iOS"
                    $0.deviceVerification = verification
                })
        }
        receipts.append(HonestReceipt(content: made.content, digest: made.digest, life: life, token: token))
        tokens[name] = receipts.count - 1
        return receipts.count - 1
    }

    private func transaction(
        _ purchase: PurchaseContent, in receipt: ReceiptContent, _ store: HonestStoreKit, _ app: SampleApp,
        _ accountToken: String, _ verification: DeviceVerification, _ life: inout HonestLife,
        _ random: inout SeededGenerator
    ) -> TransactionContent {
        var content = TransactionContent(purchase, bundleID: receipt.bundleID, signedAt: receipt.createdAt)
        if let offer = Self.offer(of: purchase) {
            content.offer = offer
            life.insert(.offer)
        }
        if purchase.kind == .autoRenewable { content.subscriptionGroupID = app.subscriptionGroupID }
        content.accountToken = accountToken.isEmpty ? nil : accountToken
        content.appTransactionID = store.appTransactionID
        content.sell(in: store.storefront(at: purchase.purchasedAt), app.products.first { $0.id == purchase.productID })
        content.deviceVerification = verification
        content.isUpgraded = purchase.cancelledAt != nil && isUpgrade(purchase, in: receipt) ? true : nil
        if store.hasMoved(at: receipt.createdAt) { life.insert(.movedCountry) }
        guard store.isFamilyShared, purchase.kind != .consumable else { return content }
        life.insert(.familyShared)
        content.ownership = "FAMILY_SHARED"
        content.accountToken = nil
        if let end = store.sharingEndedAt, end <= receipt.createdAt, purchase.purchasedAt < end {
            life.insert(.sharingEnded)
            content.revokedAt = end
            content.revocationType = "FAMILY_REVOKE"
            content.revocationReason = 0
        }
        return content
    }

    /// Whether the subscription continued with another product when the period was cancelled, or some hours before.
    private func isUpgrade(_ purchase: PurchaseContent, in receipt: ReceiptContent) -> Bool {
        receipt.purchases.contains { other in
            other.originalTransactionID == purchase.originalTransactionID
                && [0, parameters.cancellationDelay].contains {
                    other.purchasedAt.adding(seconds: Int64($0)) == purchase.cancelledAt
                }
        }
    }

    /// Returns the offer of a renewal, which is the same in all of its tokens: a promotional one, a code, or a win-back
    /// offer, some of them free.
    private static func offer(of purchase: PurchaseContent) -> OfferContent? {
        guard purchase.kind == .autoRenewable, !purchase.isTrial, !purchase.isIntroOffer else { return nil }
        switch SeededGenerator.first(purchase.webOrderLineItemID) % 100 {
        case ..<4: return OfferContent(2, identifier: "loyal", discountType: "PAY_AS_YOU_GO", period: "P1M")
        case ..<6: return OfferContent(3, identifier: "newsletter", discountType: "FREE_TRIAL", period: "P1W")
        case ..<7: return OfferContent(4, identifier: "come-back", discountType: "FREE_TRIAL", period: "P1W")
        default: return nil
        }
    }
}

extension SeededGenerator {
    /// Returns a number that is a function of another one.
    fileprivate static func first(_ number: Int) -> Int {
        var random = SeededGenerator(seed: 0x6f66_6665_7273, index: number)
        return random.below(1 << 20)
    }
}
