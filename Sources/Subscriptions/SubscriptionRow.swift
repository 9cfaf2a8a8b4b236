public import Encodings

/// A row of the table `subscriptions`: one original transaction with its auto-renewable periods.
public struct SubscriptionRow: Equatable, Sendable {
    public var originalTransactionID: ExactText
    /// The newest receipt's.
    public var bundleID: ExactText
    /// The latest period's.
    public var productID: ExactText
    /// Attribute 0 of the newest receipt; empty if it has none.
    public var environment: ExactText
    public var state: SubscriptionState
    /// The earliest purchase date of a period.
    public var startedAt: Instant
    /// The latest period's stated end, also if it was cancelled.
    public var expiresAt: Instant
    public var periods: Int
    /// How many of the periods are trials.
    public var trials: Int
    public var introOffers: Int
    /// How many of the periods were refunded, the price as a whole or the part that a token states.
    public var refunds: Int
    /// Gaps of more than a day between the end of all earlier periods and the next purchase. Periods that were taken back
    /// are left out, and an upgraded period ends at its upgrade.
    public var lapses: Int
    /// How often the product of a period differs from that of the one before, also of one that only a renewal info shows.
    public var productChanges: Int
    /// The number of distinct devices that presented it; an estimate if there are more than 4096.
    public var devices: Int
    public var accounts: Int
    /// That of the latest period that a transaction or receipt shows.
    public var lastTransactionID: ExactText
    /// When the newest proof was made that shows the subscription.
    public var evidenceAt: Instant
    /// Whether it renews by itself; `nil` if no renewal info says so.
    public var renewsByItself: Bool?
    /// The product of the next period; `nil` if it does not renew, or that is not known.
    public var renewsTo: ExactText?
    public var gracePeriodExpiresAt: Instant?
    public var isInBillingRetry: Bool?
    /// Why it ended, as renewal infos number it: 1 to 5.
    public var expirationIntent: Int?
    /// The latest period's: `PURCHASED`, `FAMILY_SHARED` or `ASSIGNED`; `nil` if no token shows it.
    public var ownership: ExactText?
    /// The latest period's offer.
    public var offer: ExactText?
    /// What was paid for the latest period with all of its seats, in thousandths; `nil` if no token shows it.
    public var price: Int64?
    public var currency: ExactText?
    /// The newest proof.
    public var evidence = SubscriptionProof.receipt
    /// SHA-256 of what Apple signed in the newest proof: a token's payload, or a receipt's content.
    public var evidenceDigest: [UInt8] = []

    /// How many seats the latest period has, without those that were refunded; 0 where it has none, and of a member's.
    public var seats = 0
    /// When what the buyer has committed to ends; `nil` if no token says so.
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

/// What is known of a subscription at an instant.
public enum SubscriptionState: String, CaseIterable, Sendable, Codable {
    /// The latest period was refunded.
    case refunded
    /// Apple took the latest period back because a family's sharing or an organization's assignment ended, or for a cause
    /// that is not known.
    case revoked
    /// The latest period is a trial and has not ended.
    case trial
    /// The latest period is at an introductory offer and has not ended.
    case intro
    /// The latest period has not ended.
    case active
    /// The latest period has ended, and Apple said that access goes on while it charges again.
    case gracePeriod = "grace-period"
    /// The latest period has ended, and Apple said that it charges again, without access meanwhile.
    case billingRetry = "billing-retry"
    /// A proof that was made at the end of the latest period or later, and would show a later one, shows none; or another
    /// chain of transactions took the place of this one.
    case expired
    /// The latest period ended, and no newer proof tells what came then. It may have been renewed since.
    case notRefreshed = "not-refreshed"

    /// Whether the latest period has not ended.
    public var isRunning: Bool { self == .trial || self == .intro || self == .active }
}
