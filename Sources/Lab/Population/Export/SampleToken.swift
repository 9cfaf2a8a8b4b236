public import Encodings

/// A StoreKit 2 token that a claim presents instead of a receipt, before it is signed.
public enum SampleToken: Sendable {
    case transaction(TransactionContent)
    case renewal(RenewalContent)
    case appTransaction(AppTransactionContent)

    /// The payload, which identifies the token once it is signed.
    public var octets: [UInt8] {
        switch self {
        case .transaction(let content): content.json.octets
        case .renewal(let content): content.json.octets
        case .appTransaction(let content): content.json.octets
        }
    }

    /// When the store signed it.
    public var signedAt: Instant {
        switch self {
        case .transaction(let content): content.signedAt
        case .renewal(let content): content.signedAt
        case .appTransaction(let content): content.createdAt
        }
    }

    /// The Apple Account's id in the app.
    var appTransactionID: String? {
        switch self {
        case .transaction(let content): content.appTransactionID
        case .renewal(let content): content.appTransactionID
        case .appTransaction(let content): content.appTransactionID
        }
    }

    /// The purchase that it shows; `nil` for a renewal info and an app transaction.
    var purchase: PurchaseContent? {
        if case .transaction(let content) = self { content.purchase } else { nil }
    }
}

extension TransactionContent {
    /// The purchase as a receipt would show it.
    var purchase: PurchaseContent {
        var purchase = PurchaseContent(
            kind ?? .nonConsumable, productID: productID, transactionID: transactionID, purchasedAt: purchasedAt)
        purchase.originalTransactionID = originalTransactionID
        purchase.originallyPurchasedAt = originallyPurchasedAt ?? purchasedAt
        purchase.webOrderLineItemID = webOrderLineItemID.flatMap { Int($0) } ?? 0
        purchase.expiresAt = expiresAt
        purchase.quantity = quantity ?? 1
        purchase.cancelledAt = revokedAt
        purchase.isTrial = offer?.discountType == "FREE_TRIAL"
        purchase.isIntroOffer = offer?.type == 1 && !purchase.isTrial
        purchase.promotionalOfferID = offer?.identifier
        return purchase
    }
}

/// One Apple Account in one app, and its device, with StoreKit 2's identifiers.
struct TokenOwner: Changeable, Sendable {
    /// The App Store of a country.
    struct Storefront: Sendable {
        /// ISO 3166-1, three letters.
        let country: String
        let id: String
        /// ISO 4217.
        let currency: String

        static let all = [
            Storefront(country: "USA", id: "143441", currency: "USD"),
            Storefront(country: "DEU", id: "143443", currency: "EUR"),
            Storefront(country: "GBR", id: "143444", currency: "GBP"),
            Storefront(country: "TUR", id: "143480", currency: "TRY"),
            Storefront(country: "ARG", id: "143505", currency: "USD"),
            Storefront(country: "IND", id: "143467", currency: "INR"),
        ]
    }

    /// An id that is unique for an Apple Account and app.
    var appTransactionID: String
    /// The UUID that the app gives to StoreKit for its account.
    var accountToken: String
    var storefront: Storefront
    /// The device's `AppStore.deviceVerificationID`.
    var device: SampleDevice

    /// - Parameter number: a number that no other owner under the seed has.
    init(_ number: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x6f77_6e65_7273, index: number)
        appTransactionID = String(704_000_000_000_000_000 + number)
        accountToken = Self.uuid(&random)
        storefront = random.chance(percent: 60) ? Storefront.all[0] : Storefront.all[random.below(3)]
        device = .vendorIdentifier(random.uuid())
    }

    /// Binds a token to the device, with a new nonce.
    func verification(_ random: inout SeededGenerator) -> DeviceVerification {
        DeviceVerification(nonce: Self.uuid(&random), deviceID: device.text)
    }

    /// Returns a random UUID in lower case.
    static func uuid(_ random: inout SeededGenerator) -> String {
        SampleDevice.vendorIdentifier(random.uuid()).text.lowercased()
    }
}
