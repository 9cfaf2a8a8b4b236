public import Encodings
public import Receipts

/// A receipt in an example. Receipts with different numbers have different contents.
public struct ExampleReceipt: Sendable {
    public var number: Int
    public var bundleID: ExactText
    public var environment: ExactText
    /// When it was made: a date, or a time in RFC 3339.
    public var created: String
    /// The end of a volume purchase.
    public var expires: String?
    /// When the app was first downloaded.
    public var downloaded: String?
    public var purchases: [ExamplePurchase]

    public init(
        _ number: Int = 1, bundleID: ExactText = "com.example.notes", environment: ExactText = "Production",
        created: String = "2026-03-01", expires: String? = nil, downloaded: String? = nil,
        _ purchases: ExamplePurchase...
    ) {
        self.init(
            number, bundleID: bundleID, environment: environment, created: created, expires: expires,
            downloaded: downloaded, purchases: purchases)
    }

    public init(
        _ number: Int = 1, bundleID: ExactText = "com.example.notes", environment: ExactText = "Production",
        created: String = "2026-03-01", expires: String? = nil, downloaded: String? = nil,
        purchases: [ExamplePurchase]
    ) {
        self.number = number
        self.bundleID = bundleID
        self.environment = environment
        self.created = created
        self.expires = expires
        self.downloaded = downloaded
        self.purchases = purchases
    }

    var receipt: Receipt {
        Receipt(
            bundleID: bundleID, appVersion: "1.0",
            createdAt: Instant(example: created) ?? Instant(milliseconds: 0), environment: environment,
            expiresAt: expires.flatMap(Instant.init(example:)),
            originalPurchaseDate: downloaded.flatMap(Instant.init(example:)), purchases: purchases.map(\.purchase),
            deviceHashInput: Receipt.DeviceHashInput(bundleIDOctets: [], opaqueValue: [], hash: []))
    }
}

/// A purchase in an example.
public struct ExamplePurchase: Sendable {
    public var product: ExactText
    public var transaction: ExactText
    /// The original transaction; `nil` if it is the transaction itself.
    public var original: ExactText?
    /// When it was bought, and the other dates: dates, or times in RFC 3339.
    public var bought: String
    public var originallyBought: String?
    public var expires: String?
    public var refunded: String?
    public var kind: Purchase.Kind?
    /// The web order line item, which names a subscription's period.
    public var line: Int?
    public var isTrial: Bool
    public var isIntro: Bool
    /// The promotional offer that the period was bought with.
    public var offer: ExactText?
    /// Where it was bought; only tokens show it.
    public var storefront: ExactText?
    /// Whose purchase it is, and when sharing ended; only tokens show it.
    public var ownership: ExactText
    public var sharingEnded: String?
    /// The original transaction of the chain that this chain replaced; only tokens show it.
    public var previousOriginal: ExactText?
    /// The `revocationType` and `revocationReason` of a refund; only tokens show them.
    public var refundType: ExactText?
    public var refundReason: Int?
    /// Whether Apple marks it as upgraded; only tokens show it.
    public var isUpgraded: Bool
    /// The reason for an addition to a period; only tokens show it.
    public var additionalReason: ExactText?
    /// The number of items or seats bought.
    public var quantity: Int?

    public init(
        _ product: ExactText = "gold", _ transaction: ExactText = "460000000000001", of original: ExactText? = nil,
        bought: String = "2026-02-01", originallyBought: String? = nil, expires: String? = nil,
        refunded: String? = nil, kind: Purchase.Kind? = nil, line: Int? = nil, isTrial: Bool = false,
        isIntro: Bool = false, offer: ExactText? = nil, storefront: ExactText? = nil,
        ownership: ExactText = "PURCHASED",
        sharingEnded: String? = nil, previousOriginal: ExactText? = nil, refundType: ExactText? = "REFUND_FULL",
        refundReason: Int? = nil, isUpgraded: Bool = false, additionalReason: ExactText? = nil, quantity: Int? = nil
    ) {
        self.product = product
        self.transaction = transaction
        self.original = original
        self.bought = bought
        self.originallyBought = originallyBought
        self.expires = expires
        self.refunded = refunded
        self.kind = kind
        self.line = line
        self.isTrial = isTrial
        self.isIntro = isIntro
        self.offer = offer
        self.storefront = storefront
        self.ownership = ownership
        self.sharingEnded = sharingEnded
        self.previousOriginal = previousOriginal
        self.refundType = refundType
        self.refundReason = refundReason
        self.isUpgraded = isUpgraded
        self.additionalReason = additionalReason
        self.quantity = quantity
    }

