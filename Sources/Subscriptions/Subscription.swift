public import Encodings
public import Rules

/// A subscription: the auto-renewable periods of one original transaction, as all genuine receipts together
/// show them.
///
/// It depends on which observations there are and not on their order, and holds periods, not observations.
public struct Subscription: Sendable {
    public let row: SubscriptionRow
    /// In order of purchase. The ``maxPeriods`` latest by expiry, if there are more.
    public let periods: [SubscriptionPeriod]
    /// What is odd about it, and how often; only what occurs.
    public let oddities: [Oddity: Int]

    /// How many periods are kept: more than the store sells in eleven years of days.
    public static let maxPeriods = 4096

    /// Reads the observations of one original transaction.
    ///
    /// A purchase is an auto-renewable period if it has an expiry date and attribute 1707 says so. Where that
    /// is absent it is one if it has a web order line item, or an original transaction that is not its own, or
    /// if it is not the only such period here: a lone purchase that ends may as well be of a
    /// non-renewing subscription.
    ///
    /// - Parameter asOf: the instant that ``SubscriptionRow/state`` is at.
    /// - Returns: `nil` if there is no auto-renewable period.
    public init?(
        _ group: some ObservationGroup, asOf: Instant, maxPeriods limit: Int = Subscription.maxPeriods
    ) throws {
        var sum = SubscriptionSum(maxPeriods: limit)
        try group.forEach { sum.take($0) }
        var secondLook = sum.secondLook
        if secondLook != nil { try group.forEach { secondLook?.take($0) } }
        self.init(group.key, sum, secondLook, asOf: asOf)
    }

    /// Reads what was read of all observations of one original transaction.
    ///
    /// - Parameter secondLook: what ``SubscriptionSum/secondLook`` asks for, if it does.
    public init?(_ key: GroupKey, _ sum: SubscriptionSum, _ secondLook: SubscriptionSecondLook?, asOf: Instant) {
        let evidence = sum.evidence
        var collector = secondLook?.collector ?? sum.collector
        let leftOut = collector.finish()
        let found = collector.periods
        guard found.count + leftOut > 1 || found.values.contains(where: \.isCertain) else { return nil }
        periods = found.map { $1.period($0) }.sorted(by: SubscriptionPeriod.begins)
        guard let latest = periods.max(by: SubscriptionPeriod.ends), let first = periods.first,
            let newest = evidence.newest
        else { return nil }

        let course = SubscriptionCourse(periods)
        var oddities = Oddity.counts(in: found)
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
