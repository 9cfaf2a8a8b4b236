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
    public var purchases: [ExamplePurchase]

    public init(
        _ number: Int = 1, bundleID: ExactText = "com.example.notes", environment: ExactText = "Production",
        created: String = "2026-03-01", expires: String? = nil, _ purchases: ExamplePurchase...
    ) {
        self.init(
            number, bundleID: bundleID, environment: environment, created: created, expires: expires,
            purchases: purchases)
    }

    public init(
        _ number: Int = 1, bundleID: ExactText = "com.example.notes", environment: ExactText = "Production",
        created: String = "2026-03-01", expires: String? = nil, purchases: [ExamplePurchase]
    ) {
        self.number = number
        self.bundleID = bundleID
        self.environment = environment
        self.created = created
        self.expires = expires
        self.purchases = purchases
    }

    var receipt: Receipt {
        Receipt(
            bundleID: bundleID, appVersion: "1.0",
            createdAt: Instant(example: created) ?? Instant(milliseconds: 0), environment: environment,
            expiresAt: expires.flatMap(Instant.init(example:)), purchases: purchases.map(\.purchase),
            deviceHashInput: Receipt.DeviceHashInput(bundleIDOctets: [], opaqueValue: [], hash: []))
    }
}

/// A purchase in an example.
public struct ExamplePurchase: Sendable {
    public var product: ExactText
    public var transaction: ExactText
    /// The original transaction; `nil` if it is this one.
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

    public init(
        _ product: ExactText = "gold", _ transaction: ExactText = "460000000000001", of original: ExactText? = nil,
        bought: String = "2026-02-01", originallyBought: String? = nil, expires: String? = nil,
        refunded: String? = nil, kind: Purchase.Kind? = nil, line: Int? = nil, isTrial: Bool = false,
        isIntro: Bool = false
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
        return purchase
    }
}
