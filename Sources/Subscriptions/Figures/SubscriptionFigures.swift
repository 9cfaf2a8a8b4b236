public import Encodings
public import Rules

/// Figures of all subscriptions together, taken one by one in any order, and in parts that are then added.
///
/// Memory grows with months, products, apps and currencies, not with subscriptions.
public struct SubscriptionFigures: Sendable {
    /// An app and one of its products.
    public struct ProductKey: Hashable, Comparable, Sendable, Codable {
        public var bundleID: ExactText
        public var productID: ExactText

        public static func < (a: Self, b: Self) -> Bool { (a.bundleID, a.productID) < (b.bundleID, b.productID) }
    }

    /// How a cohort's subscription stands at the start of a later month.
    public enum CohortCount: Hashable, Sendable {
        /// Its paid time covers that moment.
        case paid
        /// It does not, as receipts show.
        case lost
        /// Its paid time ended before, after the newest receipt.
        case notRefreshed
    }

    /// How many apps and products are told apart.
    public static let maxKeys = 10_000
    /// How many months after its start a cohort is followed.
    public static let maxMonthsLater = 60

    public let asOf: Instant
    let policy: Policy
    public private(set) var states = Counts<SubscriptionState>()
    public private(set) var apps: BoundedTable<ExactText, SubscriptionState>
    public private(set) var products: BoundedTable<ProductKey, SubscriptionState>
    /// By the month of each count's definition.
    public internal(set) var months: [Month: Counts<MonthCount>] = [:]
    /// By the month of the first paid period; the first element is a month later.
    public var cohorts: [Month: [Counts<CohortCount>]] { courses.mapValues(\.cells) }
    var courses: [Month: Cohort] = [:]
    /// How often each oddity occurred.
    public private(set) var oddities = Counts<Oddity>()
    public internal(set) var money = MoneyFigures()

    /// - Parameter policy: where prices come from.
    public init(asOf: Instant, policy: Policy, maxKeys: Int = SubscriptionFigures.maxKeys) {
        self.asOf = asOf
        self.policy = policy
        apps = BoundedTable(limit: maxKeys)
        products = BoundedTable(limit: maxKeys)
    }

    /// Counts a subscription, read as of the same instant.
    public mutating func take(_ subscription: Subscription) {
        let row = subscription.row
        var state = Counts<SubscriptionState>()
        state.add(row.state)
        states += state
        apps.add(state, at: row.bundleID)
        products.add(state, at: ProductKey(bundleID: row.bundleID, productID: row.productID))
        for (oddity, count) in subscription.oddities { oddities.add(oddity, count) }
        takeCourse(subscription)
        takePaidTime(subscription)
        money.take(subscription, policy)
    }

    /// Adds the figures of other subscriptions, as of the same instant and by the same policy.
    public static func += (figures: inout Self, other: Self) {
        figures.states += other.states
        figures.apps += other.apps
        figures.products += other.products
        figures.oddities += other.oddities
        for (month, counts) in other.months { figures.months[month, default: Counts()] += counts }
        for (month, cohort) in other.courses { figures.courses[month, default: Cohort()] += cohort }
        figures.money += other.money
    }

    /// A count over all months.
    public func total(_ count: MonthCount) -> Int {
        var total = Counts<MonthCount>()
        for counts in months.values { total.add(count, counts[count]) }
        return total[count]
    }

    mutating func add(_ count: MonthCount, at instant: Instant) { add(count, in: Month(instant)) }

    mutating func add(_ count: MonthCount, in month: Month) { months[month, default: Counts()].add(count) }
}

extension SubscriptionFigures {
    /// What was counted, to be handed on and added elsewhere.
    package struct Content: Sendable, Codable {
        fileprivate var states: Counts<SubscriptionState>
        fileprivate var apps: BoundedTable<ExactText, SubscriptionState>
        fileprivate var products: BoundedTable<ProductKey, SubscriptionState>
        fileprivate var months: [Month: Counts<MonthCount>]
        fileprivate var courses: [Month: Cohort]
        fileprivate var oddities: Counts<Oddity>
        fileprivate var money: MoneyFigures
    }

    package var content: Content {
        Content(
            states: states, apps: apps, products: products, months: months, courses: courses, oddities: oddities,
            money: money)
    }

    /// Adds what was counted of other subscriptions, as of the same instant and by the same policy.
    package static func += (figures: inout Self, content: Content) {
        var other = SubscriptionFigures(asOf: figures.asOf, policy: figures.policy)
        other.states = content.states
        other.apps = content.apps
        other.products = content.products
        other.months = content.months
        other.courses = content.courses
        other.oddities = content.oddities
        other.money = content.money
        figures += other
    }
}
