public import Encodings
import Receipts
public import Rules

/// A subscription: the auto-renewable periods of one original transaction, according to all genuine receipts.
///
/// It depends on the set of observations and not on their order, and stores periods, not observations.
public struct Subscription: Sendable {
    public let row: SubscriptionRow
    /// The periods in order of purchase. If there are too many, the ``maxPeriods`` latest by expiry.
    let periods: [SubscriptionPeriod]
    /// The periods of members that are not among ``periods``: their buyer's period represents them, or one member's
    /// represents all.
    let memberPeriods: [SubscriptionPeriod]
    /// Whether a token shows the periods of the buyer, who paid for the members.
    let isBuyerSeen: Bool
    /// Whether a claim shows it, and not only evidence.
    let isClaimed: Bool
    /// Whether it replaced another chain of transactions: a bundle, or a migration.
    let isSuccessor: Bool
    /// When another chain replaced this one, at the end of its latest period; `nil` if none did.
    let movedAt: Instant?
    /// A later period that only a renewal info shows; `nil` if there is none.
    let unseen: UnseenPeriod?
    private let proofs: LatestProofs
    private let asOf: Instant
    /// The end that decides the state. Not used if the latest period was revoked.
    private let ending: PeriodEnding
    /// The number of occurrences of each oddity, without those that do not occur.
    let oddities: [Oddity: Int]

    /// The maximum number of periods: more than eleven years of daily ones.
    public static let maxPeriods = 4096

    /// Reads the observations of one original transaction.
    ///
    /// A purchase is an auto-renewable period if it has an expiry date and attribute 1707 states it. If that is absent,
    /// it is one unless the policy's catalogue has another kind for the product.
    ///
    /// - Parameters:
    ///   - asOf: the reference time, for which ``SubscriptionRow/state`` is determined.
    ///   - policy: the policy with the catalogue.
    /// - Returns: `nil` if there is no auto-renewable period.
    public init?(
        _ group: some ObservationGroup, asOf: Instant, _ policy: Policy,
        maxPeriods limit: Int = Subscription.maxPeriods
    ) throws {
        guard case .subscription(let found)? = try OriginalTransaction(group, asOf: asOf, policy, maxPeriods: limit)
        else { return nil }
        self = found
    }

    fileprivate init?(_ key: GroupKey, _ sum: SubscriptionSum, asOf: Instant) {
        let evidence = sum.evidence
        isClaimed = evidence.isClaimed
        var collector = sum.collector
        let leftOut = collector.finish()
        let found = collector.periods.joined()
        let all = found.map { $1.period($0) }
        // One person buys for all members, who have separate periods for the same time.
        let isBuyerSeen = all.contains { $0.details?.ownership == "PURCHASED" }
        let (counted, others) = all.withoutMembers()
        memberPeriods = others
        self.isBuyerSeen = isBuyerSeen
        let chain = SubscriptionChain(counted, evidence)
        let periods = chain.periods
        self.periods = periods
        guard let latest = periods.last, let first = periods.first, let newest = evidence.newest else { return nil }
        let (proofs, unseen) = (evidence.proofs, chain.unseen)
        self.unseen = unseen
        self.proofs = proofs
        self.asOf = asOf
        movedAt = chain.movedAt
        isSuccessor = chain.isSuccessor
        ending = unseen.map(PeriodEnding.init) ?? PeriodEnding(latest)

        let course = SubscriptionCourse(periods)
        var oddities: [Oddity: Int] = [:]
        for evidence in found.values {
            for oddity in evidence.oddities() { oddities[oddity, default: 0] += 1 }
        }
        oddities[.tooManyPeriods] = leftOut
        oddities[.overlap] = course.overlaps
        oddities[.endsBeforeItBegins] = periods.count { $0.expiresAt < $0.purchasedAt }
        oddities[.appsDiffer] = evidence.appsDiffer ? 1 : 0
        oddities[.environmentsDiffer] = evidence.environmentsDiffer ? 1 : 0
        self.oddities = oddities.filter { $0.value > 0 }

        var row = SubscriptionRow(
            originalTransactionID: ExactText(String(decoding: key.octets, as: UTF8.self)),
            bundleID: newest.bundleID,
            productID: unseen?.productID ?? latest.productID,
            environment: newest.environment,
            state: Self.state(of: unseen == nil ? latest : nil, ending, proofs, hasMoved: movedAt != nil, at: asOf),
            startedAt: evidence.earliestPurchase ?? first.purchasedAt,
            expiresAt: unseen?.end ?? latest.expiresAt,
            periods: periods.count + (unseen == nil ? 0 : 1),
            trials: periods.count(where: \.isTrial),
            introOffers: periods.count(where: \.isIntroOffer),
            refunds: periods.count { $0.refundedAt != nil },
            lapses: course.lapses.count,
            productChanges: course.productChanges.count + (unseen.map { $0.isOther(than: latest) } == true ? 1 : 0),
            devices: evidence.devices.count,
            accounts: evidence.accounts.count,
            lastTransactionID: latest.transactionID,
            evidenceAt: proofs.newest?.date ?? newest.createdAt)
        row.show(proofs, latest: unseen == nil ? latest : nil)
        self.row = row
    }

