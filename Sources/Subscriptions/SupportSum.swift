public import Checks
public import Encodings
public import Inputs
import Receipts
public import Rules

/// What customer support asks about an original transaction, a person or the UUID of an account: purchases and
/// revocations, presenters, and refund requests from Apple.
///
/// It keeps the ``limit`` latest purchases and requests.
public struct SupportSum: Sendable {
    public private(set) var presentations = PresentedClaims()
    private var purchases: [DatedPurchase: ToldPurchase] = [:]
    private var requests: [ExactText: ConsumptionRequest] = [:]
    /// Whether evidence shows that another chain of transactions replaced this one.
    private var isContinued = false
    /// Whether a claim names it whose signature or chain does not hold.
    private var isForged = false
    /// The latest presentation by app, under the UUID of an account.
    private var lastSeen: [ExactText: Instant?] = [:]

    /// The maximum number of purchases and of requests.
    public static let limit = 4096

    public init() {}

    /// Whether it is computed under a key.
    public static func isFor(_ key: GroupKey) -> Bool {
        switch key.kind {
        case .originalTransaction, .person, .device, .accountToken: true
        case .receipt, .transaction, .account, .app, .nonce: false
        }
    }

    /// - Parameters:
    ///   - key: an original transaction, a person, the UUID of an account, or a device, for which only its matching
    ///     claims count.
    ///   - asOf: the reference time. Proofs signed after it do not count, but their presentation does.
    public mutating func take(_ observation: Observation, under key: GroupKey, asOf: Instant) {
        guard key.kind != .device else {
            if observation.isMatching { presentations.take(observation) }
            return
        }
        guard observation.isGenuine, let signedAt = observation.createdAt else {
            if observation.isEvidence { isForged = true }
            return
        }
        if !observation.isEvidence {
            presentations.take(observation)
            if key.kind == .accountToken { see(observation) }
        }
        guard signedAt <= asOf else { return }
        if !observation.claim.isEarlier {
            for request in observation.refundRequests { add(request) }
        }
        guard !observation.succeeds(key) else {
            if observation.isEvidence { isContinued = true }
            return
        }
        for purchase in observation.purchases {
            let told = ToldPurchase(purchase, observation, signedAt)
            add(told, of: DatedPurchase(purchasedAt: purchase.purchaseDate, id: purchase.transactionID))
        }
    }

    private mutating func see(_ claim: Observation) {
        let (app, date) = (claim.bundleID, claim.presentedAt)
        let known = lastSeen[app] ?? nil
        lastSeen[app] = date.map { max($0, known ?? $0) } ?? known
        if lastSeen.count > Self.limit, let last = lastSeen.keys.max() { lastSeen[last] = nil }
    }

    /// Returns the account whose UUID a key is, with its last claim, for each app of its claims.
    public func owners(_ key: GroupKey) -> [PurchaseOwner] {
        guard key.kind == .accountToken else { return [] }
        let accounts = presentations.accounts
        let account = accounts.count == 1 ? accounts.sorted.first ?? "" : ""
        return lastSeen.sorted { $0.key < $1.key }
            .map { PurchaseOwner(accountID: account, bundleID: $0.key, lastSeen: $0.value) }
    }

    private mutating func add(_ told: ToldPurchase, of key: DatedPurchase) {
        if let known = purchases[key], !told.counts(before: known) { return }
        purchases[key] = told
        if purchases.count > Self.limit, let first = purchases.keys.min() { purchases[first] = nil }
    }

    private mutating func add(_ request: ConsumptionRequest) {
        if let known = requests[request.uuid], !request.counts(before: known) { return }
        requests[request.uuid] = request
        guard requests.count > Self.limit else { return }
        let oldest = requests.values.min { ($0.requestedAt, $0.uuid) < ($1.requestedAt, $1.uuid) }
        if let oldest { requests[oldest.uuid] = nil }
    }

    /// The refund requests from Apple, by UUID.
    public var refundRequests: [ConsumptionRequest] {
        requests.values.sorted { $0.uuid < $1.uuid }
    }

    /// Returns the number of other transactions that were refunded before Apple's request.
    public func earlierRefunds(than request: ConsumptionRequest) -> Int {
        var refunded = Set<ExactText>()
        for told in purchases.values where told.purchase.transactionID != request.transactionID {
            if let date = told.refundedAt, date < request.requestedAt { refunded.insert(told.purchase.transactionID) }
        }
        return refunded.count
    }

