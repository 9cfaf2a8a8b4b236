extension SubscriptionFigures {
    /// All figures, in the order of reports. Months without anything are left out.
    public var figures: [Figure] {
        [
            byState, byApp, byProduct, trialConversion, renewals, churn, retention, refundRate, lapses, productChanges,
            recurringRevenue, revenue, oddityCounts,
        ]
    }

    private var byState: Figure {
        Figure(
            id: "states", title: "Subscriptions by state",
            definition: "How many subscriptions are in each state at as-of, by their latest period.",
            columns: ["state", "subscriptions"],
            rows: SubscriptionState.allCases.map { [.code($0.rawValue), .number(states[$0])] })
    }

    private static let stateColumns = SubscriptionState.allCases.map { $0.rawValue.replacing("-", with: "_") }

    private static func cells(_ states: Counts<SubscriptionState>) -> [Figure.Value] {
        SubscriptionState.allCases.map { .number(states[$0]) }
    }

    private var byApp: Figure {
        var rows = apps.entries.map { [.text($0.key)] + Self.cells($0.counts) }
        let others = apps.others
        if others.total > 0 { rows.append([.code("others")] + Self.cells(others)) }
        return Figure(
            id: "states-by-app", title: "Subscriptions by app and state",
            definition: "The same by the app of the newest receipt.", columns: ["app"] + Self.stateColumns, rows: rows)
    }

    private var byProduct: Figure {
        var rows = products.entries.map { entry in
            [.text(entry.key.bundleID), .text(entry.key.productID)] + Self.cells(entry.counts)
        }
        let others = products.others
        if others.total > 0 { rows.append([.code("others"), .code("others")] + Self.cells(others)) }
        return Figure(
            id: "states-by-product", title: "Subscriptions by product and state",
            definition: "The same by the product of the latest period.",
            columns: ["app", "product"] + Self.stateColumns,
            rows: rows, keys: 2)
    }

    private var oddityCounts: Figure {
        Figure(
            id: "oddities", title: "Odd periods",
            definition:
                "What is not as the store sells it. It is counted, and the subscription has its row all the same.",
            columns: ["oddity", "number"],
            rows: Oddity.allCases.filter { oddities[$0] > 0 }.map { [.code($0.rawValue), .number(oddities[$0])] },
            terms: Oddity.allCases.filter { oddities[$0] > 0 }.map {
                Figure.Term(name: $0.rawValue, meaning: $0.meaning)
            })
    }
}
