public import Encodings
import Receipts
public import Rules

/// Figures of all subscriptions, added one by one in any order, and in parts that are then added.
///
/// Memory grows with the numbers of months, products, apps and currencies, not with the number of subscriptions.
public struct SubscriptionFigures: Sendable {
    /// The maximum number of apps, and of products, with their own counts.
    static let maxKeys = 10_000
    /// The maximum number of apps whose evidence waits for a claim.
    static let maxToldApps = 1000
    /// The number of renewals for which a cohort is followed.
    static let maxRenewals = 60

    public let asOf: Instant
    private let policy: Policy
    /// The counts, which can be transferred and added to other figures.
    package private(set) var content: Content

    /// An app and one of its products.
    struct ProductKey: Hashable, Comparable, Sendable, Codable {
        var bundleID: ExactText
        var productID: ExactText

        static func < (a: Self, b: Self) -> Bool { (a.bundleID, a.productID) < (b.bundleID, b.productID) }
    }

    /// An app in a month.
    struct AppMonth: Hashable, Comparable, Sendable, Codable {
        var bundleID: ExactText
        var month: Month

        static func < (a: Self, b: Self) -> Bool { (a.bundleID, a.month) < (b.bundleID, b.month) }
    }

    /// The month and the length of a first period at the full price.
    struct CohortLength: Hashable, Comparable, Sendable, Codable {
        var month: Month
        /// As in ISO 8601, or `other`.
        var length: ExactText

        static func < (a: Self, b: Self) -> Bool { (a.month, a.length) < (b.month, b.length) }
    }

    package struct Content: Sendable, Codable {
        fileprivate(set) var states = KindCounts<SubscriptionState>()
        fileprivate(set) var apps: BoundedTable<ExactText, KindCounts<SubscriptionState>>
        fileprivate(set) var products: BoundedTable<ProductKey, KindCounts<SubscriptionState>>
        /// The counts by month, as defined by each.
        @SortedByKey fileprivate(set) var months: [Month: KindCounts<MonthCount>] = [:]
        /// The same by app, up to a maximum number of apps.
        fileprivate(set) var appMonths: BoundedTable<AppMonth, KindCounts<MonthCount>>
        /// The cohorts by the month of the first period at the full price.
        @SortedByKey fileprivate(set) var cohorts: [Month: Cohort] = [:]
        /// The same by the length of that period.
        @SortedByKey fileprivate(set) var cohortsByLength: [CohortLength: Cohort] = [:]
        fileprivate(set) var oddities = KindCounts<Oddity>()
        fileprivate(set) var money = MoneyFigures()
        /// The counts of what only evidence shows, by app, until it is known whether they count.
        @SortedByKey fileprivate(set) var told: [ExactText: Content] = [:]
        /// What is in no figure, by environment.
        fileprivate(set) var excluded: BoundedTable<ExactText, KindCounts<ExcludedCount>>

        fileprivate init(maxKeys: Int) {
            apps = BoundedTable(limit: maxKeys)
            products = BoundedTable(limit: maxKeys)
            appMonths = BoundedTable(limit: maxKeys)
            excluded = BoundedTable(limit: maxKeys)
        }

        /// Returns a count over all months.
        func total(_ count: MonthCount) -> Int {
            months.values.reduce(0) { $0.addingSaturating($1[count]) }
        }
    }

    /// - Parameter policy: has the prices.
    public init(asOf: Instant, policy: Policy) { self.init(asOf: asOf, policy: policy, maxKeys: Self.maxKeys) }

    init(asOf: Instant, policy: Policy, maxKeys: Int) {
        self.asOf = asOf
        self.policy = policy
        content = Content(maxKeys: maxKeys)
    }

    /// Adds the figures of other subscriptions, with the same reference time and policy.
    public static func += (figures: inout Self, other: Self) { figures += other.content }

    /// Adds the counts of other subscriptions, with the same reference time and policy.
    package static func += (figures: inout Self, other: Content) {
        figures.content.states += other.states
        figures.content.apps += other.apps
        figures.content.products += other.products
        figures.content.oddities += other.oddities
        figures.content.months += other.months
        figures.content.appMonths += other.appMonths
        figures.content.cohorts += other.cohorts
        figures.content.cohortsByLength += other.cohortsByLength
        figures.content.money += other.money
        for (app, content) in other.told { figures.update(told: app) { $0 += content } }
        figures.content.excluded += other.excluded
    }

    /// Counts an original transaction, read at the same reference time. Without apps in the policy, what only evidence
    /// shows waits for ``settle(naming:)``: anybody may have sent it.
    public mutating func take(_ transaction: OriginalTransaction) {
        guard policy.apps.isEmpty, let app = transaction.toldApp else { return count(transaction) }
        update(told: app) { $0.count(transaction) }
    }

