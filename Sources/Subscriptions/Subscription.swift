public import Encodings
import Inputs
import Receipts
public import Rules

/// A subscription: the auto-renewable periods of one original transaction, as all genuine receipts together
/// show them.
///
/// It depends on the set of observations and not on their order, and holds periods, not observations.
public struct Subscription: Sendable {
    public let row: SubscriptionRow
    /// In order of purchase. The ``maxPeriods`` latest by expiry, if there are more.
    let periods: [SubscriptionPeriod]
    /// How often each oddity occurs; only those that do.
    let oddities: [Oddity: Int]

    /// The number of periods that are kept: more than eleven years of daily ones.
    public static let maxPeriods = 4096

    /// Reads the observations of one original transaction.
    ///
    /// A purchase is an auto-renewable period if it has an expiry date and attribute 1707 says so. Where that is
    /// absent, it is one if it has a web order line item, or an original transaction other than itself, or if it is not
    /// the only such period here: a single purchase that ends may just as well be of a non-renewing subscription.
    ///
    /// - Parameter asOf: the reference time, at which ``SubscriptionRow/state`` is determined.
    /// - Returns: `nil` if there is no auto-renewable period.
    public init?(
        _ group: some ObservationGroup, asOf: Instant, maxPeriods limit: Int = Subscription.maxPeriods
    ) throws {
        var sum = SubscriptionSum(maxPeriods: limit)
        try group.forEach { sum.take($0) }
        var secondPass = sum.secondPass
        if secondPass != nil { try group.forEach { secondPass?.take($0) } }
        self.init(group.key, sum, secondPass, asOf: asOf)
    }

    /// Makes a subscription of the state over all observations of one original transaction.
    ///
    /// - Parameter secondPass: what ``SubscriptionSum/secondPass`` asks for, if it does.
    public init?(_ key: GroupKey, _ sum: SubscriptionSum, _ secondPass: SubscriptionSecondPass?, asOf: Instant) {
        let evidence = sum.evidence
        var collector = secondPass?.collector ?? sum.collector
        let leftOut = collector.finish()
        let found = collector.periods
        guard found.count + leftOut > 1 || found.values.contains(where: \.isCertain) else { return nil }
        periods = found.map { $1.period($0) }.sorted(by: SubscriptionPeriod.begins)
        guard let latest = periods.max(by: SubscriptionPeriod.ends), let first = periods.first,
            let newest = evidence.newest
        else { return nil }

        let course = SubscriptionCourse(periods)
        var oddities: [Oddity: Int] = [:]
        for (id, evidence) in found {
            for oddity in evidence.oddities(id) { oddities[oddity, default: 0] += 1 }
        }
        oddities[.tooManyPeriods] = leftOut
        oddities[.overlap] = course.overlaps
        oddities[.endsBeforeItBegins] = periods.count { $0.expiresAt < $0.purchasedAt }
        oddities[.appsDiffer] = evidence.appsDiffer ? 1 : 0
        oddities[.environmentsDiffer] = evidence.environmentsDiffer ? 1 : 0
        self.oddities = oddities.filter { $0.value > 0 }

        row = SubscriptionRow(
            originalTransactionID: ExactText(String(decoding: key.octets, as: UTF8.self)),
            bundleID: newest.bundleID,
            productID: latest.productID,
            environment: newest.environment,
            state: Self.state(of: latest, at: asOf, evidenceAt: newest.createdAt),
            startedAt: min(first.purchasedAt, evidence.earliestOriginal ?? first.purchasedAt),
            expiresAt: latest.expiresAt,
            periods: periods.count,
            trials: periods.count(where: \.isTrial),
            introOffers: periods.count(where: \.isIntroOffer),
            refunds: periods.count { $0.refundedAt != nil },
            lapses: course.lapses.count,
            productChanges: course.productChanges.count,
            devices: evidence.devices.count,
            accounts: evidence.accounts.count,
            lastTransactionID: latest.transactionID,
            evidenceAt: newest.createdAt)
    }

