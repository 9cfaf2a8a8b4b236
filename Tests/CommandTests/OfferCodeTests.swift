import Encodings
import SampleStore
import Testing

/// Receipts do not say that a free month is that of an offer code. Tokens do.
struct `A free month of an offer code` {
    private static func month(_ number: Int, isFree: Bool) -> PurchaseContent {
        var month = PurchaseContent(
            .autoRenewable, productID: "month", transactionID: "46000000000000\(number)",
            purchasedAt: .utc(2026, number, 1))
        (month.originalTransactionID, month.originallyPurchasedAt) = ("460000000000001", .utc(2026, 1, 1))
        (month.expiresAt, month.webOrderLineItemID, month.isTrial) = (.utc(2026, number + 1, 1), number, isFree)
        return month
    }

    @Test(arguments: [1, 3], [nil, "evidence", "claim"])
    func `is no second trial once a token shows the offer`(type: Int, source: String?) throws {
        var story = try RefundStory()
        let ana = ["account_id": "ana", "presented_at": "2026-04-03"]
        let free = Self.month(3, isFree: true)
        try story.claim(
            [Self.month(1, isFree: true), Self.month(2, isFree: false), free], created: .utc(2026, 4, 2), ana)
        let token = TransactionContent(free, bundleID: "com.example.notes", signedAt: .utc(2026, 3, 1)).with {
            $0.offer = OfferContent(type, discountType: "FREE_TRIAL")
        }
        if source == "evidence" { try story.tell("OFFER_REDEEMED", token) }
        if source == "claim" { try story.claim(token, ana) }
        let severities = try story.findings("trial-abuse").map { $0["severity"] }
        #expect(severities == (type == 3 && source != nil ? [] : ["high"]))
    }
}
