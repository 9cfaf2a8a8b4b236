import Encodings
import SampleStore
import Testing

/// A report on seats, items, plans and moves, as Apple signs them: one month from 1 March 2026, at 20 March.
struct `A report on what the App Store sells since autumn 2026` {
    private static func month(_ id: Int, _ change: (inout TransactionContent) -> Void = { _ in }) -> TransactionContent
    {
        RefundStory.purchase(id, product: "month", expires: .utc(2026, 4, 1)).with {
            ($0.price, $0.currency) = (9990, "EUR")
            change(&$0)
        }
    }

    private static func seats(_ tiers: [(price: Int, quantity: Int)], revoked: Int? = nil) -> MemberEdit {
        let list = tiers.map { SampleJSON.object([("price", .number($0.price)), ("quantity", .number($0.quantity))]) }
        let members = [("invitationManagement", SampleJSON.text("APPLE")), ("priceTiers", .list(list))]
        return .add(
            "multiSeatInfo", .object(members + (revoked.map { [("revokedSeatQuantity", SampleJSON.number($0))] } ?? []))
        )
    }

    /// Ten seats at 9.99.
    private static func group(_ id: Int, _ change: (inout TransactionContent) -> Void = { _ in }) -> TransactionContent
    {
        month(id) {
            ($0.quantity, $0.edits) = (10, [seats([(9990, 10)])])
            change(&$0)
        }
    }

    /// The metrics by name, or by name with the bounds, and the rows of `subscriptions` by original transaction.
    private func report(
        _ tokens: [TransactionContent], _ notifications: [(type: String, subtype: String, of: TransactionContent)] = []
    ) throws -> (metrics: [String: String], rows: [String: [String: String]]) {
        var story = try RefundStory()
        for token in tokens { try story.claim(token) }
        for (type, subtype, content) in notifications { try story.tell(type, subtype: subtype, content) }
        try story.export.write(
            """
            version: 1
            apps:
              com.example.notes:
                products:
                  year:
                    kind: auto-renewable
                    period: year
            """, to: "policy.yml")
        func rows(_ table: String) throws -> [[String: String]] {
            try story.rows(of: table, asOf: "2026-03-20", "--policy", story.export.path("policy.yml"))
        }
        var metrics: [String: String] = [:]
        for row in try rows("metrics") where row["app"] == "" && row["product"] == "" {
            metrics[row["metric"] ?? ""] = row["value"]
        }
        // By the end of the number that ``RefundStory/purchase(_:product:expires:)`` makes of an id.
        let subscriptions = try rows("subscriptions").map {
            (String(($0["original_transaction_id"] ?? "").dropFirst("46000000000000".count)), $0)
        }
        return (metrics, Dictionary(subscriptions) { first, _ in first })
    }

    @Test func `counts ten seats once, and not again for their holders`() throws {
        let members = (11...13).map { id in Self.group(id) { $0.ownership = "ASSIGNED" } }
        let (metrics, rows) = try report([Self.group(1)] + members)
        #expect(metrics["revenue_gross"] == "99.9" && metrics["mrr"] == "99.9")
        #expect(metrics["assigned_without_buyer"] == "3")
        #expect(rows["1"]?["seats"] == "10" && rows["1"]?["access"] == "purchased" && rows["1"]?["price"] == "99.9")
        #expect(rows["11"]?["seats"] == "0" && rows["11"]?["access"] == "assigned")
    }

    @Test(arguments: [false, true]) func `adds seats to the period in which they were bought`(isRefunded: Bool) throws {
        let first = Self.month(1) {
            ($0.quantity, $0.edits) = (
                8, [Self.seats([(9990, 8)]), .add("additionalTransactionReason", .text("SEAT_ADDITION"))]
            )
        }
        let added = Self.month(2) {
            ($0.originalTransactionID, $0.purchasedAt, $0.signedAt) = (
                first.transactionID, .utc(2026, 3, 15), .utc(2026, 3, 17)
            )
            ($0.quantity, $0.price) = (4, 4995)
            $0.edits = [Self.seats([(4995, 4)]), .add("additionalTransactionReason", .text("SEAT_ADDITION"))]
            if isRefunded { ($0.revokedAt, $0.revocationReason) = (.utc(2026, 3, 16), 0) }
        }
        let change = isRefunded ? "DECREASE_QUANTITY" : "INCREASE_QUANTITY"
        let (metrics, rows) = try report([first, added], [("DID_CHANGE_RENEWAL_PREF", change, added)])
        #expect(metrics["revenue_gross"] == "99.9" && metrics["paid_periods"] == "1")
        #expect(metrics["revenue_refunds"] == (isRefunded ? "19.98" : "0") && metrics["refund_rate"] == "0")
        #expect(rows["1"]?["state"] == "active" && rows["1"]?["seats"] == (isRefunded ? "8" : "12"))
        #expect(rows["1"]?["refunds"] == "0" && rows["1"]?["periods"] == "1" && rows["1"]?["product_changes"] == "0")
    }

