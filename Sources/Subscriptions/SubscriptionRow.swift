public import Encodings

/// A row of the table `subscriptions`: one original transaction with its auto-renewable periods.
public struct SubscriptionRow: Equatable, Sendable {
    public var originalTransactionID: ExactText
    /// The bundle id in the newest receipt.
    public var bundleID: ExactText
    /// The product of the latest period.
    public var productID: ExactText
    /// Attribute 0 of the newest receipt; empty if it has none.
    public var environment: ExactText
    public var state: SubscriptionState
    /// The earliest purchase date of a period.
    public var startedAt: Instant
    /// The latest period's stated end, even if it was cancelled.
    public var expiresAt: Instant
    public var periods: Int
    /// The number of periods that are trials.
    public var trials: Int
    public var introOffers: Int
    /// The number of refunded periods, in full or for the part that a token states.
    public var refunds: Int
    /// The number of gaps of more than a day between the end of all earlier periods and the next purchase. Revoked
    /// periods are left out, and an upgraded period ends at its upgrade.
    public var lapses: Int
    /// The number of periods with another product than the previous one, including one that only a renewal info shows.
    public var productChanges: Int
    /// The number of distinct devices that presented it; an estimate if there are more than 4096.
    public var devices: Int
    public var accounts: Int
    /// The transaction of the latest period in a transaction or receipt.
    public var lastTransactionID: ExactText
    /// When the newest proof of the subscription was made.
    public var evidenceAt: Instant
    /// Whether it renews automatically; `nil` if no renewal info states it.
    public var renewsByItself: Bool?
    /// The product of the next period; `nil` if it does not renew, or if it is not known.
    public var renewsTo: ExactText?
    public var gracePeriodExpiresAt: Instant?
    public var isInBillingRetry: Bool?
    /// The reason why it ended, as numbered in renewal infos: 1 to 5.
    public var expirationIntent: Int?
    /// The ownership of the latest period: `PURCHASED`, `FAMILY_SHARED` or `ASSIGNED`; `nil` if no token shows it.
    public var ownership: ExactText?
    /// The latest period's offer.
    public var offer: ExactText?
    /// The price paid for the latest period with all of its seats, in thousandths; `nil` if no token shows it.
    public var price: Int64?
    public var currency: ExactText?
    /// The newest proof.
    public var evidence = SubscriptionProof.receipt
    /// SHA-256 of what Apple signed in the newest proof: a token's payload, or a receipt's content.
    public var evidenceDigest: [UInt8] = []

    /// The number of seats of the latest period, without refunded ones; 0 without seats, and for a member's period.
    public var seats = 0
    /// The end of the buyer's commitment; `nil` if no token states it.
    public var commitmentEndsAt: Instant?

    public init(
        originalTransactionID: ExactText, bundleID: ExactText, productID: ExactText, environment: ExactText,
        state: SubscriptionState, startedAt: Instant, expiresAt: Instant, periods: Int, trials: Int,
        introOffers: Int, refunds: Int, lapses: Int, productChanges: Int, devices: Int, accounts: Int,
        lastTransactionID: ExactText, evidenceAt: Instant
    ) {
        self.originalTransactionID = originalTransactionID
        self.bundleID = bundleID
        self.productID = productID
        self.environment = environment
        self.state = state
        self.startedAt = startedAt
        self.expiresAt = expiresAt
        self.periods = periods
        self.trials = trials
        self.introOffers = introOffers
        self.refunds = refunds
        self.lapses = lapses
        self.productChanges = productChanges
        self.devices = devices
        self.accounts = accounts
        self.lastTransactionID = lastTransactionID
        self.evidenceAt = evidenceAt
    }

    /// The names of the columns, in order.
    public static let columns = [
        "original_transaction_id", "bundle_id", "product_id", "environment", "state", "started_at", "expires_at",
        "periods", "trials", "intro_offers", "refunds", "lapses", "product_changes", "devices", "accounts",
        "last_transaction_id", "evidence_at", "auto_renew", "renews_to", "grace_period_expires_at", "billing_retry",
        "expiration_reason", "ownership", "offer", "price", "currency", "evidence", "evidence_sha256", "seats",
        "access", "commitment_ends_at",
    ]
}

/// Names a kind of proof that shows the state of a subscription.
public enum SubscriptionProof: String, CaseIterable, Sendable, Codable {
    case receipt
    case transaction
    case renewalInfo = "renewal-info"
    case notification
}

/// The known state of a subscription at a reference time.
public enum SubscriptionState: String, CaseIterable, Sendable, Codable {
    /// The latest period was refunded.
    case refunded
    /// Apple revoked the latest period because family sharing or an organization's assignment ended, or for an unknown
    /// reason.
    case revoked
    /// The latest period is a trial and has not ended.
    case trial
    /// The latest period is at an introductory offer and has not ended.
    case intro
    /// The latest period has not ended.
    case active
    /// The latest period has ended, and Apple stated that access continues while it retries the charge.
    case gracePeriod = "grace-period"
    /// The latest period has ended, and Apple stated that it retries the charge, without access in the meantime.
    case billingRetry = "billing-retry"
    /// A proof that was made at or after the end of the latest period, and would show a later one, shows none; or
    /// another chain of transactions replaced this one.
    case expired
    /// The latest period ended, and no newer proof shows what followed. It may have been renewed since.
    case notRefreshed = "not-refreshed"

    /// Whether the latest period has not ended.
    public var isRunning: Bool { self == .trial || self == .intro || self == .active }
}
