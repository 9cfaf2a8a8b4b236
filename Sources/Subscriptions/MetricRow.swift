public import Encodings

/// A row of the table `metrics`: one number that a chart can plot.
public struct MetricRow: Equatable, Sendable {
    /// The name of the number, in snake case; it never changes.
    public let metric: String
    /// The app's bundle id; empty for the sum over all apps.
    public var bundleID: ExactText = ""
    /// The product's id; empty for the sum over all products.
    public var productID: ExactText = ""
    /// The storefront of ISO 3166-1, `unknown` where no token states one; empty for all together.
    public var country: ExactText = ""
    /// The length of the periods as in ISO 8601, or `other`; empty for all together.
    public var length: ExactText = ""
    /// The month; `nil` for the state at the reference time.
    public var month: Month?
    /// The environment of the purchases. Test environments have only the counts of what is in no figure.
    public var environment: ExactText = "Production"
    /// ISO 4217, for amounts of money; otherwise empty.
    public var currency: ExactText = ""
    public let value: DecimalNumber
    /// The bounds of the value, if receipts leave some cases open.
    public var bounds: Bounds?
    /// The whole of a share, bounds included; `nil` for numbers that are not shares.
    public var count: Int?

    public struct Bounds: Equatable, Sendable {
        public let low: DecimalNumber
        public let high: DecimalNumber
    }

    init(_ metric: String, _ value: DecimalNumber) {
        self.metric = metric
        self.value = value
    }

    /// Makes a share of things, some of which are undecided: the value is for the decided ones, the bounds are for all.
    ///
    /// - Returns: `nil` if there is nothing to divide by.
    init?(_ metric: String, _ part: Int, ofDecided decided: Int, undecided: Int) {
        let all = decided.addingSaturating(undecided)
        guard let value = DecimalNumber(part, of: decided), let low = DecimalNumber(part, of: all),
            let high = DecimalNumber(part.addingSaturating(undecided), of: all)
        else { return nil }
        self.init(metric, value)
        bounds = Bounds(low: low, high: high)
        count = all
    }

    /// A share without bounds.
    init?(_ metric: String, _ part: Int, of whole: Int) {
        guard let value = DecimalNumber(part, of: whole) else { return nil }
        self.init(metric, value)
        count = whole
    }
}

/// A row of the table `retention`.
public struct RetentionRow: Equatable, Sendable {
    /// The month of the first period at the full price.
    public let cohort: Month
    /// 1 for the first renewal.
    public let renewal: Int
    public let kept: Int
    public let lost: Int
    /// The number of subscriptions whose paid time ended by then, after their newest receipt.
    public let unknown: Int
}

extension SubscriptionFigures {
    /// The rows of the table `retention`: by cohort, then by renewal.
    public var retentionRows: [RetentionRow] {
        content.cohorts.sorted { $0.key < $1.key }.flatMap { month, cohort in
            cohort.renewals.enumerated().map { index, counts in
                RetentionRow(
                    cohort: month, renewal: index + 1, kept: counts[.kept], lost: counts[.lost],
                    unknown: counts[.unknown])
            }
        }
    }

    /// Calls a body with each row of the table `metrics`: numbers by month for all apps, then for each app; the first
    /// renewals of cohorts; money; the states at the reference time, for all, by app and by product; and what is in no
    /// figure, by environment.
    public func forEachMetric<Failure: Error>(_ body: (MetricRow) throws(Failure) -> Void) throws(Failure) {
        for (month, counts) in content.months.sorted(by: { $0.key < $1.key }) {
            for row in counts.metrics { try body(row.with { $0.month = month }) }
        }
        let (entries, isCut) = (content.appMonths.entries, content.appMonths.others.total > 0)
        for (key, counts) in entries where !isCut || key.bundleID != entries.last?.key.bundleID {
            // The months of the last app may be incomplete.
            for row in counts.metrics {
                try body(
                    row.with {
                        $0.bundleID = key.bundleID
                        $0.month = key.month
                    })
            }
        }
        for row in retentionRows where row.renewal == 1 {
            let known = row.kept.addingSaturating(row.lost)
            let metric = MetricRow("first_renewal", row.kept, ofDecided: known, undecided: row.unknown)
            if let metric { try body(metric.with { $0.month = row.cohort }) }
        }
        for (key, cohort) in content.cohortsByLength.sorted(by: { $0.key < $1.key }) {
            guard let first = cohort.renewals.first else { continue }
            let known = first[.kept].addingSaturating(first[.lost])
            let metric = MetricRow("first_renewal", first[.kept], ofDecided: known, undecided: first[.unknown])
            if let metric { try body(metric.with { ($0.month, $0.length) = (key.month, key.length) }) }
        }
        for row in content.money.metrics { try body(row) }
        try content.money.forEachPart { (row: MetricRow) throws(Failure) in try body(row) }
        try content.money.forEachMovement(asOf: asOf) { (row: MetricRow) throws(Failure) in try body(row) }
        for row in content.states.metrics { try body(row) }
        for (app, states) in content.apps.entries {
            for row in states.metrics { try body(row.with { $0.bundleID = app }) }
        }
        for (key, states) in content.products.entries {
            for row in states.metrics {
                try body(
                    row.with {
                        $0.bundleID = key.bundleID
                        $0.productID = key.productID
                    })
            }
        }
        for (environment, counts) in content.excluded.entries {
            for row in counts.metrics { try body(row.with { $0.environment = environment }) }
        }
    }
}

