public import Encodings
import Inputs
public import Receipts
public import Rules

/// A purchase that evidence shows and no claim presents: its buyer paid, and may have got nothing. A row of the table
/// `unclaimed`.
public struct UnclaimedPurchase: Sendable {
    public package(set) var originalTransactionID: ExactText = ""
    /// The transaction; for a subscription that of the latest unrevoked period.
    public package(set) var transactionID: ExactText = ""
    public package(set) var bundleID: ExactText = ""
    public package(set) var productID: ExactText = ""
    public package(set) var kind: Purchase.Kind?
    /// When it was first bought: for a subscription its beginning.
    public package(set) var purchasedAt = Instant(milliseconds: 0)
    public package(set) var expiresAt: Instant?
    /// The token's `appAccountToken`, in lower case; empty if it has none.
    public package(set) var accountToken: ExactText = ""
    public package(set) var appTransactionID: ExactText = ""
    /// The price paid, with all seats.
    public package(set) var price: Product.Price?
    /// When the newest token with it was signed.
    public package(set) var signedAt = Instant(milliseconds: 0)
    /// SHA-256 of its payload.
    public package(set) var evidenceDigest: [UInt8] = []

    /// What claims show of the account with its UUID; `nil` if none has it.
    public package(set) var owner: PurchaseOwner?
    /// Whether claims present it whose signature or chain does not hold. Its buyer may have got it nevertheless, or
    /// somebody else may have made them up.
    public package(set) var isForged = false

    /// Why nothing presents it, as far as its account shows; `nil` if it names none.
    public var reason: String? {
        if owner != nil { return "account-without-this-purchase" }
        return accountToken.isEmpty || Placeholder.matches(accountToken) ? nil : "no-claim-of-account"
    }

    package init() {}

    init(_ told: ToldPurchase, of key: GroupKey, purchasedAt: Instant) {
        originalTransactionID = ExactText(String(decoding: key.octets, as: UTF8.self))
        transactionID = told.purchase.transactionID
        bundleID = told.bundleID
        productID = told.purchase.productID
        kind = told.purchase.kind
        self.purchasedAt = purchasedAt
        expiresAt = told.purchase.expiresDate
        accountToken = told.accountToken
        appTransactionID = told.appTransactionID
        price = told.purchase.shownPrice
        signedAt = told.signedAt
        evidenceDigest = told.digest
    }
}

/// The account whose UUID a purchase names, by the claims that have it.
public struct PurchaseOwner: Sendable, Equatable {
    /// Empty if several accounts have the UUID, or none has an id.
    public package(set) var accountID: ExactText
    /// The app of its claims.
    package var bundleID: ExactText
    /// Its last dated claim of the app; `nil` if there is none.
    public package(set) var lastSeen: Instant?

    package init(accountID: ExactText = "", bundleID: ExactText = "", lastSeen: Instant? = nil) {
        self.accountID = accountID
        self.bundleID = bundleID
        self.lastSeen = lastSeen
    }

    /// The same account for an app of which it has no claim.
    package var unseen: PurchaseOwner { PurchaseOwner(accountID: accountID) }
}

/// The terms on which a purchase that no claim presents is unclaimed.
public struct UnclaimedTerms: Sendable, Equatable {
    /// The number of whole days that a buyer has to present a purchase.
    public var days = Self.standardDays
    /// Whether subscriptions that have ended count.
    public var withEnded = false

    public static let standardDays = 3
    public static let allDays = 0...3650

    public init() {}
}

/// The purchases that should be claimed by now, by time and app: late enough for claims to show them, and early enough for the
/// buyer to have presented them.
public struct UnclaimedWindow: Sendable, Equatable {
    /// The earliest `presented_at` of the run and its ledger, because earlier presentations are unknown. `nil` if no
    /// claim is dated; then nothing is known about any purchase.
    public let since: Instant?
    /// The end of the window: purchases must be earlier.
    public let before: Instant
    /// The time at which subscriptions must not have ended; `nil` if ended ones count, too.
    public let endingAfter: Instant?
    /// The apps whose purchases count: those that claims are of. `nil` for all: the policy decides which evidence
    /// counts.
    public let apps: Set<ExactText>?

    public init(since: Instant?, asOf: Instant, _ terms: UnclaimedTerms, apps: Set<ExactText>?) {
        self.init(
            since: since, before: asOf.adding(seconds: -Int64(clamping: terms.days) * 86_400),
            endingAfter: terms.withEnded ? nil : asOf, apps: apps)
    }

    public init(since: Instant?, before: Instant, endingAfter: Instant?, apps: Set<ExactText>?) {
        self.since = since
        self.before = before
        self.endingAfter = endingAfter
        self.apps = apps
    }

    /// Whether a purchase date is in the window, to the second, like dates in rows, its app counts, and it has not
    /// ended.
    public func contains(_ purchasedAt: Instant, until end: Instant?, of app: ExactText) -> Bool {
        guard let since, apps?.contains(app) ?? true else { return false }
        if let end, let endingAfter, end.seconds <= endingAfter.seconds { return false }
        return since.seconds <= purchasedAt.seconds && purchasedAt.seconds < before.seconds
    }
}
