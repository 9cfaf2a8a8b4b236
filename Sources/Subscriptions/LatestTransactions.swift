public import Encodings
public import Receipts
public import Rules

/// A transaction according to its newest proof.
public struct ProvenTransaction: Equatable, Sendable {
    /// The purchase, entirely from that proof.
    public var purchase: Purchase
    /// When the proof was signed.
    public var provenAt: Instant
    /// SHA-256 of what Apple signed: a token's payload, or a receipt's content.
    public var digest: [UInt8]

    public init(_ purchase: Purchase, provenAt: Instant, digest: [UInt8]) {
        self.purchase = purchase
        self.provenAt = provenAt
        self.digest = digest
    }

    /// Whether the other proof is newer; for equal dates any difference decides.
    fileprivate func precedes(_ other: ProvenTransaction) -> Bool {
        guard provenAt == other.provenAt else { return provenAt < other.provenAt }
        if digest != other.digest { return other.digest.span.precedes(digest.span) }
        return purchase.isWeaker(than: other.purchase)
    }
}

/// The newest renewal info of an original transaction.
public struct ProvenRenewal: Equatable, Sendable {
    public var originalTransactionID: ExactText
    public var renewal: Token.RenewalInfo
    /// When it was signed.
    public var provenAt: Instant
    /// SHA-256 of its payload.
    public var digest: [UInt8]

    public init(
        _ originalTransactionID: ExactText, _ renewal: Token.RenewalInfo, provenAt: Instant, digest: [UInt8]
    ) {
        self.originalTransactionID = originalTransactionID
        self.renewal = renewal
        self.provenAt = provenAt
        self.digest = digest
    }
}

/// The transactions of one original transaction according to all genuine proofs, each by its newest proof.
///
/// They depend on the set of observations and not on their order.
public struct LatestTransactions: Sendable {
    /// The transactions with the latest purchase dates, at most ``maxTransactions``, sorted by purchase date, the
    /// latest first, then by id.
    public private(set) var transactions: [ProvenTransaction] = []
    public private(set) var renewal: ProvenRenewal?

    /// The maximum number of transactions.
    public static let maxTransactions = Subscription.maxPeriods

    /// - Parameter asOf: the reference time; proofs signed after it do not count.
    public init(
        _ group: some ObservationGroup, asOf: Instant, maxTransactions limit: Int = Self.maxTransactions
    ) throws {
        var dates = LatestDates(limit: max(limit, 1))
        var proofs = LatestProofs()
        try group.forEach { observation in
            guard let date = observation.provenDate(asOf), !observation.succeeds(group.key) else { return }
            for purchase in observation.purchases { dates.insert(purchase.transactionID, purchase.purchaseDate) }
            if observation.renewal != nil { proofs.add(observation, showsPeriod: false, createdAt: date) }
        }
        // If transactions were dropped, a second pass knows which ones to keep.
        let wanted = dates.wanted
        var found: [ExactText: ProvenTransaction] = [:]
        try group.forEach { observation in
            guard let date = observation.provenDate(asOf), !observation.succeeds(group.key) else { return }
            for purchase in observation.purchases where wanted.contains(purchase.transactionID) {
                let proven = ProvenTransaction(purchase, provenAt: date, digest: observation.tokenDigest)
                if found[purchase.transactionID]?.precedes(proven) ?? true { found[purchase.transactionID] = proven }
            }
        }
        transactions = found.values.sorted {
            ($1.purchase.purchaseDate, $0.purchase.transactionID) < (
                $0.purchase.purchaseDate, $1.purchase.transactionID
            )
        }
        renewal = proofs.renewal.map {
            ProvenRenewal(
                ExactText(String(decoding: group.key.octets, as: UTF8.self)), $0.value, provenAt: $0.signedAt,
                digest: $0.digest)
        }
    }
}

/// The ids of the transactions with the latest purchase dates, up to a limit.
///
/// The kept ids depend on the greatest date of each, which no observation can lower. A dropped one comes back only with
/// a later date.
private struct LatestDates {
    let limit: Int
    private var dates: [ExactText: Instant] = [:]

    init(limit: Int) { self.limit = limit }

    mutating func insert(_ id: ExactText, _ date: Instant) {
        dates[id] = max(dates[id] ?? date, date)
        if dates.count / 2 >= limit { dates = latest }
    }

    var wanted: Set<ExactText> { Set(latest.keys) }

    private var latest: [ExactText: Instant] {
        guard dates.count > limit else { return dates }
        let sorted = dates.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return Dictionary(sorted.prefix(limit).map { ($0.key, $0.value) }) { first, _ in first }
    }
}

extension Observation {
    /// Returns when the proof was signed, if it is genuine and not after the reference time.
    func provenDate(_ asOf: Instant) -> Instant? {
        guard isGenuine, let createdAt, createdAt <= asOf else { return nil }
        return createdAt
    }
}
