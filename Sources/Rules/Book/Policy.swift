public import Checks
public import Encodings
public import Receipts

/// A company's declarations about its apps, and its settings for the rules.
public struct Policy: Sendable {
    /// The apps, by bundle id. If there are none, any app is accepted.
    public var apps: [ExactText: App] = [:]
    /// The environments (attribute 0) that are allowed; `nil` allows any.
    public var environments: Set<ExactText>?
    /// The settings of rules, by rule id.
    public var rules: [ExactText: RuleSettings] = [:]
    public var allowances: [Allowance] = []

    /// Makes a policy with all rules at their standard limits, for any app and any environment.
    public init() {}

    public struct App: Sendable, Equatable {
        /// The published versions; `nil` if the policy does not list them.
        public var versions: Set<ExactText>?
        /// The products, by product id; `nil` if the policy has no catalogue for the app.
        public var products: [ExactText: Product]?

        public init(versions: Set<ExactText>? = nil, products: [ExactText: Product]? = nil) {
            self.versions = versions
            self.products = products
        }
    }

    /// A policy's settings for a rule.
    public struct RuleSettings: Sendable, Equatable {
        public var isOff = false
        /// Replaces every severity that the rule gives.
        public var severity: Severity?
        /// The limits, by ``RuleLimit/name``.
        public var limits: [ExactText: Int] = [:]

        public init() {}
    }

    /// A subject about which findings are counted but not reported.
    public struct Allowance: Sendable, Equatable {
        /// The subject, as in the column `subject`: `device:…`, `account:…`, `transaction:…`, `receipt:…`, `app:…`,
        /// `claim:…`; or a finding by its id: `finding:…`.
        public var subject: ExactText
        /// The rules that it applies to; empty for all.
        public var rules: Set<ExactText> = []
        public var reason: String
        /// When it ends; `nil` for never.
        public var until: Instant?

        public init(subject: ExactText, reason: String) {
            self.subject = subject
            self.reason = reason
        }

        /// Whether it has not ended at a reference time.
        package func holds(at asOf: Instant) -> Bool { until.map { asOf < $0 } ?? true }
    }

    /// Returns the value of a rule's limit.
    func value(of limit: RuleLimit, in rule: (some Rule).Type) -> Int {
        rules[rule.documentation.id]?.limits[limit.name] ?? limit.standard
    }

    /// Returns a rule's limit of minutes or hours in seconds, clamped to the range of the limit.
    func seconds(of limit: RuleLimit, each unit: Int64, in rule: (some Rule).Type) -> Int64 {
        let value = value(of: limit, in: rule)
        return Int64(min(max(value, limit.range.lowerBound), limit.range.upperBound)) * unit
    }
}

/// A product in an app's catalogue.
public struct Product: Sendable, Equatable {
    public var kind: Purchase.Kind?
    /// The subscription group.
    public var group: ExactText?
    public var price: Price?
    /// The length of a subscription's period.
    public var period: Period?

    public init() {}

    public struct Price: Sendable, Equatable {
        /// In millionths of the currency's unit: `4.99` is 4,990,000.
        public var millionths: Int64
        /// ISO 4217: `USD`.
        public var currency: ExactText

        public init(millionths: Int64, currency: ExactText) {
            self.millionths = millionths
            self.currency = currency
        }
    }

    /// The period lengths that the App Store sells.
    public enum Period: String, CaseIterable, Sendable {
        case day
        case week
        case month
        case twoMonths = "two-months"
        case quarter
        case halfYear = "half-year"
        case year
    }
}

extension Policy {
    /// Whether purchases of an app in an environment are money. Nobody pays in test environments, and what the policy
    /// excludes is not ours.
    package func isMoney(of bundleID: ExactText, in environment: ExactText) -> Bool {
        EnvironmentClass(environment) == .production && Expectations.allows(environment, among: environments)
            && (apps.isEmpty || apps[bundleID] != nil)
    }
}

extension Expectations {
    /// Makes what every claim is checked against, from a policy and a reference time.
    public init(asOf: Instant, _ policy: Policy) {
        self.init(asOf: asOf)
        bundleIDs = policy.apps.isEmpty ? nil : Set(policy.apps.keys)
        environments = policy.environments
    }
}
