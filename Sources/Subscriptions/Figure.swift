public import Encodings

/// A table of the summary, with its definition.
public struct Figure: Sendable, Equatable {
    public enum Value: Sendable, Equatable {
        /// Untrusted text: an app or a product.
        case text(ExactText)
        /// A word defined by the program.
        case code(String)
        case month(Month)
        case number(Int)
        /// A part of a whole. The part may be negative, or greater than the whole.
        case share(Int, of: Int)
        /// In millionths of the currency's unit, clamped to the range.
        case money(millionths: Int64, currency: ExactText)
    }

    /// The name of the figure in files. It never changes.
    public let id: String
    public let title: String
    public let definition: String
    /// The names of the columns, in snake case.
    public let columns: [String]
    public let rows: [[Value]]
    /// The definitions of columns or rows.
    public var terms: [Term] = []
    /// The number of first columns that together identify a row.
    public var keys = 1

    public struct Term: Sendable, Equatable {
        /// A column in snake case, or the first cell of a row.
        public let name: String
        public let meaning: String
    }
}

extension Figure.Value {
    /// A share in thousandths, rounded to the nearest, halves away from 0; `nil` for other values, and for a share of
    /// 0.
    public var thousandths: Int? {
        guard case .share(let part, let whole) = self, whole > 0 else { return nil }
        let magnitude = (Int128(part.magnitude) * 2000 + Int128(whole)) / (2 * Int128(whole))
        return Int(clamping: part < 0 ? -magnitude : magnitude)
    }
}

extension SubscriptionFigures {
    /// What receipts do not show, in sentences for reports. None of it is estimated.
    public static let unknowable = [
        "Whether a subscriber has turned automatic renewal off: receipts do not contain it.",
        "Billing retry: an unpaid period looks like a cancelled one.",
        "Grace periods: access that the store grants beyond the expiry date is not in receipts.",
        "The price paid, where only receipts show a period: it is taken at the policy's price today, before taxes and the"
            + " store's share, whatever the storefront and the date. Transaction tokens show what was paid.",
        "What offers cost, where no token shows it: introductory and promotional offers are counted, and count 0 as"
            + " money.",
        "What happened after a receipt was made: a subscription whose period ran out since is “not refreshed”,"
            + " neither active nor lost.",
        "What an upgrade gives back: the price of the rest of the old period, which the store refunds.",
        "Consumables that were finished: they leave the receipt, whether they are refunded or not.",
        "Subscriptions without a genuine receipt: all figures are of audited claims.",
    ]

    /// All figures, in the order of reports. Empty months are left out.
    public var figures: [Figure] {
        [
            byState, byApp, byProduct, trialConversion, renewals, churn, retention, retentionByLength, refundRate,
            lapses,
            productChanges, recurringRevenue, revenue, excludedCounts, oddityCounts,
        ]
    }

    private var byState: Figure {
        Figure(
            id: "states", title: "Subscriptions by state",
            definition: "How many subscriptions are in each state at as-of, by their latest period.",
            columns: ["state", "subscriptions"],
            rows: SubscriptionState.allCases.map { [.code($0.rawValue), .number(content.states[$0])] })
    }

    private static let stateColumns = SubscriptionState.allCases.map { $0.rawValue.replacing("-", with: "_") }

    private static func cells(_ states: KindCounts<SubscriptionState>) -> [Figure.Value] {
        SubscriptionState.allCases.map { .number(states[$0]) }
    }

    private var byApp: Figure {
        var rows = content.apps.entries.map { [.text($0.key)] + Self.cells($0.counts) }
        let others = content.apps.others
        if others.total > 0 { rows.append([.code("others")] + Self.cells(others)) }
        return Figure(
            id: "states-by-app", title: "Subscriptions by app and state",
            definition: "The same by the app of the newest receipt.", columns: ["app"] + Self.stateColumns, rows: rows)
    }

    private var byProduct: Figure {
        var rows = content.products.entries.map { entry in
            [.text(entry.key.bundleID), .text(entry.key.productID)] + Self.cells(entry.counts)
        }
        let others = content.products.others
        if others.total > 0 { rows.append([.code("others"), .code("others")] + Self.cells(others)) }
        return Figure(
            id: "states-by-product", title: "Subscriptions by product and state",
            definition: "The same by the product of the latest period.",
            columns: ["app", "product"] + Self.stateColumns,
            rows: rows, keys: 2)
    }

    private var excludedCounts: Figure {
        Figure(
            id: "excluded", title: "Not counted",
            definition:
                "In no figure: purchases in test environments, which cost nothing, and those of apps and environments that"
                + " the policy excludes. By the environment of the newest receipt; production stands here only for what"
                + " the policy excludes.",
            columns: ["environment"] + ExcludedCount.allCases.map(\.rawValue),
            rows: content.excluded.entries.map { environment, counts in
                [.text(environment)] + ExcludedCount.allCases.map { .number(counts[$0]) }
            })
    }

    private var oddityCounts: Figure {
        let found = Oddity.allCases.filter { content.oddities[$0] > 0 }
        return Figure(
            id: "oddities", title: "Odd periods",
            definition:
                "Contradictions in the data. They are counted; the subscriptions have their rows all the same.",
            columns: ["oddity", "number"],
            rows: found.map { [.code($0.rawValue), .number(content.oddities[$0])] },
            terms: found.map { Figure.Term(name: $0.rawValue, meaning: $0.meaning) })
    }

