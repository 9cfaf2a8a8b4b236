import Encodings

extension Token {
    /// How deep a payload may nest objects and arrays.
    static let maxDepth = 64

    /// Reads a decoded payload: a JSON object of one of the kinds that the App Store signs.
    ///
    /// A member that its kind does not require counts as absent if it is of another type than Apple's. If one is missing
    /// that its kind does require, ``error`` says so, and the rest is read.
    ///
    /// - Throws: ``TokenError`` if it is of no known kind.
    public init(parsing payload: [UInt8]) throws(TokenError) {
        var members = try TokenMembers(payload)
        guard let kind = members.kind else { throw .unknownKind }
        self.init(kind: kind)
        switch kind {
        case .notification: readNotification(&members)
        case .realtimeRequest:
            _ = members.requiredText("requestIdentifier")
            originalTransactionID = members.requiredText("originalTransactionId")
            signedAt = members.requiredDate("signedDate")
            environment = members.text("environment")
            productID = members.text("productId")
        case .transaction: readTransaction(&members)
        case .renewalInfo: readRenewalInfo(&members)
        case .appTransaction:
            environment = members.requiredText("receiptType")
            bundleID = members.requiredText("bundleId")
            signedAt = members.requiredDate("receiptCreationDate")
            appVersion = members.text("applicationVersion")
            originalAppVersion = members.text("originalApplicationVersion")
            originalPurchaseDate = members.date("originalPurchaseDate")
        }
        appTransactionID = members.text("appTransactionId")
        appAccountToken = members.text("appAccountToken")
        deviceVerification = members.deviceVerification
        error = members.error
    }

    private mutating func readTransaction(_ members: inout TokenMembers) {
        transactionID = members.requiredText("transactionId")
        originalTransactionID = members.requiredText("originalTransactionId")
        bundleID = members.requiredText("bundleId")
        productID = members.requiredText("productId")
        let date = members.requiredDate("purchaseDate")
        signedAt = members.requiredDate("signedDate")
        environment = members.text("environment")
        guard let transactionID, let productID, let date else { return }
        var purchase = Purchase(productID: productID, transactionID: transactionID, purchaseDate: date)
        purchase.originalTransactionID = originalTransactionID
        purchase.read(members)
        self.purchase = purchase
    }

    private mutating func readRenewalInfo(_ members: inout TokenMembers) {
        originalTransactionID = members.requiredText("originalTransactionId")
        signedAt = members.requiredDate("signedDate")
        environment = members.text("environment")
        productID = members.text("productId")
        let (status, next) = (members.integer("autoRenewStatus"), members.text("autoRenewProductId"))
        if status == nil, next == nil { _ = members.requiredText("autoRenewProductId") }
        var renewal = RenewalInfo()
        renewal.renewsByItself = status.map { $0 != 0 }
        renewal.nextProductID = next
        renewal.expirationIntent = members.integer("expirationIntent").flatMap { Int(exactly: $0) }
        renewal.isInBillingRetryPeriod = members.bool("isInBillingRetryPeriod")
        renewal.gracePeriodExpiresDate = members.date("gracePeriodExpiresDate")
        renewal.renewalDate = members.date("renewalDate")
        renewal.renewalPrice = members.integer("renewalPrice")
        renewal.currency = members.text("currency")
        renewal.offerID = members.text("offerIdentifier")
        renewal.offerType = members.integer("offerType").flatMap { Int(exactly: $0) }
        renewal.priceIncreaseStatus = members.integer("priceIncreaseStatus").flatMap { Int(exactly: $0) }
        renewal.productID = productID
        renewal.quantity = members.integer("renewalQuantity").flatMap { Int(exactly: $0) }
        renewal.tiers =
            members.object("multiSeatInfo").flatMap { SeatInfo($0, tiers: "renewalPriceTiers") }?.tiers ?? []
        let commitment = members.object("commitmentInfo")
        renewal.commitmentRenews = commitment?.integer("commitmentAutoRenewStatus").map { $0 != 0 }
        renewal.commitmentRenewalDate = commitment?.date("commitmentRenewalDate")
        self.renewal = renewal
    }
}

