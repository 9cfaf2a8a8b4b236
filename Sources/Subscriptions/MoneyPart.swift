import Encodings
import Receipts

/// A part of the money in a month, in one currency.
struct MoneyPart: Hashable, Comparable, Sendable, Codable {
    /// The app; empty for all together. The other dimensions, too, are empty for all together.
    var bundleID: ExactText = ""
    var productID: ExactText = ""
    var country: ExactText = ""
    var length: ExactText = ""
    /// ISO 4217.
    var currency: ExactText = ""
    var month: Month?

    static func < (a: Self, b: Self) -> Bool { a.order < b.order }

    private var order: (ExactText, ExactText, ExactText, ExactText, ExactText, Int64) {
        (bundleID, productID, country, length, currency, month?.start.milliseconds ?? .min)
    }

    func at(_ month: Month, _ currency: ExactText) -> Self {
        var part = self
        part.month = month
        part.currency = currency
        return part
    }

    /// Whether they differ in nothing but the month.
    func isSameSeries(as other: Self) -> Bool {
        var part = self
        part.month = other.month
        return part == other
    }

    /// The parts that a paid transaction belongs to: its app, and in it the product, the country and the length.
    static func slices(of period: SubscriptionPeriod, _ app: ExactText) -> [Self] {
        let country = period.details?.storefront.flatMap { $0.isThreeCapitals ? $0 : nil } ?? "unknown"
        return [
            Self(bundleID: app), Self(bundleID: app, productID: period.productID),
            Self(bundleID: app, country: country),
            Self(bundleID: app, length: RenewalSchedule(period)?.name ?? "other"),
        ]
    }
}

extension MetricRow {
    /// The same for a part of the money.
    func of(_ part: MoneyPart) -> Self {
        with {
            $0.bundleID = part.bundleID
            $0.productID = part.productID
            $0.country = part.country
            $0.length = part.length
            $0.month = part.month
            $0.currency = part.currency
        }
    }
}
