/// Something in the periods of a subscription that is not as the store sells them.
public enum Oddity: String, CaseIterable, Sendable, Codable {
    case noOriginalID = "no-original-id"
    case noKind = "no-kind"
    case noLineItem = "no-line-item"
    case overlap
    case endsBeforeItBegins = "ends-before-it-begins"
    case productsDiffer = "products-differ"
    case expiriesDiffer = "expiries-differ"
    case refundWithdrawn = "refund-withdrawn"
    case appsDiffer = "apps-differ"
    case environmentsDiffer = "environments-differ"
    case tooManyPeriods = "too-many-periods"

    /// What it is, for a report: what is counted of each subscription.
    public var meaning: String {
        switch self {
        case .noOriginalID: "periods without an original transaction id in any receipt (attribute 1705)"
        case .noKind: "periods without a kind in any receipt (attribute 1707), taken as auto-renewable"
        case .noLineItem: "periods without a web order line item (attribute 1711), told apart by transaction id"
        case .overlap: "periods bought before an earlier one had ended"
        case .endsBeforeItBegins: "periods that end before they were bought"
        case .productsDiffer: "periods of one product in one receipt, of another in another: the newest counts"
        case .expiriesDiffer: "periods with one end in one receipt, with another in another: the newest counts"
        case .refundWithdrawn: "refunds that a newer receipt does not show; they count"
        case .appsDiffer: "subscriptions in receipts of several apps: the newest counts"
        case .environmentsDiffer: "subscriptions in receipts of several environments: the newest counts"
        case .tooManyPeriods:
            "periods that were left out, being earlier than the \(Subscription.maxPeriods) latest of a subscription"
        }
    }
}