extension Purchase {
    /// Reads what a transaction shows besides what it must.
    fileprivate mutating func read(_ members: TokenMembers) {
        quantity = members.integer("quantity").flatMap { Int(exactly: $0) }
        originalPurchaseDate = members.date("originalPurchaseDate")
        kind = members.text("type").flatMap { Kind(token: $0) }
        expiresDate = members.date("expiresDate")
        webOrderLineItemID = members.text("webOrderLineItemId").flatMap { Int($0.text) }.flatMap { $0 == 0 ? nil : $0 }
        cancellationDate = members.date("revocationDate")
        var details = TransactionDetails()
        details.price = members.integer("price")
        details.currency = members.text("currency")
        details.ownership = members.text("inAppOwnershipType")
        details.storefront = members.text("storefront")
        details.isUpgraded = members.bool("isUpgraded") ?? false
        details.offerType = members.integer("offerType").flatMap { Int(exactly: $0) }
        details.revocationType = members.text("revocationType")
        details.revocationReason = members.integer("revocationReason").flatMap { Int(exactly: $0) }
        details.revocationPercentage = members.integer("revocationPercentage").flatMap { Int(exactly: $0) }
        details.previousOriginalTransactionID = members.text("previousOriginalTransactionId")
        details.subscriptionGroupID = members.text("subscriptionGroupIdentifier")
        details.appAccountToken = members.text("appAccountToken")
        details.additionalReason = members.text("additionalTransactionReason")
        details.billingPlan = members.text("billingPlanType")
        details.commitmentExpiresDate = members.object("commitmentInfo")?.date("commitmentExpiresDate")
        details.bundleTransactionID = members.text("bundleTransactionId")
        details.seats = members.object("multiSeatInfo").flatMap { SeatInfo($0, tiers: "priceTiers") }
        details.commerce = members.object("advancedCommerceInfo").map { CommerceItems($0) }
        // Apple may say that all items were given back, and not that the whole was.
        cancellationDate = cancellationDate ?? details.commerce?.endedAt(price: details.price)
        self.details = details
        promotionalOfferID = members.text("offerIdentifier")
        let isFree = members.text("offerDiscountType").map { $0 == "FREE_TRIAL" } ?? (details.price == 0)
        isTrialPeriod = details.offerType != nil && isFree
        isInIntroOfferPeriod = details.offerType == 1 && !isFree
        saysTrial = true
        saysIntroOffer = kind == .autoRenewable
    }
}

extension SeatInfo {
    /// - Returns: `nil` if it says nothing of seats.
    fileprivate init?(_ members: TokenMembers, tiers name: ExactText) {
        let tiers = members.objects(name, upTo: Self.maxTiers).compactMap { tier -> Tier? in
            guard let price = tier.integer("price"), let quantity = tier.integer("quantity") else { return nil }
            return Int(exactly: quantity).map { Tier(price: price, quantity: $0) }
        }
        self.init(tiers: tiers, revoked: members.integer("revokedSeatQuantity").flatMap { Int(exactly: $0) })
        if self.tiers.isEmpty, revoked == nil { return nil }
    }
}

extension CommerceItems {
    fileprivate init(_ members: TokenMembers) {
        self.init()
        let items = members.objects("items", upTo: Self.maxItems)
        let dates = items.map { $0.date("revocationDate") }
        areAllRevoked = !items.isEmpty && dates.allSatisfy { $0 != nil }
        revokedAt = dates.compactMap(\.self).max()
        for item in items {
            for refund in item.objects("refunds", upTo: Self.maxItems) where refunds.count < Self.maxItems {
                refunds.append(
                    Refund(
                        amount: refund.integer("refundAmount") ?? 0, date: refund.date("refundDate"),
                        reason: refund.text("refundReason")))
            }
        }
    }
}