    private var trialConversion: Figure {
        let columns: [MonthCount] = [
            .trials, .trialsConverted, .refundedConversions, .trialsRunning, .trialsNotRefreshed, .trialsLost,
        ]
        return figure(
            "trial-conversion", "Trial conversion", columns,
            "By the month in which a trial began. The conversion is converted over decided, which is converted and"
                + " lost; the conversion of all is converted over all trials. A refunded conversion counts as converted.",
            shares: [
                ("conversion", { ($0[.trialsConverted], $0[.trialsConverted].addingSaturating($0[.trialsLost])) }),
                ("conversion_of_all", { ($0[.trialsConverted], $0[.trials]) }),
            ])
    }

    private var renewals: Figure {
        figure(
            "renewals", "New subscriptions and renewals", [.started, .renewals, .moves],
            "By month of purchase. \(SubscriptionFigures.shownOnly)")
    }

    private var churn: Figure {
        figure(
            "churn", "Churn", [.activeAtStart, .lost, .notRefreshed, .resubscribed],
            "Paid subscriptions only, trials not included. Churn is lost over active at the month's start minus not"
                + " refreshed. The bounds are over active at the start: low if everyone not refreshed stayed, high if"
                + " everyone left.",
            shares: [
                ("churn", { ($0[.lost], $0.decidedActive) }), ("churn_low", { ($0[.lost], $0[.activeAtStart]) }),
                ("churn_high", { ($0[.lost].addingSaturating($0[.notRefreshed]), $0[.activeAtStart]) }),
            ])
    }

    private var refundRate: Figure {
        figure(
            "refund-rate", "Refund rate",
            [.paidPeriods, .refundedPeriods, .oneTimePurchases, .refundedOneTimePurchases, .takenBackUnknown],
            "By month of purchase, whenever refunded: refunded over bought, of paid periods and one-time purchases"
                + " together. Trials are not included, and upgrades are not refunds, nor is what was taken back for a cause"
                + " that is not known. A consumable leaves the receipt once it is finished.",
            shares: [("refund_rate", { ($0.refunded, $0.sold) })])
    }

    private var lapses: Figure {
        figure("lapses", "Lapses and win-backs", [.lapses, .winBacks], "By month, trials included.")
    }

    private var productChanges: Figure {
        figure("product-changes", "Product changes", [.productChanges], "By month of purchase.")
    }

    /// For people. The table `retention` has the numbers.
    private var retention: Figure {
        Figure(
            id: "retention", title: "Retention by renewal",
            definition: "A cohort is the subscriptions whose first period at the full price was bought in a month. For"
                + " each renewal, counted from that period by its length, \(Self.maxRenewals) at most: of those for"
                + " whom it was due until as-of, the share that has paid time beyond it. Those whose proofs are too old"
                + " to tell are not in the share.",
            columns: ["cohort"] + Self.retentionColumns,
            rows: content.cohorts.sorted { $0.key < $1.key }.flatMap { Self.rows(of: $1, .month($0)) }, keys: 2)
    }

    /// For people, as above.
    private var retentionByLength: Figure {
        var cohorts: [ExactText: Cohort] = [:]
        for (key, cohort) in content.cohortsByLength { cohorts[key.length, default: Cohort()] += cohort }
        return Figure(
            id: "retention-by-length", title: "Retention by length of the period",
            definition: "All cohorts together, by the length of the first period at the full price: `P1W` is a week,"
                + " `P1M` a month, `P1Y` a year.",
            columns: ["length"] + Self.retentionColumns,
            rows: cohorts.sorted { $0.key < $1.key }.flatMap { Self.rows(of: $1, .code($0.text)) }, keys: 2)
    }

    private static let retentionColumns = ["renewal", "kept", "lost", "unknown", "retention"]

    private static func rows(of cohort: Cohort, _ name: Figure.Value) -> [[Figure.Value]] {
        cohort.renewals.enumerated().map { index, counts in
            [
                name, .number(index + 1), .number(counts[.kept]), .number(counts[.lost]), .number(counts[.unknown]),
                .share(counts[.kept], of: counts[.kept].addingSaturating(counts[.lost])),
            ]
        }
    }

    /// Returns a row for each month with any of these counts.
    private func figure(
        _ id: String, _ title: String, _ counts: [MonthCount], _ definition: String,
        shares: [(name: String, of: (KindCounts<MonthCount>) -> (part: Int, whole: Int))] = []
    ) -> Figure {
        let columns = counts.map(\.name)
        let rows = content.months.sorted { $0.key < $1.key }.compactMap { month, found -> [Figure.Value]? in
            guard counts.contains(where: { found[$0] > 0 }) else { return nil }
            let cells = [.month(month)] + counts.map { Figure.Value.number(found[$0]) }
            return cells
                + shares.map { share in
                    let (part, whole) = share.of(found)
                    return .share(part, of: whole)
                }
        }
        let terms = zip(columns, counts).map { Figure.Term(name: $0, meaning: $1.definition) }
        return Figure(
            id: id, title: title, definition: definition,
            columns: ["month"] + columns + shares.map(\.name), rows: rows, terms: terms)
    }
}