    /// Adds what only evidence shows of some apps, and drops the rest.
    ///
    /// - Parameter apps: the apps that count; `nil` for all.
    package mutating func settle(naming apps: Set<ExactText>?) {
        let told = content.told
        content.told = [:]
        for (app, content) in told where apps?.contains(app) ?? true { self += content }
    }

    /// Changes the counts of what only evidence shows of an app. Keeps the apps with the smallest ids.
    private mutating func update(told app: ExactText, _ change: (inout SubscriptionFigures) -> Void) {
        var figures = SubscriptionFigures(asOf: asOf, policy: policy)
        if let known = content.told.removeValue(forKey: app) { figures.content = known }
        change(&figures)
        content.told[app] = figures.content
        if content.told.count > Self.maxToldApps, let last = content.told.keys.max() { content.told[last] = nil }
    }

    private mutating func count(_ transaction: OriginalTransaction) {
        switch transaction {
        case .subscription(let subscription): take(subscription)
        case .oneTimePurchase(let purchase): take(purchase)
        }
    }

    /// Counts a subscription, read at the same reference time.
    public mutating func take(_ subscription: Subscription) {
        let row = subscription.row
        guard policy.isMoney(of: row.bundleID, in: row.environment) else {
            return exclude([(.subscriptions, 1), (.periods, row.periods)], of: row.environment)
        }
        var state = KindCounts<SubscriptionState>()
        state.add(row.state)
        content.states += state
        content.apps.add(state, at: row.bundleID)
        content.products.add(state, at: ProductKey(bundleID: row.bundleID, productID: row.productID))
        for (oddity, count) in subscription.oddities { content.oddities.add(oddity, count) }
        var months = MonthTally(asOf: asOf)
        months.count(subscription)
        add(months.counts, of: row.bundleID)
        if let (schedule, cohort) = RetainedCohort.of(subscription, asOf: asOf) {
            let key = CohortLength(month: Month(schedule.start), length: schedule.name)
            content.cohorts[key.month, default: Cohort()] += cohort
            content.cohortsByLength[key, default: Cohort()] += cohort
        }
        content.money.add(subscription, policy, asOf: asOf)
    }

    /// Counts a one-time purchase.
    public mutating func take(_ purchase: OneTimePurchase) {
        guard policy.isMoney(of: purchase.bundleID, in: purchase.environment) else {
            return exclude([(.oneTimePurchases, 1)], of: purchase.environment)
        }
        var counts = KindCounts<MonthCount>()
        counts.add(.oneTimePurchases)
        if purchase.refundedAt != nil { counts.add(.refundedOneTimePurchases) }
        if purchase.isTakenBackUnknown { counts.add(.takenBackUnknown) }
        add([Month(purchase.purchasedAt): counts], of: purchase.bundleID)
    }

    private mutating func exclude(_ found: [(ExcludedCount, Int)], of environment: ExactText) {
        var counts = KindCounts<ExcludedCount>()
        for (count, number) in found { counts.add(count, number) }
        content.excluded.add(counts, at: EnvironmentClass(environment).name)
    }

    private mutating func add(_ counts: [Month: KindCounts<MonthCount>], of bundleID: ExactText) {
        content.months += counts
        for (month, counts) in counts {
            content.appMonths.add(counts, at: AppMonth(bundleID: bundleID, month: month))
        }
    }
}

extension OriginalTransaction {
    /// The app of what only evidence shows; `nil` if a claim shows it, too.
    fileprivate var toldApp: ExactText? {
        switch self {
        case .subscription(let subscription): subscription.isClaimed ? nil : subscription.row.bundleID
        case .oneTimePurchase(let purchase): purchase.isClaimed ? nil : purchase.bundleID
        }
    }
}

/// The counts of what is in no figure, because nobody paid for it or because it is not ours.
enum ExcludedCount: String, CaseIterable, Sendable, Codable {
    case subscriptions, periods
    case oneTimePurchases = "one_time_purchases"
}

/// Counts the events of one subscription, by month.
private struct MonthTally {
    let asOf: Instant
    private(set) var counts: [Month: KindCounts<MonthCount>] = [:]

    init(asOf: Instant) { self.asOf = asOf }

    private mutating func add(_ count: MonthCount, at instant: Instant) { add(count, in: Month(instant)) }

    private mutating func add(_ count: MonthCount, in month: Month) { counts[month, default: KindCounts()].add(count) }