    /// Returns when the requested transaction was refunded, according to the newest proof; `nil` if it was not.
    public func refundDate(of request: ConsumptionRequest) -> Instant? {
        let told = purchases.values.filter { $0.purchase.transactionID == request.transactionID }
        return told.min { $0.counts(before: $1) }?.refundedAt
    }

    /// Returns the purchase, if its buyer paid for it and no claim presents it; for a subscription its latest unrevoked
    /// period.
    ///
    /// Leaves out tests in the sandbox and in Xcode, purchases of family members, and a chain of transactions that
    /// continues as another one, which is a separate purchase.
    public func unclaimed(_ key: GroupKey) -> UnclaimedPurchase? {
        guard key.kind == .originalTransaction, presentations.isEmpty, !isContinued else { return nil }
        let bought = purchases.filter { $0.value.isBoughtInProduction }
        let held = bought.filter { $0.value.purchase.isHeld }
        guard let latest = held.max(by: { $0.key < $1.key })?.value,
            let start = bought.values.map(\.beganAt).min()
        else { return nil }
        var purchase = UnclaimedPurchase(latest, of: key, purchasedAt: start)
        purchase.isForged = isForged
        return purchase
    }
}

/// The claims that present something, and the first and the last presentation.
public struct PresentedClaims: Sendable {
    /// Distinct ids, including claims of earlier runs. Estimates above 4,096, like the next two.
    public private(set) var claims = DistinctSketch<IdentityHash>()
    public private(set) var devices = DistinctSketch<Device>()
    public private(set) var accounts = DistinctSketch<ExactText>()
    /// The earliest and the latest `presented_at`.
    public private(set) var first: Instant?
    public private(set) var last: Instant?

    public init() {}

    public var isEmpty: Bool { claims.count == 0 }

    fileprivate mutating func take(_ observation: Observation) {
        claims.insert(observation.id)
        if let device = observation.device { devices.insert(device) }
        if !observation.accountID.isEmpty { accounts.insert(observation.accountID) }
        guard let date = observation.presentedAt else { return }
        first = min(first ?? date, date)
        last = max(last ?? date, date)
    }
}

/// A transaction with its purchase date, for keeping the latest.
private struct DatedPurchase: Hashable, Comparable {
    let purchasedAt: Instant
    let id: ExactText

    static func < (a: Self, b: Self) -> Bool { (a.purchasedAt, a.id) < (b.purchasedAt, b.id) }
}

/// The newest proof of a purchase.
struct ToldPurchase: Sendable {
    let purchase: Purchase
    let signedAt: Instant
    /// SHA-256 of the token's payload; empty for a receipt.
    let digest: [UInt8]
    let bundleID: ExactText
    let accountToken: ExactText
    let appTransactionID: ExactText
    private let isInProduction: Bool

    fileprivate init(_ purchase: Purchase, _ observation: Observation, _ signedAt: Instant) {
        self.purchase = purchase
        self.signedAt = signedAt
        digest = observation.tokenDigest
        bundleID = observation.bundleID
        accountToken = observation.accountToken
        appTransactionID = observation.appTransactionID
        isInProduction = observation.environmentClass == .production
    }

    /// Whether this proof takes precedence over another of the same purchase: the newer one; for equal dates any
    /// difference decides.
    fileprivate func counts(before other: ToldPurchase) -> Bool {
        guard signedAt == other.signedAt else { return signedAt > other.signedAt }
        guard purchase == other.purchase else { return other.purchase.isWeaker(than: purchase) }
        return digest.span.precedes(other.digest.span)
    }

    /// When the buyer got the price back.
    fileprivate var refundedAt: Instant? {
        guard purchase.cancellationDate != nil, Revocation(of: purchase).isRefund else { return nil }
        return purchase.cancellationDate
    }

    /// Whether a token shows that its person bought it in production.
    fileprivate var isBoughtInProduction: Bool { isInProduction && purchase.details?.ownership == "PURCHASED" }

    /// When its chain of transactions began.
    fileprivate var beganAt: Instant {
        min(purchase.purchaseDate, purchase.originalPurchaseDate ?? purchase.purchaseDate)
    }
}
