import Encodings

extension SubscriptionFigures {
    var recurringRevenue: Figure {
        var rows: [[Figure.Value]] = money.recurring.sorted { $0.key < $1.key }.map {
            [.code("priced"), .code($0.key.text), .number($0.value.subscriptions), .money($0.value.monthly, $0.key)]
        }
        rows += MoneyFigures.RunningCount.allCases.filter { $0 != .priced }.map {
            [.code("\($0)"), .code(""), .number(money.running[$0]), .code("")]
        }
        return Figure(
            id: "recurring-revenue", title: "Monthly recurring revenue",
            definition:
                "Gross, of the subscriptions whose latest period runs at as-of, at the policy's prices, normalised"
                + " to a month: day × 30, week × 4, two months ÷ 2, quarter ÷ 3, half-year ÷ 6, year ÷ 12. Trials count 0,"
                + " and so do introductory and promotional offers, whose prices are not in receipts, and products"
                + " without a price or a period in the policy (unpriced).",
            columns: ["basis", "currency", "subscriptions", "amount"], rows: rows, keys: 2)
    }

    var revenue: Figure {
        let sorted = money.revenue.sorted {
            ($0.key.month, $0.key.currency) < ($1.key.month, $1.key.currency)
        }
        return Figure(
            id: "revenue", title: "Revenue less refunds",
            definition: "The policy's prices of paid periods by month of purchase, less the prices of refunded ones by"
                + " month of refund; before taxes and the store's share. Not in it, for want of a price:"
                + " \(money.periods[.offer]) periods at offers, \(money.periods[.unpriced]) of products without a price.",
            columns: ["month", "currency", "gross", "refunds", "net"],
            rows: sorted.map { key, revenue in
                [
                    .month(key.month), .code(key.currency.text), .money(revenue.gross, key.currency),
                    .money(revenue.refunds, key.currency), .money(revenue.net, key.currency),
                ]
            }, keys: 2)
    }
}

extension Figure.Value {
    fileprivate static func money(_ millionths: Int128, _ currency: ExactText) -> Self {
        .money(millionths: Int64(clamping: millionths), currency: currency)
    }
}
