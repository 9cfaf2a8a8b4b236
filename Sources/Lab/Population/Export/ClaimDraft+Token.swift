import Encodings

/// Claims whose app uses StoreKit 2.
extension ClaimDraft {
    /// The release of StoreKit 2: no token is older.
    static let firstToken = Instant.utc(2021, 10)
    /// The date since which tokens have an `appTransactionId`.
    static let firstAppTransactionID = Instant.utc(2025, 6)

    /// The purchases that the proof shows.
    var shown: [PurchaseContent] { token.map { [$0.purchase].compactMap(\.self) } ?? receipt.purchases }

    /// The shown purchases that a reader can decode.
    var readable: [PurchaseContent] { shown.filter(\.edits.isEmpty) }

    /// The content that the store signs.
    var content: [UInt8] { token?.octets ?? receipt.der }

    /// The environment in the proof.
    var environment: String {
        token == nil ? receipt.environment : receipt.environment == "Production" ? "Production" : "Sandbox"
    }

    /// When the proof was made.
    var madeAt: Instant { token?.signedAt ?? receipt.createdAt }

    /// Presents a token for the receipt's last purchase, or for the app itself, instead of the receipt.
    ///
    /// - Parameters:
    ///   - owner: the token's owner.
    ///   - signedAt: when the store signed it.
    mutating func presentToken(of owner: TokenOwner, signedAt: Instant, _ random: inout SeededGenerator) {
        if let purchase = receipt.purchases.last, !random.chance(percent: 15) {
            present(.transaction(transaction(purchase, of: owner, signedAt: signedAt, &random)), of: owner)
            row.productID = purchase.productID
        } else {
            present(.appTransaction(appTransaction(of: owner, createdAt: signedAt, &random)), of: owner)
            row.productID = ""
        }
    }

    /// Presents a token on the owner's device and in the owner's account.
    mutating func present(_ token: SampleToken, of owner: TokenOwner) {
        self.token = token
        isBase64 = false
        row.file = Self.folder(of: index) + "/" + index.padded(to: 6) + ".jws"
        row.deviceVerificationID = owner.device.text
        row.accountToken = owner.accountToken
    }

    /// Returns a purchase of the receipt as StoreKit returns it on the owner's device.
    func transaction(
        _ purchase: PurchaseContent, of owner: TokenOwner, signedAt: Instant, _ random: inout SeededGenerator
    ) -> TransactionContent {
        TransactionContent(purchase, bundleID: receipt.bundleID, signedAt: signedAt).with {
            $0.environment = receipt.environment == "Production" ? "Production" : "Sandbox"
            $0.subscriptionGroupID = purchase.kind == .autoRenewable ? app.subscriptionGroupID : nil
            $0.accountToken = owner.accountToken
            if signedAt >= Self.firstAppTransactionID { $0.appTransactionID = owner.appTransactionID }
            $0.sell(in: owner.storefront, app.products.first { $0.id == purchase.productID })
            $0.deviceVerification = owner.verification(&random)
        }
    }

    /// Returns the download of the app on the owner's device.
    func appTransaction(
        of owner: TokenOwner, createdAt: Instant, _ random: inout SeededGenerator
    ) -> AppTransactionContent {
        AppTransactionContent(bundleID: receipt.bundleID, createdAt: createdAt).with {
            $0.receiptType = receipt.environment == "Production" ? "Production" : "Sandbox"
            $0.appItemID = receipt.appItemID
            $0.appVersion = receipt.appVersion
            $0.versionExternalID = receipt.versionExternalID
            $0.originallyPurchasedAt = receipt.originallyPurchasedAt
            $0.originalAppVersion = receipt.originalAppVersion
            $0.deviceVerification = owner.verification(&random)
            $0.appTransactionID = owner.appTransactionID
            $0.originalPlatform = app.isMac ? "macOS" : "iOS"
        }
    }
}

extension TransactionContent {
    /// Sets a country, and the product's price there, which is 0 in a free trial.
    mutating func sell(in storefront: TokenOwner.Storefront, _ product: SampleApp.Product?) {
        self.storefront = storefront.country
        storefrontID = storefront.id
        currency = storefront.currency
        price = offer?.discountType == "FREE_TRIAL" ? 0 : product?.thousandths
    }
}

extension SampleExport {
    /// Returns the draft of a claim that is neither forged nor planted.
    func honestDraft(at index: Int) -> ClaimDraft {
        var draft = ClaimDraft(index: index, seed: seed, asOf: Self.asOf)
        var random = tokenGenerator(at: index)
        guard random.below(1_000_000) < tokensPerMillion else { return draft }
        if let receipt = receiptWithToken(at: index) {
            let owner = TokenOwner(index - 1, seed: seed)
            draft = receipt
            draft.index = index
            // The app is updated, and a few days later uses StoreKit 2.
            let delay = min(Self.asOf.seconds - draft.presentation.seconds, Int64(7 * PurchaseHistory.day))
            let signedAt = draft.presentation.adding(seconds: Int64(random.below(Int(delay))))
            draft.presentToken(of: owner, signedAt: signedAt, &random)
            draft.row.presentedAt = signedAt
        } else if draft.receipt.createdAt >= ClaimDraft.firstToken {
            let owner = TokenOwner(index, seed: seed)
            draft.presentToken(of: owner, signedAt: draft.receipt.createdAt, &random)
        } else {
            return draft
        }
        if random.chance(percent: 10) { draft.row.deviceVerificationID = "" }
        if random.chance(percent: 20) { draft.row.accountToken = "" }
        return draft
    }

    /// Returns the previous claim, if this one presents a token of the same person: the previous one must be an honest
    /// receipt with a purchase that is not used up. `nil` if the token belongs to another person.
    func receiptWithToken(at index: Int) -> ClaimDraft? {
        guard index > 0, isToken(at: index), !isToken(at: index - 1),
            [index - 1, index].allSatisfy({ forgery(at: $0) == nil && plantedMember(at: $0) == nil })
        else { return nil }
        let draft = ClaimDraft(index: index - 1, seed: seed, asOf: Self.asOf)
        let refunds = draft.receipt.purchases.count { $0.cancelledAt != nil }
        guard draft.receipt.createdAt >= ClaimDraft.firstToken, let last = draft.receipt.purchases.last,
            last.kind != .consumable, refunds < 2, draft.presentation < Self.asOf
        else { return nil }
        return draft
    }

    private func isToken(at index: Int) -> Bool {
        var random = tokenGenerator(at: index)
        return random.below(1_000_000) < tokensPerMillion
    }

    /// Another seed than the drafts', so that receipts stay the same for any share of tokens.
    private func tokenGenerator(at index: Int) -> SeededGenerator {
        SeededGenerator(seed: seed ^ 0x746f_6b65_6e73, index: index)
    }
}

extension ClaimDraft {
    /// When the claim was presented.
    fileprivate var presentation: Instant { row.presentedAt ?? receipt.createdAt }
}