extension Purchase.Kind {
    /// The kind that `type` of a transaction names; `nil` if it is not known.
    fileprivate init?(token type: ExactText) {
        switch type {
        case "Auto-Renewable Subscription": self = .autoRenewable
        case "Non-Consumable": self = .nonConsumable
        case "Consumable": self = .consumable
        case "Non-Renewing Subscription": self = .nonRenewing
        default: return nil
        }
    }
}

/// The members of a payload, by name.
struct TokenMembers {
    private let document: JSONDocument
    private let object: Int
    /// The first thing that is required and not there.
    private(set) var error: TokenError?

    init(_ payload: [UInt8]) throws(TokenError) {
        do throws(JSONError) {
            document = try JSONDocument(payload, maxDepth: Token.maxDepth)
        } catch {
            throw .notJSON(error.description)
        }
        object = JSONDocument.root
        guard document.kind(object) == .object else { throw .notAnObject }
        if let name = document.repeatedName { throw .repeated(name.text) }
    }

    private init(_ document: JSONDocument, _ object: Int) { (self.document, self.object) = (document, object) }

    /// The kind of token; the first that matches.
    var kind: Token.Kind? {
        if has("notificationType") { return .notification }
        if has("requestIdentifier") { return .realtimeRequest }
        if has("transactionId") { return .transaction }
        if has("autoRenewStatus") || has("autoRenewProductId") { return .renewalInfo }
        return has("receiptType") ? .appTransaction : nil
    }

    func has(_ name: ExactText) -> Bool { document.member(name, of: object) != nil }

    /// Returns the members of an object inside.
    func object(_ name: ExactText) -> TokenMembers? {
        guard let index = member(name, .object) else { return nil }
        return TokenMembers(document, index)
    }

    /// Returns the objects in an array, the first of them if there are more than a limit.
    func objects(_ name: ExactText, upTo limit: Int) -> [TokenMembers] {
        guard let array = member(name, .array) else { return [] }
        var found: [TokenMembers] = []
        for child in document.children(of: array) where found.count < limit && document.kind(child) == .object {
            found.append(TokenMembers(document, child))
        }
        return found
    }

    func text(_ name: ExactText) -> ExactText? { member(name, .string).map { document.text($0) } }

    func bool(_ name: ExactText) -> Bool? { member(name, .bool).map { document.text($0) == "true" } }

    /// Returns a number that is whole.
    func integer(_ name: ExactText) -> Int64? { member(name, .number).flatMap { Int64(document.text($0).text) } }

    /// Milliseconds since 1970, rounded down.
    func date(_ name: ExactText) -> Instant? {
        guard let index = member(name, .number) else { return nil }
        return Instant(tokenDate: document.text(index))
    }

    mutating func requiredText(_ name: ExactText) -> ExactText? { required(name, text(name)) }

    mutating func requiredDate(_ name: ExactText) -> Instant? { required(name, date(name)) }

    private mutating func required<Value>(_ name: ExactText, _ value: Value?) -> Value? {
        if value == nil { fail(has(name) ? .type(name.text) : .missing(name.text)) }
        return value
    }

    mutating func fail(_ found: TokenError) { error = error ?? found }

    private func member(_ name: ExactText, _ kind: JSONDocument.Kind) -> Int? {
        guard let index = document.member(name, of: object), document.kind(index) == kind else { return nil }
        return index
    }

    /// What binds the token to a device, if both members are there.
    var deviceVerification: Token.DeviceVerification? {
        guard let encoded = text("deviceVerification"), let nonce = text("deviceVerificationNonce") else { return nil }
        var hash: [UInt8] = []
        let isHash = Base64.decode(standard: encoded.utf8.span, into: &hash) && hash.count == 48
        return Token.DeviceVerification(hash: isHash ? hash : [], nonce: nonce)
    }
}
