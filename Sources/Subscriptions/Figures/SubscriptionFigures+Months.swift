import Encodings

extension SubscriptionFigures {
    var trialConversion: Figure {
        let columns: [MonthCount] = [.trials, .trialsConverted, .trialsRunning, .trialsNotRefreshed, .trialsLost]
        return figure(
            "trial-conversion", "Trial conversion", columns,
            "By the month in which a trial began; the share is converted over converted and lost.",
            share: ("conversion", { ($0[.trialsConverted], $0[.trialsConverted].addingSaturating($0[.trialsLost])) }))
    }

    var renewals: Figure {
        figure("renewals", "New subscriptions and renewals", [.started, .renewals], "By month of purchase.")
    }

    var churn: Figure {
        figure(
            "churn", "Churn", [.activeAtStart, .lost, .resubscribed, .notRefreshed],
            "Paid subscriptions only, trials not included; the share is lost minus resubscribed over active at the"
                + " month's start, and negative where more came back than went.",
            share: ("churn", { (part: $0[.lost] - $0[.resubscribed], whole: $0[.activeAtStart]) }))
    }

    var refundRate: Figure {
        let total = Figure.Value.share(total(.refunds), of: total(.paidPeriods))
        return Figure(
            id: "refund-rate", title: "Refund rate",
            definition: "Refunded paid periods over paid periods, trials not included, over all time.",
            columns: ["over", "paid_periods", "refunds", "refund_rate"],
            rows: [[.code("all time"), .number(self.total(.paidPeriods)), .number(self.total(.refunds)), total]])
    }

    var lapses: Figure {
        figure("lapses", "Lapses and win-backs", [.lapses, .winBacks], "Trials included, as in the table.")
    }

    var productChanges: Figure {
        figure("product-changes", "Product changes", [.productChanges], "By month of purchase.")
    }

    var retention: Figure {
        var rows: [[Figure.Value]] = []
        for (month, cells) in cohorts.sorted(by: { $0.key < $1.key }) {
            for (index, counts) in cells.enumerated() {
                let paid = counts[.paid]
                rows.append([
                    .month(month), .number(index + 1), .number(paid), .number(counts[.lost]),
                    .number(counts[.notRefreshed]), .share(paid, of: paid.addingSaturating(counts[.lost])),
                ])
            }
        }
        return Figure(
            id: "retention", title: "Retention by cohort",
            definition: "A cohort is the subscriptions whose first paid period began in a month. For the start of each"
                + " later month until as-of, \(Self.maxMonthsLater) at most: how many have paid time that covers that"
                + " moment, how many have not, and how many ran out after their newest receipt. The share is paid over"
                + " paid and lost; with those not refreshed in neither.",
            columns: ["cohort", "months_later", "paid", "lost", "not_refreshed", "retention"], rows: rows, keys: 2)
    }

    /// A row for each month in which any of these was counted.
    private func figure(
        _ id: String, _ title: String, _ counts: [MonthCount], _ definition: String,
        share: (name: String, of: (Counts<MonthCount>) -> (part: Int, whole: Int))? = nil
    ) -> Figure {
        let columns = counts.map { $0.rawValue.replacing("-", with: "_") }
        let rows = months.sorted { $0.key < $1.key }.compactMap { month, found -> [Figure.Value]? in
            guard counts.contains(where: { found[$0] > 0 }) else { return nil }
            let cells = [.month(month)] + counts.map { Figure.Value.number(found[$0]) }
            guard let share else { return cells }
            let (part, whole) = share.of(found)
            return cells + [.share(part, of: whole)]
        }
        let terms = zip(columns, counts).map { Figure.Term(name: $0, meaning: $1.definition) }
        return Figure(
            id: id, title: title, definition: definition,
            columns: ["month"] + columns + (share.map { [$0.name] } ?? []), rows: rows, terms: terms)
    }
}