    /// Whether it is known what followed the end of paid time or of a trial: there is a purchase at or after that time,
    /// or a proof would show one.
    func isKnown(after end: Instant) -> Bool {
        guard let latest = periods.last, latest.purchasedAt < end else { return !periods.isEmpty }
        // The successor of an upgraded period is not known, whenever that period ended.
        let isReplaced = unseen == nil && latest.isUpgraded
        let asked = isReplaced ? ending : PeriodEnding(end: end, boughtAt: ending.boughtAt)
        return proofs.state(after: asked, at: asOf) == .expired
    }

    /// The price of the seats in the next period from the newest renewal info; `nil` if it has none.
    var nextSeats: PeriodPrice? { periods.last.flatMap(proofs.nextSeats) }

    /// - Parameter latest: the latest period; `nil` if only a renewal info shows it.
    private static func state(
        of latest: SubscriptionPeriod?, _ ending: PeriodEnding, _ proofs: LatestProofs, hasMoved: Bool, at asOf: Instant
    ) -> SubscriptionState {
        if let latest, latest.isTakenBack { return latest.refundedAt == nil ? .revoked : .refunded }
        // The continuation has another original transaction, and a separate row.
        if hasMoved { return .expired }
        guard latest?.end ?? ending.end > asOf, latest?.isUpgraded != true else {
            return proofs.state(after: ending, at: asOf)
        }
        guard let latest else { return .active }
        return latest.isTrial ? .trial : latest.isIntroOffer ? .intro : .active
    }
}

extension PeriodEnding {
    /// - Parameter period: for an upgraded one the stated end counts: earlier proofs are about its successor.
    fileprivate init(_ period: SubscriptionPeriod) {
        self.init(end: period.expiresAt, boughtAt: period.purchasedAt)
    }

    fileprivate init(_ period: UnseenPeriod) { self.init(end: period.end, boughtAt: period.signedAt) }
}

extension SubscriptionRow {
    /// Fills in the columns from tokens.
    ///
    /// - Parameter latest: the latest period; `nil` if only a renewal info shows it.
    fileprivate mutating func show(_ proofs: LatestProofs, latest: SubscriptionPeriod?) {
        if let renewal = proofs.renewal?.value {
            renewsByItself = renewal.renewsByItself
            renewsTo = renewal.renewsByItself == false ? nil : renewal.nextProductID
            gracePeriodExpiresAt = renewal.gracePeriodExpiresDate
            isInBillingRetry = renewal.isInBillingRetryPeriod
            expirationIntent = renewal.expirationIntent
        }
        ownership = latest?.details?.ownership
        offer = latest?.offerID
        price = latest?.shownPrice
        currency = latest?.details?.currency
        seats = latest?.seats ?? 0
        commitmentEndsAt = proofs.commitmentEnd(after: latest)
        if let proof = proofs.newest { (evidence, evidenceDigest) = (proof.kind, proof.digest) }
    }
}

/// The kind of an original transaction.
public enum OriginalTransaction: Sendable {
    case subscription(Subscription)
    case oneTimePurchase(OneTimePurchase)

    /// Reads the observations of one original transaction.
    ///
    /// - Parameters:
    ///   - asOf: the reference time.
    ///   - policy: the policy with the catalogue.
    /// - Returns: `nil` if no genuine receipt shows a purchase of either kind.
    public init?(
        _ group: some ObservationGroup, asOf: Instant, _ policy: Policy,
        maxPeriods limit: Int = Subscription.maxPeriods
    ) throws {
        let sum = try SubscriptionSum(group, asOf: asOf, policy, maxPeriods: limit)
        // With any period it is a subscription.
        if let subscription = Subscription(group.key, sum, asOf: asOf) {
            self = .subscription(subscription)
        } else if var purchase = sum.oneTime?.purchase {
            purchase.isClaimed = sum.evidence.isClaimed
            self = .oneTimePurchase(purchase)
        } else {
            return nil
        }
    }
}

/// The state over the observations of an original transaction.
private struct SubscriptionSum {
    var evidence = SubscriptionEvidence()
    var collector: PeriodCollector
    var oneTime: OneTimeEvidence?

    init(_ group: some ObservationGroup, asOf: Instant, _ policy: Policy, maxPeriods limit: Int) throws {
        collector = PeriodCollector(limit: limit)
        try group.forEach { observation in
            guard let createdAt = observation.provenDate(asOf) else { return }
            guard !observation.succeeds(group.key) else {
                return evidence.add(successor: observation, policy, asOf: asOf)
            }
            evidence.add(observation, policy)
            for purchase in observation.purchases {
                if purchase.isPeriod(of: observation.bundleID, policy) {
                    collector.add(purchase, createdAt: createdAt)
                } else if purchase.isOneTime(of: observation.bundleID, policy) {
                    add(
                        OneTimeEvidence(
                            purchase, of: observation.bundleID, in: observation.environment, createdAt: createdAt))
                }
            }
        }
        // With too many periods, a second pass knows which of them to keep.
        guard collector.hasForgotten else { return }
        collector = PeriodCollector(secondPassAfter: collector)
        try group.forEach { observation in
            guard let createdAt = observation.provenDate(asOf), !observation.succeeds(group.key) else { return }
            for purchase in observation.purchases where purchase.isPeriod(of: observation.bundleID, policy) {
                collector.add(purchase, createdAt: createdAt)
            }
        }
    }

    private mutating func add(_ other: OneTimeEvidence) {
        if oneTime == nil { oneTime = other } else { oneTime?.add(other) }
    }
}