    private static func state(
        of latest: SubscriptionPeriod, at asOf: Instant, evidenceAt: Instant
    ) -> SubscriptionState {
        if latest.refundedAt != nil { return .refunded }
        if latest.expiresAt > asOf { return latest.isTrial ? .trial : latest.isIntroOffer ? .intro : .active }
        return evidenceAt >= latest.expiresAt ? .expired : .notRefreshed
    }
}

/// The state over some observations of a subscription. The state over others can be added.
public struct SubscriptionSum: Codable, Sendable {
    var evidence = SubscriptionEvidence()
    var collector: PeriodCollector

    public init(maxPeriods limit: Int = Subscription.maxPeriods) { collector = PeriodCollector(limit: limit) }

    public mutating func take(_ observation: Observation) {
        evidence.add(observation)
        collector.add(observation)
    }

    /// Adds the state over other observations of the same subscription.
    public mutating func add(_ other: SubscriptionSum) {
        evidence.add(other.evidence)
        collector.add(other.collector)
    }

    /// The initial state of a second pass over all observations, after all were added; `nil` if none is needed.
    public var secondPass: SubscriptionSecondPass? {
        collector.hasForgotten ? SubscriptionSecondPass(collector: PeriodCollector(secondPassAfter: collector)) : nil
    }
}

/// The state of the second pass over a subscription with too many periods, when it is known which of them to keep.
public struct SubscriptionSecondPass: Codable, Sendable {
    var collector: PeriodCollector

    public mutating func take(_ observation: Observation) { collector.add(observation) }

    /// Adds the state over other observations.
    public mutating func add(_ other: SubscriptionSecondPass) { collector.add(other.collector) }
}

/// What the observations of a subscription say about it as a whole.
struct SubscriptionEvidence: Codable, Sendable {
    /// The newest receipt that shows the subscription; of equally new ones the greatest.
    private(set) var newest: ReceiptIdentity?
    private(set) var earliestOriginal: Instant?
    private(set) var appsDiffer = false
    private(set) var environmentsDiffer = false
    private(set) var devices = DistinctSketch<Device>()
    private(set) var accounts = DistinctSketch<ExactText>()

    mutating func add(_ observation: Observation) {
        guard observation.isGenuine, let createdAt = observation.createdAt else { return }
        if let device = observation.device { devices.insert(device) }
        if !observation.accountID.isEmpty { accounts.insert(observation.accountID) }
        var isShown = false
        for purchase in observation.purchases where purchase.mayBeAutoRenewable {
            isShown = true
            guard let original = purchase.originalPurchaseDate else { continue }
            earliestOriginal = min(earliestOriginal ?? original, original)
        }
        guard isShown else { return }
        update(
            ReceiptIdentity(
                createdAt: createdAt, bundleID: observation.bundleID, environment: observation.environment))
    }

    /// Adds what other observations say.
    mutating func add(_ other: SubscriptionEvidence) {
        earliestOriginal.add(other.earliestOriginal)
        appsDiffer = appsDiffer || other.appsDiffer
        environmentsDiffer = environmentsDiffer || other.environmentsDiffer
        devices.add(other.devices)
        accounts.add(other.accounts)
        if let receipt = other.newest { update(receipt) }
    }

    private mutating func update(_ receipt: ReceiptIdentity) {
        guard let newest else { return self.newest = receipt }
        if newest.bundleID != receipt.bundleID { appsDiffer = true }
        if newest.environment != receipt.environment { environmentsDiffer = true }
        if newest < receipt { self.newest = receipt }
    }

    /// What identifies a receipt here.
    struct ReceiptIdentity: Comparable, Codable {
        let createdAt: Instant
        let bundleID: ExactText
        let environment: ExactText

        static func < (a: ReceiptIdentity, b: ReceiptIdentity) -> Bool {
            (a.createdAt, a.bundleID, a.environment) < (b.createdAt, b.bundleID, b.environment)
        }
    }
}
