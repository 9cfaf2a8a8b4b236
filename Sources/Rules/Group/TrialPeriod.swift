import Encodings
import Receipts

/// A trial or introductory period, as shown by the claim with the smallest id.
struct TrialPeriod: Comparable, Mergeable, Sendable {
    let original: ExactText
    let isTest: Bool
    private let product: ExactText
    private let purchaseDate: Instant
    private let isTrial: Bool
    private let witness: Witness

    init(_ purchase: Purchase, _ observation: Observation) {
        original = purchase.original.boundedID
        product = purchase.productID.boundedID
        purchaseDate = purchase.purchaseDate
        isTrial = purchase.isTrialPeriod
        isTest = observation.environmentClass != .production
        witness = Witness(observation)
    }

    static func < (a: TrialPeriod, b: TrialPeriod) -> Bool {
        if a.purchaseDate != b.purchaseDate { return a.purchaseDate < b.purchaseDate }
        if a.witness != b.witness { return a.witness < b.witness }
        if a.isTest != b.isTest { return b.isTest }
        return (a.original, a.product, a.isTrial ? 0 : 1) < (b.original, b.product, b.isTrial ? 0 : 1)
    }

    /// Returns the first period of each offer. Periods of one product in one original transaction without a paid period
    /// between them are one offer, such as an introductory price for three months.
    ///
    /// - Parameter paid: the start dates of paid periods, in order.
    static func offers(in periods: [TrialPeriod], _ paid: [PaidPeriod.Subscription: [Instant]]) -> [TrialPeriod] {
        var offers: [TrialPeriod] = []
        let subscriptions = Dictionary(grouping: periods) {
            PaidPeriod.Subscription(product: $0.product, original: $0.original)
        }
        for (subscription, periods) in subscriptions {
            var dates = (paid[subscription] ?? [])[...]
            var last: Instant?
            for period in periods.sorted() {
                if let last { dates = dates.drop { $0 <= last } }
                let isNext = last == nil || dates.first.map { $0 < period.purchaseDate } ?? false
                if isNext { offers.append(period) }
                last = period.purchaseDate
            }
        }
        return offers
    }

    var text: String {
        let kind = isTrial ? "trial" : "introductory period"
        return "\(kind) of \(product) from \(purchaseDate) (original transaction \(original), \(witness))"
    }

    /// A subscription group of an app.
    struct Group: Hashable, Comparable, Sendable, CustomStringConvertible {
        private let app: ExactText
        private let name: ExactText
        /// Whether it is a product without a group in the policy.
        private let isProduct: Bool

        init(app: ExactText, name: ExactText, isProduct: Bool) {
            self.app = app.boundedID
            self.name = name.boundedID
            self.isProduct = isProduct
        }

        static func < (a: Group, b: Group) -> Bool {
            (a.app, a.name, a.isProduct ? 1 : 0) < (b.app, b.name, b.isProduct ? 1 : 0)
        }

        var description: String { "\(name) (\(app))" }
    }

    /// The identity of a period.
    struct Key: Hashable, Comparable, Sendable {
        let group: Group
        private let identity: ExactText

        init(group: Group, identity: ExactText) {
            self.group = group
            self.identity = identity.boundedID
        }

        static func < (a: Key, b: Key) -> Bool { (a.group, a.identity) < (b.group, b.identity) }
    }
}

/// The start of a paid period of a subscription.
struct PaidPeriod: Hashable, Comparable, Sendable {
    let product: ExactText
    let original: ExactText
    let date: Instant

    /// A product in an original transaction.
    struct Subscription: Hashable {
        let product: ExactText
        let original: ExactText
    }

    var subscription: Subscription { Subscription(product: product, original: original) }

    static func < (a: PaidPeriod, b: PaidPeriod) -> Bool {
        (a.product, a.original, a.date) < (b.product, b.original, b.date)
    }
}
