import Encodings

extension SubscriptionFigures {
    /// The note that every report shows next to money.
    public static let moneyRecord =
        "Amounts come from signed prices or from the policy; Apple says that App Store Connect's reports are the record."

    /// The note beside what is counted by the month of purchase.
    static let shownOnly =
        "Purchases that no proof shows are missing, so the latest months are too low where proofs are old."

    var recurringRevenue: Figure {
        var rows: [[Figure.Value]] = content.money.recurring.sorted { $0.key < $1.key }.flatMap { currency, amount in
            [("paid", amount.paid), ("priced", amount.priced)].filter { $0.1.subscriptions > 0 }.map {
                [.code($0), .code(currency.text), .number($1.subscriptions), .money($1.monthly, currency)]
            }
        }
        rows += MoneyFigures.RunningCount.allCases.filter { $0 != .paid && $0 != .priced }.map {
            [.code("\($0)"), .code(""), .number(content.money.running[$0]), .code("")]
        }
        return Figure(
            id: "recurring-revenue", title: "Monthly recurring revenue",
            definition:
                "Gross, of the subscriptions whose latest period runs at as-of, normalised to a month: day × 30, week × 4,"
                + " two months ÷ 2, quarter ÷ 3, half-year ÷ 6, year ÷ 12; what is paid by a plan of its own, by the stated"
                + " length of the period. Amounts of different currencies are never added. \(Self.moneyRecord)",
            columns: ["basis", "currency", "subscriptions", "amount"], rows: rows,
            terms: [
                .init(
                    name: "paid",
                    meaning:
                        "at the price that a transaction token shows for the latest period and its seats, or a renewal"
                        + " info for the seats of the next one"),
                .init(name: "priced", meaning: "at the policy's price today, where no token shows what was paid"),
                .init(name: "trial", meaning: "in a trial; counts 0"),
                .init(name: "offer", meaning: "at an introductory or promotional offer whose price no token shows"),
                .init(name: "shared", meaning: "shared by another member of the family, who pays"),
                .init(name: "assigned", meaning: "seats that somebody else pays for, whose token is not in the data"),
                .init(
                    name: "unpriced",
                    meaning: "without a price that can be, or a length that makes months, in token and policy"),
            ], keys: 2)
    }

    var revenue: Figure {
        let money = content.money
        let periods = money.periods
        // Without a price in any token, there is nothing to distinguish.
        let isPaid = periods[.paid] > 0
        let sorted = money.revenue.sorted { $0.key < $1.key }
        let undated = money.undated.sorted { $0.key < $1.key }
        let isExact = sorted.allSatisfy(\.value.all.isExact) && undated.allSatisfy(\.value.all.isExact)
        func cells(_ revenue: MoneyFigures.Revenue, _ currency: ExactText) -> [Figure.Value] {
            var amounts = [revenue.all.gross, revenue.all.refunds, revenue.all.net]
            if isPaid { amounts += [revenue.paid.gross, revenue.paid.refunds, revenue.paid.net] }
            if !isExact { amounts += [revenue.all.refundsLow, revenue.all.refundsHigh] }
            return [.code(currency.text)] + amounts.map { .money($0, currency) }
        }
        return Figure(
            id: "revenue", title: "Revenue less refunds", definition: revenueDefinition,
            columns: ["month", "currency", "gross", "refunds", "net"]
                + (isPaid ? ["paid_gross", "paid_refunds", "paid_net"] : [])
                + (isExact ? [] : ["refunds_low", "refunds_high"]),
            rows: sorted.map { [.month($0.key.month)] + cells($0.value, $0.key.currency) }
                + undated.map { [.code("unknown")] + cells($0.value, $0.key) },
            terms: (isPaid ? Self.paidTerms : []) + (isExact ? [] : Self.boundTerms)
                + (undated.isEmpty ? [] : [Self.undatedTerm]), keys: 2)
    }

    private var revenueDefinition: String {
        let periods = content.money.periods
        let assigned = periods[.assigned]
        return
            "The prices of paid periods with their seats, by month of purchase, less refunds by month of refund; before"
            + " taxes and the store's share, and without what upgrades give back. A price is what a transaction token"
            + " shows as paid; without that, it is the policy's price today. Not included, for want of a price:"
            + " \(periods[.offer].grouped) at offers, \(periods[.unpriced].grouped) others without a price,"
            + " \(periods[.shared].grouped) that another member pays for"
            + (assigned > 0 ? ", \(assigned.grouped) assigned seats whose buyer is not in the data" : "")
            + ". \(Self.shownOnly) \(Self.moneyRecord)"
    }

    private static let paidTerms = [
        Figure.Term(
            name: "paid_gross", meaning: "of gross, what tokens show as paid; the rest is at the policy's prices"),
        Figure.Term(name: "paid_refunds", meaning: "of refunds, what was given back of it"),
        Figure.Term(name: "paid_net", meaning: "paid_gross less paid_refunds"),
    ]

    private static let boundTerms = [
        Figure.Term(name: "refunds_low", meaning: "the refunds if the cheapest seats were refunded"),
        Figure.Term(name: "refunds_high", meaning: "the refunds if the dearest seats were refunded"),
    ]

    private static let undatedTerm = Figure.Term(
        name: "unknown", meaning: "refunds without a notification that dates them")
}

extension Figure.Value {
    fileprivate static func money(_ millionths: Int128, _ currency: ExactText) -> Self {
        .money(millionths: Int64(clamping: millionths), currency: currency)
    }
}
