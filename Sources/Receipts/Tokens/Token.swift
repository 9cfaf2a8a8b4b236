public import Encodings

/// Holds what the payload of a StoreKit 2 token says, of whatever kind (App Store Server API, "JWSTransactionDecodedPayload"
/// and its siblings).
///
/// What its kind requires is there if ``error`` is `nil`; all else may be absent. Text is Apple's if the signature holds,
/// else untrusted.
public struct Token: Sendable {
    /// Names a kind of token.
    public enum Kind: String, CaseIterable, Sendable {
        case notification
        case realtimeRequest = "realtime-request"
        case transaction
        case renewalInfo = "renewal-info"
        case appTransaction = "app-transaction"
    }

    public let kind: Kind
    /// The first thing that its kind requires and that is not there.
    public package(set) var error: TokenError?
    /// The date at which the chain is judged: `signedDate`; of an app transaction `receiptCreationDate`; of a notification
    /// without one that of a token inside it.
    public package(set) var signedAt: Instant?
    public package(set) var bundleID: ExactText?
    /// `environment`; of an app transaction `receiptType`.
    public package(set) var environment: ExactText?
    /// `applicationVersion`.
    public package(set) var appVersion: ExactText?
    /// `originalApplicationVersion`.
    public package(set) var originalAppVersion: ExactText?
    /// When the app was first downloaded or bought; of an app transaction only.
    public package(set) var originalPurchaseDate: Instant?
    public package(set) var transactionID: ExactText?
    public package(set) var originalTransactionID: ExactText?
    /// One for each Apple Account and app.
    public package(set) var appTransactionID: ExactText?
    public package(set) var productID: ExactText?
    /// The UUID that the app gave to StoreKit for an account of its own, verbatim.
    public package(set) var appAccountToken: ExactText?
    /// What a transaction shows.
    public package(set) var purchase: Purchase?
    public package(set) var renewal: RenewalInfo?
    public package(set) var notification: Notification?
    /// What binds the token to a device; only tokens that come from a device have it.
    public package(set) var deviceVerification: DeviceVerification?
    /// The tokens in the payload, in its order, under whatever name.
    public package(set) var nested: [NestedToken] = []
    /// What of the payload this version does not know, each once.
    public package(set) var unknown: [UnknownMember] = []

    package init(kind: Kind) { self.kind = kind }

    /// Holds what binds a token to a device: `deviceVerification` is base64 of SHA-384 over the nonce and
    /// `AppStore.deviceVerificationID`, both UUIDs in lower case.
    public struct DeviceVerification: Equatable, Sendable {
        /// The 48 bytes of the hash; empty if it is not base64 of as many.
        public let hash: [UInt8]
        /// `deviceVerificationNonce`, verbatim.
        public let nonce: ExactText

        package init(hash: [UInt8], nonce: ExactText) { (self.hash, self.nonce) = (hash, nonce) }
    }

    /// Holds what a renewal info says of a subscription ("JWSRenewalInfoDecodedPayload").
    public struct RenewalInfo: Equatable, Codable, Sendable {
        /// `autoRenewStatus`: whether it renews by itself.
        public var renewsByItself: Bool?
        /// `autoRenewProductId`: the product of the next period.
        public var nextProductID: ExactText?
        /// `expirationIntent`: 1 to 5, why it ended.
        public var expirationIntent: Int?
        public var isInBillingRetryPeriod: Bool?
        public var gracePeriodExpiresDate: Instant?
        /// `renewalDate`: the end of the period that is paid.
        public var renewalDate: Instant?
        /// `renewalPrice`, in thousandths of the currency's unit.
        public var renewalPrice: Int64?
        public var currency: ExactText?
        /// `offerIdentifier`, of the next period.
        public var offerID: ExactText?
        /// `offerType`, of the next period: 1 introductory, 2 promotional, 3 offer code, 4 win-back.
        public var offerType: Int?
        /// `priceIncreaseStatus`: 0 if the customer has not agreed to a higher price yet, 1 if he has, or need not.
        public var priceIncreaseStatus: Int?
        /// `productId`: the product of the current period.
        public var productID: ExactText?
        /// `renewalQuantity`: how many seats the next period has.
        public var quantity: Int?
        /// `multiSeatInfo.renewalPriceTiers`: what they cost.
        public var tiers: [SeatInfo.Tier] = []
        /// `commitmentInfo.commitmentAutoRenewStatus`: whether another commitment follows this one.
        public var commitmentRenews: Bool?
        /// `commitmentInfo.commitmentRenewalDate`: when this commitment ends.
        public var commitmentRenewalDate: Instant?

        package init() {}
    }

    /// Holds what a notification says besides the tokens in it ("responseBodyV2DecodedPayload").
    public struct Notification: Equatable, Sendable {
        public var type: ExactText
        public var subtype: ExactText?
        /// `notificationUUID`, verbatim.
        public var uuid: ExactText
        /// `data.status`: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
        public var status: Int?
        /// `data.consumptionRequestReason`.
        public var consumptionRequestReason: ExactText?
        /// `data.signedTransactionInfo`: a token, to be verified by itself.
        public var signedTransactionInfo: ExactText?
        /// `data.signedRenewalInfo`: the same.
        public var signedRenewalInfo: ExactText?
    }
}

extension Token {
    /// The purchases that it shows: that of a transaction, or none.
    public var purchases: [Purchase] { purchase.map { [$0] } ?? [] }
}

/// Says why a payload is not that of a token.
public enum TokenError: Error, Equatable, Sendable {
    /// It is not JSON; the reason is the reader's.
    case notJSON(String)
    /// It is JSON, but no object.
    case notAnObject
    /// An object in it has a member twice.
    case repeated(String)
    /// It has no member that tells its kind.
    case unknownKind
    /// A member that its kind requires is missing.
    case missing(String)
    /// A member that its kind requires has another type.
    case type(String)
    /// Neither it nor a token in it has a date to judge the chain at.
    case noDate
}

extension TokenError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notJSON(let reason): "the payload is \(reason)"
        case .notAnObject: "the payload is JSON, but not an object"
        case .repeated(let name): "the member \(name.quoted(upTo: 40)) occurs twice"
        case .unknownKind: "the payload is of no kind that the App Store signs"
        case .missing(let name): "\(name) is missing"
        case .type(let name): "\(name) is of another type"
        case .noDate: "there is no date at which to validate the chain"
        }
    }
}