    var purchase: Purchase {
        var purchase = Purchase(
            productID: product, transactionID: transaction,
            purchaseDate: Instant(example: bought) ?? Instant(milliseconds: 0))
        purchase.originalTransactionID = original ?? transaction
        purchase.originalPurchaseDate = originallyBought.flatMap(Instant.init(example:))
        purchase.expiresDate = expires.flatMap(Instant.init(example:))
        purchase.cancellationDate = refunded.flatMap(Instant.init(example:))
        purchase.kind = kind ?? (expires == nil ? .nonConsumable : .autoRenewable)
        purchase.webOrderLineItemID = line
        purchase.isTrialPeriod = isTrial
        purchase.isInIntroOfferPeriod = isIntro
        purchase.promotionalOfferID = offer
        purchase.quantity = quantity
        return purchase
    }

    /// The purchase as a token shows it.
    var tokenPurchase: Purchase {
        var purchase = purchase
        var details = TransactionDetails()
        details.storefront = storefront
        details.ownership = ownership
        details.previousOriginalTransactionID = previousOriginal
        if refunded != nil { (details.revocationType, details.revocationReason) = (refundType, refundReason) }
        details.isUpgraded = isUpgraded
        details.additionalReason = additionalReason
        if isTrial || isIntro { details.offerType = offer == nil ? 1 : 2 }
        if let date = sharingEnded.flatMap(Instant.init(example:)) {
            purchase.cancellationDate = date
            details.revocationType = "FAMILY_REVOKE"
        }
        purchase.details = details
        return purchase
    }
}

/// A StoreKit 2 token in an example. Tokens with different numbers have different payloads.
public struct ExampleToken: Sendable {
    public var number: Int
    public var kind: Token.Kind
    public var bundleID: ExactText
    public var environment: ExactText
    /// When it was signed: a date, or a time in RFC 3339.
    public var signed: String
    /// The `appTransactionId`; empty for none.
    public var person: ExactText
    /// The `appAccountToken`; empty for none.
    public var accountToken: ExactText
    /// Whether it comes from a device, so that it has a device hash.
    public var isBound: Bool
    /// Selects the `deviceVerificationNonce`: equal numbers give equal nonces.
    public var nonce: Int
    /// The purchase of a transaction; for a renewal info only its original transaction counts.
    public var purchase: ExamplePurchase?

    public init(
        _ number: Int = 1, kind: Token.Kind = .transaction, bundleID: ExactText = "com.example.notes",
        environment: ExactText = "Production", signed: String = "2026-03-01", person: ExactText = "",
        accountToken: ExactText = "", isBound: Bool = true, nonce: Int? = nil, _ purchase: ExamplePurchase? = nil
    ) {
        self.number = number
        self.kind = kind
        self.bundleID = bundleID
        self.environment = environment
        self.signed = signed
        self.person = person
        self.accountToken = accountToken
        self.isBound = isBound
        self.nonce = nonce ?? number
        self.purchase = purchase
    }

    var token: Token {
        var token = Token(kind: kind)
        token.signedAt = Instant(example: signed)
        // A renewal info does not name its app.
        token.bundleID = kind == .renewalInfo ? nil : bundleID
        token.environment = environment
        token.appTransactionID = person.isEmpty ? nil : person
        token.appAccountToken = accountToken.isEmpty ? nil : accountToken
        token.originalTransactionID = purchase?.tokenPurchase.original
        switch kind {
        case .transaction: token.purchase = purchase?.tokenPurchase
        case .renewalInfo: token.renewal = Token.RenewalInfo()
        case .appTransaction, .notification, .realtimeRequest: break
        }
        if isBound {
            token.deviceVerification = Token.DeviceVerification(
                hash: Array(repeating: UInt8(truncatingIfNeeded: number), count: 48),
                nonce: "00000000-0000-4000-8000-\(Hex.string([0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: nonce)].span))")
        }
        return token
    }
}
