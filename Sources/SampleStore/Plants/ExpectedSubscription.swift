/// A row of the table `subscriptions` that an audit of an export must give.
///
/// Dates are text as in reports, in UTC: `2025-04-30T02:30:31Z`.
public struct ExpectedSubscription: Sendable, Hashable, Codable {
    public enum State: String, CaseIterable, Codable, Sendable {
        case refunded, trial, intro, active, expired
        case notRefreshed = "not-refreshed"
    }

    public var originalTransactionID: String
    public var bundleID: String
    public var productID: String
    public var environment: String
    public var state: State
    public var startedAt: String
    public var expiresAt: String
    public var periods: Int
    public var trials: Int
    public var introOffers: Int
    public var refunds: Int
    public var lapses: Int
    public var productChanges: Int
    public var devices: Int
    public var accounts: Int
    public var lastTransactionID: String
    public var evidenceAt: String

    enum CodingKeys: String, CodingKey {
        case originalTransactionID = "original_transaction_id"
        case bundleID = "bundle_id"
        case productID = "product_id"
        case environment, state
        case startedAt = "started_at"
        case expiresAt = "expires_at"
        case periods, trials
        case introOffers = "intro_offers"
        case refunds, lapses
        case productChanges = "product_changes"
        case devices, accounts
        case lastTransactionID = "last_transaction_id"
        case evidenceAt = "evidence_at"
    }
}
