import Checks
public import Encodings
import Proofs
public import Receipts

/// Apple's questions about a purchase whose buyer asks for a refund: a notification CONSUMPTION_REQUEST, with fields of
/// the transaction in it.
public struct ConsumptionRequest: Codable, Hashable, Sendable {
    /// `notificationUUID`. A request that is delivered twice counts once.
    public var uuid: ExactText = ""
    /// When Apple signed the notification.
    public var requestedAt = Instant(milliseconds: 0)
    /// `data.consumptionRequestReason`, verbatim.
    public var reason: ExactText?
    public var transactionID: ExactText = ""
    public var originalTransactionID: ExactText = ""
    public var bundleID: ExactText = ""
    public var productID: ExactText = ""
    public var kind: Purchase.Kind?
    public var environment: ExactText = ""
    /// The transaction's `appAccountToken`, in lower case; empty if it has none.
    public var accountToken: ExactText = ""
    /// The transaction's `appTransactionId`; empty if it has none.
    public var appTransactionID: ExactText = ""
    /// What the buyer paid, in millionths of the currency's unit.
    public var millionths: Int64?
    /// ISO 4217; `nil` without a price.
    public var currency: ExactText?
    /// SHA-256 of the notification's payload.
    public var digest: [UInt8] = []

    package init() {}

    /// - Parameters:
    ///   - notification: the facts of the notification.
    ///   - subject: the facts of the transaction that it is about.
    /// - Returns: `nil` if it is another notification, or about no transaction.
    init?(_ notification: Facts, about subject: Facts) {
        guard let token = notification.token, let asked = token.notification, asked.type == "CONSUMPTION_REQUEST",
            let date = notification.createdAt, let purchase = subject.provenPurchases?.first, purchase.original.isID
        else { return nil }
        uuid = asked.uuid.boundedID
        requestedAt = date
        reason = asked.consumptionRequestReason?.boundedID
        transactionID = purchase.transactionID.boundedID
        originalTransactionID = purchase.original.boundedID
        bundleID = subject.bundleID?.boundedID ?? ""
        productID = purchase.productID.boundedID
        kind = purchase.kind
        environment = subject.environment?.boundedID ?? ""
        accountToken = subject.token?.appAccountToken?.lowercasedASCII.boundedID ?? ""
        appTransactionID = subject.token?.appTransactionID?.boundedID ?? ""
        let price = purchase.shownPrice
        millionths = price?.millionths
        currency = price?.currency.boundedID
        digest = notification.signature?.contentDigest.bytes ?? []
    }

    /// Whether this request takes precedence over another with the same UUID: the earlier one, or for equal dates the
    /// one with the smaller digest.
    public func counts(before other: Self) -> Bool {
        guard requestedAt == other.requestedAt else { return requestedAt < other.requestedAt }
        return digest.span.precedes(other.digest.span)
    }
}
