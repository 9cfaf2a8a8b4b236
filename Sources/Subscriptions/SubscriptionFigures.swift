public import Encodings
public import Rules

/// Figures of all subscriptions together, added one by one in any order, and in parts that are then added.
///
/// Memory grows with the numbers of months, products, apps and currencies, not with that of subscriptions.
public struct SubscriptionFigures: Sendable {
    /// The number of apps, and of products, that are counted by themselves.
    static let maxKeys = 10_000
    /// The number of months after its first for which a cohort is followed.
    static let maxMonthsLater = 60

    public let asOf: Instant
    private let policy: Policy
    /// What was counted, to be transferred and added to other figures.
    package private(set) var content: Content

    /// An app and one of its products.
    struct ProductKey: Hashable, Comparable, Sendable, Codable {
        var bundleID: ExactText
        var productID: ExactText

        static func < (a: Self, b: Self) -> Bool { (a.bundleID, a.productID) < (b.bundleID, b.productID) }
    }

    package struct Content: Sendable, Codable {
        fileprivate(set) var states = Counts<SubscriptionState>()
        fileprivate(set) var apps: BoundedTable<ExactText, SubscriptionState>
        fileprivate(set) var products: BoundedTable<ProductKey, SubscriptionState>
        /// By the month of each count's definition.
        @SortedByKey fileprivate(set) var months: [Month: Counts<MonthCount>] = [:]
        /// By the month of the first paid period.
        @SortedByKey fileprivate var courses: [Month: Cohort] = [:]
        fileprivate(set) var oddities = Counts<Oddity>()
        fileprivate(set) var money = MoneyFigures()

        fileprivate init(maxKeys: Int) {
            apps = BoundedTable(limit: maxKeys)
            products = BoundedTable(limit: maxKeys)
        }

        /// The months after the first of each cohort, by the month of the first paid period.
        var cohorts: [Month: [Counts<Cohort.Standing>]] { courses.mapValues(\.months) }

        /// Returns a count over all months.
        func total(_ count: MonthCount) -> Int {
            months.values.reduce(0) { $0.addingSaturating($1[count]) }
        }
    }

    /// - Parameter policy: contains the prices.
    public init(asOf: Instant, policy: Policy) { self.init(asOf: asOf, policy: policy, maxKeys: Self.maxKeys) }

    init(asOf: Instant, policy: Policy, maxKeys: Int) {
        self.asOf = asOf
        self.policy = policy
        content = Content(maxKeys: maxKeys)
    }

    /// Adds the figures of other subscriptions, at the same reference time and with the same policy.
    public static func += (figures: inout Self, other: Self) { figures += other.content }

    /// Adds what was counted of other subscriptions, at the same reference time and with the same policy.
    package static func += (figures: inout Self, other: Content) {
        figures.content.states += other.states
        figures.content.apps += other.apps
        figures.content.products += other.products
        figures.content.oddities += other.oddities
        for (month, counts) in other.months { figures.content.months[month, default: Counts()] += counts }
        for (month, cohort) in other.courses { figures.content.courses[month, default: Cohort()] += cohort }
        figures.content.money += other.money
    }

    /// Counts a subscription that was read at the same reference time.
    public mutating func take(_ subscription: Subscription) {
        let row = subscription.row
        var state = Counts<SubscriptionState>()
        state.add(row.state)
        content.states += state
        content.apps.add(state, at: row.bundleID)
        content.products.add(state, at: ProductKey(bundleID: row.bundleID, productID: row.productID))
        for (oddity, count) in subscription.oddities { content.oddities.add(oddity, count) }
        addCourse(subscription)
        addPaidTime(subscription)
        content.money.add(subscription, policy)
    }

    private mutating func add(_ count: MonthCount, at instant: Instant) { add(count, in: Month(instant)) }

    private mutating func add(_ count: MonthCount, in month: Month) {
        content.months[month, default: Counts()].add(count)
    }

    /// Counts what happened, by its date.
    private mutating func addCourse(_ subscription: Subscription) {
        let (row, periods) = (subscription.row, subscription.periods)
        let course = SubscriptionCourse(periods)
        add(.started, at: row.startedAt)
        for period in course.renewals where period.isPaid { add(.renewals, at: period.purchasedAt) }
        for lapse in course.lapses {
            add(.lapses, at: lapse.lowerBound)
            add(.winBacks, at: lapse.upperBound)
        }
        for date in course.productChanges { add(.productChanges, at: date) }
        let lastPaid = periods.lastIndex(where: \.isPaid) ?? -1
        for (index, period) in periods.enumerated() {
            if period.isPaid {
                add(.paidPeriods, at: period.purchasedAt)
                if let date = period.refundedAt { add(.refunds, at: date) }
            } else {
                add(.trials, at: period.purchasedAt)
                add(outcome(ofTrial: period, isConverted: index < lastPaid, row), at: period.purchasedAt)
            }
        }
    }

    private func outcome(ofTrial trial: SubscriptionPeriod, isConverted: Bool, _ row: SubscriptionRow) -> MonthCount {
        if isConverted { return .trialsConverted }
        if trial.refundedAt != nil { return .trialsLost }
        if trial.expiresAt > asOf { return .trialsRunning }
        return row.evidenceAt < trial.expiresAt ? .trialsNotRefreshed : .trialsLost
    }

    /// Counts how the subscription stood at the starts of months, and when its paid times began and ended.
    private mutating func addPaidTime(_ subscription: Subscription) {
        let paidTime = PaidTime(subscription)
        for (index, stretch) in paidTime.stretches.enumerated() where stretch.lowerBound <= asOf {
            var month: Month? = Month(stretch.lowerBound)
            while let current = month, current.start < stretch.upperBound, current.start <= asOf {
                if current.start >= stretch.lowerBound { add(.activeAtStart, in: current) }
                month = current.next
            }
            if index > 0 { add(.resubscribed, at: stretch.lowerBound) }
            guard stretch.upperBound <= asOf else { continue }
            let isSeen = index < paidTime.stretches.count - 1 || paidTime.isEndSeen
            add(isSeen ? .lost : .notRefreshed, at: stretch.upperBound)
        }
        guard let first = paidTime.stretches.first, first.lowerBound <= asOf else { return }
        let cohort = Month(first.lowerBound)
        add(.firstPaid, in: cohort)
        addRetention(paidTime, in: cohort)
    }

    /// Counts how the subscription stands at the starts of the months after its first.
    private mutating func addRetention(_ paidTime: PaidTime, in cohort: Month) {
        var month = cohort
        var run: (standing: Cohort.Standing, since: Int)?
        var later = 0
        while later < Self.maxMonthsLater, let next = month.next, next.start <= asOf {
            month = next
            let standing = paidTime.standing(at: month.start)
            if let before = run, before.standing != standing {
                content.courses[cohort, default: Cohort()].add(before.standing, months: before.since..<later)
                run = nil
            }
            run = run ?? (standing, later)
            later += 1
        }
        if let run { content.courses[cohort, default: Cohort()].add(run.standing, months: run.since..<later) }
    }
}
