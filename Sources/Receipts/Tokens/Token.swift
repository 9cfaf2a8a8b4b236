public import Encodings

/// The payload of a StoreKit 2 token of any kind (App Store Server API, "JWSTransactionDecodedPayload" and its
/// siblings).
///
/// Required members are set if ``error`` is `nil`; all others may be absent. Text is Apple's if the signature is valid,
/// otherwise untrusted.
public struct Token: Sendable {
    /// The kinds of tokens.
    public enum Kind: String, CaseIterable, Sendable {
        case notification
        case realtimeRequest = "realtime-request"
        case transaction
        case renewalInfo = "renewal-info"
        case appTransaction = "app-transaction"
    }

    public let kind: Kind
    /// The first missing required member.
    public package(set) var error: TokenError?
    /// The date at which the chain must be valid: `signedDate`; for an app transaction `receiptCreationDate`; for a
    /// notification without one the date of a token inside it.
    public package(set) var signedAt: Instant?
    public package(set) var bundleID: ExactText?
    /// `environment`; for an app transaction `receiptType`.
    public package(set) var environment: ExactText?
    /// `applicationVersion`.
    public package(set) var appVersion: ExactText?
    /// `originalApplicationVersion`.
    public package(set) var originalAppVersion: ExactText?
    /// When the app was first downloaded or bought; only in an app transaction.
    public package(set) var originalPurchaseDate: Instant?
    public package(set) var transactionID: ExactText?
    public package(set) var originalTransactionID: ExactText?
    /// An id that is unique for an Apple Account and app.
    public package(set) var appTransactionID: ExactText?
    public package(set) var productID: ExactText?
    /// The UUID that the app gave to StoreKit for an account of its own, verbatim.
    public package(set) var appAccountToken: ExactText?
    /// The purchase of a transaction.
    public package(set) var purchase: Purchase?
    public package(set) var renewal: RenewalInfo?
    public package(set) var notification: Notification?
    /// The data that binds the token to a device; only tokens from a device have it.
    public package(set) var deviceVerification: DeviceVerification?
    /// The tokens in the payload, in its order, under whatever name.
    public package(set) var nested: [NestedToken] = []
    /// The distinct members and values that this version does not know.
    public package(set) var unknown: [UnknownMember] = []

    package init(kind: Kind) { self.kind = kind }

    /// The data that binds a token to a device: `deviceVerification` is base64 of SHA-384 over the nonce and
    /// `AppStore.deviceVerificationID`, both UUIDs in lower case.
    public struct DeviceVerification: Equatable, Sendable {
        /// The 48 bytes of the hash; empty if it is not base64 of 48 bytes.
        public let hash: [UInt8]
        /// `deviceVerificationNonce`, verbatim.
        public let nonce: ExactText

        package init(hash: [UInt8], nonce: ExactText) { (self.hash, self.nonce) = (hash, nonce) }
    }

    /// The content of a renewal info ("JWSRenewalInfoDecodedPayload").
    public struct RenewalInfo: Equatable, Codable, Sendable {
        /// `autoRenewStatus`: whether it renews automatically.
        public var renewsByItself: Bool?
        /// `autoRenewProductId`: the product of the next period.
        public var nextProductID: ExactText?
        /// `expirationIntent`: the reason why it ended, 1 to 5.
        public var expirationIntent: Int?
        public var isInBillingRetryPeriod: Bool?
        public var gracePeriodExpiresDate: Instant?
        /// `renewalDate`: the end of the paid period.
        public var renewalDate: Instant?
        /// `renewalPrice`, in thousandths of the currency's unit.
        public var renewalPrice: Int64?
        public var currency: ExactText?
        /// `offerIdentifier`, of the next period.
        public var offerID: ExactText?
        /// `offerType`, of the next period: 1 introductory, 2 promotional, 3 offer code, 4 win-back.
        public var offerType: Int?
        /// `priceIncreaseStatus`: 0 if the customer has not yet agreed to a higher price; 1 if they have, or need not.
        public var priceIncreaseStatus: Int?
        /// `productId`: the product of the current period.
        public var productID: ExactText?
        /// `renewalQuantity`: the number of seats in the next period.
        public var quantity: Int?
        /// `multiSeatInfo.renewalPriceTiers`: the prices of these seats.
        public var tiers: [SeatInfo.Tier] = []
        /// `commitmentInfo.commitmentAutoRenewStatus`: whether another commitment follows this one.
        public var commitmentRenews: Bool?
        /// `commitmentInfo.commitmentRenewalDate`: when this commitment ends.
        public var commitmentRenewalDate: Instant?

        package init() {}
    }

    /// The content of a notification, apart from the tokens in it ("responseBodyV2DecodedPayload").
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
        /// `data.signedRenewalInfo`: a token, to be verified by itself.
        public var signedRenewalInfo: ExactText?
    }
}

extension Token {
    /// The purchases that it shows: the one of a transaction, or none.
    public var purchases: [Purchase] { purchase.map { [$0] } ?? [] }
}

/// The reason why a payload does not belong to a token.
public enum TokenError: Error, Equatable, Sendable {
    /// It is not JSON, with the reader's reason.
    case notJSON(String)
    /// It is JSON, but not an object.
    case notAnObject
    /// An object in it has a duplicate member.
    case repeated(String)
    /// It has no member that identifies its kind.
    case unknownKind
    /// A required member is missing.
    case missing(String)
    /// A required member has another type.
    case type(String)
    /// Neither it nor a token in it has a date at which to check the chain.
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