extension MetricRow {
    func with(_ change: (inout Self) -> Void) -> Self {
        var row = self
        change(&row)
        return row
    }
}

extension MoneyFigures {
    /// Calls a body with the revenue of each app, and of its products, countries and lengths.
    fileprivate func forEachPart<Failure: Error>(_ body: (MetricRow) throws(Failure) -> Void) throws(Failure) {
        let entries = parts.entries
        // The last app may be incomplete.
        for (key, revenue) in entries where !parts.isCut || key.bundleID != entries.last?.key.bundleID {
            for row in revenue.all.metrics("revenue") { try body(row.of(key)) }
        }
    }
}

extension KindCounts<MonthCount> {
    /// All numbers that occurred, and the shares.
    fileprivate var metrics: [MetricRow] {
        let counts = MonthCount.allCases.filter { self[$0] > 0 }.map { MetricRow($0.name, DecimalNumber(self[$0])) }
        let decided = self[.trialsConverted].addingSaturating(self[.trialsLost])
        let undecided = self[.trialsRunning].addingSaturating(self[.trialsNotRefreshed])
        let shares = [
            MetricRow("trial_conversion", self[.trialsConverted], ofDecided: decided, undecided: undecided),
            MetricRow("trial_conversion_of_all", self[.trialsConverted], of: self[.trials]),
            MetricRow("churn", self[.lost], ofDecided: decidedActive, undecided: self[.notRefreshed]),
            MetricRow("refund_rate", refunded, of: sold),
        ]
        return counts + shares.compactMap { $0 }
    }

    /// The number of subscriptions that were active at the month's start, except those with an unknown end.
    var decidedActive: Int { self[.activeAtStart].subtractingSaturating(self[.notRefreshed]) }
    /// Paid periods and one-time purchases.
    var sold: Int { self[.paidPeriods].addingSaturating(self[.oneTimePurchases]) }
    var refunded: Int { self[.refundedPeriods].addingSaturating(self[.refundedOneTimePurchases]) }
}

extension KindCounts<SubscriptionState> {
    fileprivate var metrics: [MetricRow] {
        SubscriptionState.allCases.filter { self[$0] > 0 }.map {
            MetricRow("subscriptions_" + $0.rawValue.replacing("-", with: "_"), DecimalNumber(self[$0]))
        }
    }
}

extension KindCounts<ExcludedCount> {
    fileprivate var metrics: [MetricRow] {
        ExcludedCount.allCases.filter { self[$0] > 0 }.map {
            MetricRow("excluded_" + $0.rawValue, DecimalNumber(self[$0]))
        }
    }
}

extension MoneyFigures {
    /// All amounts, and among them those at prices from tokens, if there are any.
    fileprivate var metrics: [MetricRow] {
        let months = revenue.sorted { $0.key < $1.key }.flatMap { key, revenue in
            (revenue.all.metrics("revenue") + (revenue.paid.isEmpty ? [] : revenue.paid.metrics("revenue_paid"))).map {
                $0.with {
                    $0.month = key.month
                    $0.currency = key.currency
                }
            }
        }
        let undated = undated.sorted { $0.key < $1.key }.map { currency, revenue in
            revenue.all.refunds("revenue_refunds_undated").with { $0.currency = currency }
        }
        return months + undated
            + recurring.sorted { $0.key < $1.key }.flatMap { currency, amount in
                let all = [("mrr", amount.all)] + (amount.paid.subscriptions > 0 ? [("mrr_paid", amount.paid)] : [])
                return all.map { name, amount in
                    MetricRow(name, DecimalNumber(millionths: amount.monthly)).with { $0.currency = currency }
                }
            }
            + (periods[.assigned] > 0
                ? [MetricRow("assigned_without_buyer", DecimalNumber(periods[.assigned]))] : [])
    }
}

extension MoneyFigures.Amounts {
    fileprivate func metrics(_ name: String) -> [MetricRow] {
        let net = MetricRow("\(name)_net", DecimalNumber(millionths: net)).with {
            $0.bounds = bounds(gross.subtractingSaturating(refundsHigh), gross.subtractingSaturating(refundsLow))
        }
        return [MetricRow("\(name)_gross", DecimalNumber(millionths: gross)), refunds("\(name)_refunds"), net]
    }

    fileprivate func refunds(_ name: String) -> MetricRow {
        MetricRow(name, DecimalNumber(millionths: refunds)).with { $0.bounds = bounds(refundsLow, refundsHigh) }
    }

    /// - Returns: `nil` if the value is exact.
    private func bounds(_ low: Int128, _ high: Int128) -> MetricRow.Bounds? {
        isExact ? nil : MetricRow.Bounds(low: DecimalNumber(millionths: low), high: DecimalNumber(millionths: high))
    }
}