    @Test func `takes refunded seats off the revenue by the notification's date`() throws {
        let refunded = Self.group(1) {
            ($0.signedAt, $0.edits) = (.utc(2026, 3, 12), [Self.seats([(9990, 10)], revoked: 4)])
        }
        let (metrics, rows) = try report([Self.group(1)], [("REFUND", "SEATS", refunded)])
        #expect(metrics["revenue_gross"] == "99.9" && metrics["revenue_refunds"] == "39.96")
        #expect(metrics["revenue_refunds_undated"] == nil)
        #expect(rows["1"]?["state"] == "active" && rows["1"]?["seats"] == "6")
    }

    @Test func `takes refunded items off the revenue, whether the transaction was taken back or not`() throws {
        let refund = SampleJSON.object([
            ("refundAmount", .number(500)), ("refundDate", .date(.utc(2026, 3, 5))), ("refundReason", .text("OTHER")),
        ])
        let items = SampleJSON.object([
            ("items", .list([.object([("SKU", .text("a")), ("price", .number(9990)), ("refunds", .list([refund]))])]))
        ])
        for revokedAt in [nil, Instant.utc(2026, 3, 5)] {
            let (metrics, rows) = try report([
                Self.month(1) { ($0.advancedCommerceInfo, $0.revokedAt) = (items, revokedAt) }
            ])
            #expect(metrics["revenue_refunds"] == "0.5" && rows["1"]?["state"] == "active")
        }
    }

    @Test func `knows what a year costs a month, and when the commitment ends`() throws {
        let (metrics, rows) = try report([
            Self.month(1) {
                ($0.productID, $0.billingPlanType) = ("year", "MONTHLY")
                $0.commitmentInfo = .object([("commitmentExpiresDate", .date(.utc(2027, 3, 1)))])
            }
        ])
        #expect(metrics["mrr"] == "9.99")
        #expect(rows["1"]?["commitment_ends_at"] == "2027-03-01T00:00:00Z")
    }

    @Test func `joins the chains of a customer who moved to a bundle`() throws {
        let left = Self.month(1) {
            ($0.revokedAt, $0.revocationReason, $0.signedAt) = (.utc(2026, 3, 9), 2, .utc(2026, 3, 10))
        }
        let bundle = Self.month(2) {
            ($0.purchasedAt, $0.originallyPurchasedAt, $0.signedAt) = (
                .utc(2026, 3, 9), .utc(2026, 3, 9), .utc(2026, 3, 10)
            )
            ($0.productID, $0.previousOriginalTransactionID) = ("bundle", left.transactionID)
        }
        #expect(try report([left], [("SUBSCRIBED", "INITIAL_BUY", bundle)]).rows["1"]?["state"] == "expired")
        let (metrics, rows) = try report([left, bundle])
        #expect(rows["1"]?["state"] == "expired" && rows["2"]?["state"] == "active" && rows["1"]?["refunds"] == "0")
        #expect(metrics["started"] == "1" && metrics["moves"] == "1" && metrics["first_paid"] == "1")
        #expect(metrics["refunded_periods"] == nil && metrics["taken_back_unknown"] == nil)
    }

    @Test(arguments: ["REFUND_FULL", "SEAT_TAKEN", nil]) func `calls a seat that was taken revoked`(type: String?)
        throws
    {
        let taken = Self.group(1) {
            ($0.ownership, $0.revokedAt, $0.revocationType) = ("ASSIGNED", .utc(2026, 3, 9), type)
            $0.signedAt = .utc(2026, 3, 10)
        }
        let (metrics, rows) = try report([Self.group(1) { $0.ownership = "ASSIGNED" }], [("REVOKE", "NEW", taken)])
        #expect(rows["1"]?["state"] == "revoked" && rows["1"]?["refunds"] == "0")
        #expect(metrics["refunded_periods"] == nil && metrics["revenue_refunds"] == nil)
    }
}