    mutating func count(_ subscription: Subscription) {
        add(subscription.isSuccessor ? .moves : .started, at: subscription.row.startedAt)
        let course = SubscriptionCourse(subscription.periods)
        for period in course.renewals { add(.renewals, at: period.purchasedAt) }
        for lapse in course.lapses {
            add(.lapses, at: lapse.lowerBound)
            add(.winBacks, at: lapse.upperBound)
        }
        for date in course.productChanges { add(.productChanges, at: date) }
        if let unseen = subscription.unseen, let latest = subscription.periods.last, unseen.isOther(than: latest) {
            add(.productChanges, at: unseen.signedAt)
        }
        for period in subscription.periods {
            if period.revocation == .unknown { add(.takenBackUnknown, at: period.purchasedAt) }
            guard period.isPaid else { continue }
            add(.paidPeriods, at: period.purchasedAt)
            if period.refundedAt != nil { add(.refundedPeriods, at: period.purchasedAt) }
        }
        if !subscription.isSuccessor { countTrials(subscription) }
        countPaidTime(PaidTime(subscription), isSuccessor: subscription.isSuccessor)
    }

    /// Counts the outcome of each trial. A trial that was changed for another one at once counts as the latter.
    private mutating func countTrials(_ subscription: Subscription) {
        /// The first paid period after the trial.
        var conversion: SubscriptionPeriod?
        var next: SubscriptionPeriod?
        for period in subscription.periods.reversed() {
            defer { next = period }
            if period.isPaid {
                conversion = period
            } else if period.isTrial, !(period.isUpgraded && next?.isTrial == true) {
                add(.trials, at: period.purchasedAt)
                add(outcome(of: period, conversion, subscription), at: period.purchasedAt)
                if conversion?.refundedAt != nil { add(.refundedConversions, at: period.purchasedAt) }
            }
        }
    }

    private func outcome(
        of trial: SubscriptionPeriod, _ conversion: SubscriptionPeriod?, _ subscription: Subscription
    ) -> MonthCount {
        if conversion != nil || subscription.unseen != nil { return .trialsConverted }
        if trial.isTakenBack { return .trialsLost }
        if trial.end > asOf { return .trialsRunning }
        // Its outcome in another chain of transactions is not counted.
        let isKnown = subscription.movedAt == nil && subscription.isKnown(after: trial.end)
        return isKnown ? .trialsLost : .trialsNotRefreshed
    }

    /// Counts the starts of months within paid time, the outcomes at its ends, and its start.
    private mutating func countPaidTime(_ paidTime: PaidTime, isSuccessor: Bool) {
        for (index, stretch) in paidTime.stretches.enumerated() where stretch.lowerBound <= asOf {
            countMonths(of: stretch, at: index, paidTime)
            if index > 0 {
                add(.resubscribed, at: stretch.lowerBound)
            } else if !isSuccessor {
                add(.firstPaid, at: stretch.lowerBound)
            }
        }
        guard let renewed = paidTime.renewed else { return }
        countMonths(of: renewed, at: paidTime.stretches.count, paidTime)
        // It is unknown whether paid time was interrupted before it.
        if paidTime.stretches.isEmpty, !isSuccessor { add(.firstPaid, at: renewed.lowerBound) }
    }

    private mutating func countMonths(of stretch: Range<Instant>, at index: Int, _ paidTime: PaidTime) {
        var month: Month? = Month(stretch.lowerBound)
        while let current = month, current.start < stretch.upperBound, current.start <= asOf {
            month = current.next
            guard current.start >= stretch.lowerBound else { continue }
            add(.activeAtStart, in: current)
            switch paidTime.coverage(at: min(month?.start ?? asOf, asOf), from: index) {
            case .kept: break
            case .lost: add(.lost, in: current)
            case .unknown: add(.notRefreshed, in: current)
            }
        }
    }
}

/// The state of one subscription when its renewals are due.
private enum RetainedCohort {
    /// - Returns: `nil` if it has no period at the full price by the reference time, or replaced another chain.
    static func of(_ subscription: Subscription, asOf: Instant) -> (schedule: RenewalSchedule, cohort: Cohort)? {
        guard !subscription.isSuccessor,
            let first = subscription.periods.first(where: { $0.isPaid && !$0.isIntroOffer }), first.purchasedAt <= asOf,
            let schedule = RenewalSchedule(first)
        else { return nil }
        let paidTime = PaidTime(subscription)
        var cohort = Cohort()
        var run: (coverage: Cohort.Coverage, since: Int)?
        var renewal = 0
        // Renewals after a move belong to another chain.
        let end = min(asOf, subscription.movedAt ?? asOf)
        while renewal < SubscriptionFigures.maxRenewals, schedule.decided(renewal + 1) <= end {
            let coverage = paidTime.coverage(at: schedule.decided(renewal + 1))
            if let before = run, before.coverage != coverage {
                cohort.add(before.coverage, renewals: before.since..<renewal)
                run = nil
            }
            run = run ?? (coverage, renewal)
            renewal += 1
        }
        if let run { cohort.add(run.coverage, renewals: run.since..<renewal) }
        return (schedule, cohort)
    }
}
