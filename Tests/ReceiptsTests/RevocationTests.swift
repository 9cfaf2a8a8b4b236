import Encodings
import Receipts
import Testing

/// What a purchase's cancellation date means, given the other members of a token.
struct `A purchase that Apple took back` {
    private static let cancelledAt = Instant(seconds: 1_780_000_000)

    private func details(_ change: (inout TransactionDetails) -> Void) -> TransactionDetails {
        var details = TransactionDetails()
        details.ownership = "PURCHASED"
        change(&details)
        return details
    }

    private func purchase(_ details: TransactionDetails?) -> Purchase {
        var purchase = Purchase(productID: "gold", transactionID: "460", purchaseDate: Instant(seconds: 1_779_000_000))
        purchase.cancellationDate = Self.cancelledAt
        purchase.details = details
        return purchase
    }

    /// How it is classified with and without another product in the receipt.
    private func outcome(_ details: TransactionDetails?, wasShared: Bool = false) -> [Revocation] {
        [false, true].map { Revocation(of: purchase(details), wasShared: wasShared, isReplaced: $0) }
    }

    @Test func `was refunded, or upgraded if another product was bought, where only receipts show it`() {
        #expect(outcome(nil) == [.refund, .upgrade])
    }

    @Test(arguments: ["REFUND_FULL", "REFUND_PRORATED"])
    func `was refunded if its type says so, whatever was bought and though it was upgraded`(type: ExactText) {
        #expect(outcome(details { $0.revocationType = type }) == [.refund, .refund])
        #expect(outcome(details { ($0.revocationType, $0.isUpgraded) = (type, true) }) == [.refund, .refund])
    }

    @Test func `was refunded, which accuses nobody, if its type says so and nobody knows the reason`() {
        let found = outcome(details { ($0.revocationType, $0.revocationReason) = ("REFUND_FULL", 7) })
        #expect(found == [.excusedRefund, .excusedRefund])
    }

    @Test(arguments: [0, 1]) func `was refunded if a reason is given, whatever was bought`(reason: Int) {
        #expect(outcome(details { $0.revocationReason = reason }) == [.refund, .refund])
    }

    @Test(arguments: [0, 1, nil]) func `was upgraded if a token says so, whatever the reason`(reason: Int?) {
        #expect(outcome(details { ($0.revocationReason, $0.isUpgraded) = (reason, true) }) == [.upgrade, .upgrade])
    }

    @Test(arguments: ["REFUND", "REFUND_OTHER", "refund_full", ""], [nil, 0, 1, 2])
    func `was taken back for a cause that is not known, by a type that nobody knows`(type: ExactText, reason: Int?) {
        #expect(
            outcome(details { ($0.revocationType, $0.revocationReason) = (type, reason) }) == [.unknown, .unknown])
    }

    @Test(arguments: [2, -1, 1_000_000]) func `was so by a reason that nobody knows`(reason: Int) {
        #expect(outcome(details { $0.revocationReason = reason }) == [.unknown, .unknown])
        var shown = purchase(nil)
        shown.cancellationReason = reason
        #expect(shown.revocation() == .unknown)
    }

    @Test func `is no longer shared if its type says so, whatever was bought`() {
        #expect(outcome(details { $0.revocationType = "FAMILY_REVOKE" }) == [.accessEnd, .accessEnd])
    }

    @Test func `is no longer shared if it was and nothing says more`() {
        #expect(outcome(details { $0.ownership = "FAMILY_SHARED" }) == [.accessEnd, .accessEnd])
        #expect(outcome(nil, wasShared: true) == [.accessEnd, .accessEnd])
    }

    @Test(
        arguments: ["FAMILY_SHARED", "ASSIGNED", "LOANED", ""], [nil, "REFUND_FULL", "REFUND_PRORATED", "SEAT_TAKEN"])
    func `was not refunded to who did not buy it`(ownership: ExactText, type: ExactText?) {
        for reason in [nil, 0, 1, 2] {
            let found = details {
                ($0.ownership, $0.revocationType, $0.revocationReason) = (ownership, type, reason)
            }
            #expect(outcome(found) == [.accessEnd, .accessEnd])
        }
    }

    @Test(arguments: [-86_400, 0, 86_400] as [Int64])
    func `moved to another chain that began within a day of it`(seconds: Int64) {
        let movedAt = Self.cancelledAt.adding(seconds: seconds)
        #expect(outcome(details { $0.movedAt = movedAt }) == [.move, .move])
        #expect(outcome(details { ($0.movedAt, $0.revocationReason) = (movedAt, 2) }) == [.move, .move])
        #expect(outcome(details { ($0.movedAt, $0.revocationType) = (movedAt, "REFUND_PRORATED") }) == [.move, .move])
        #expect(outcome(details { ($0.movedAt, $0.revocationType) = (movedAt, "REFUND_FULL") }) == [.move, .move])
    }

    @Test(arguments: [-86_401, 86_401] as [Int64]) func `did not move by a chain of another day`(seconds: Int64) {
        let movedAt = Self.cancelledAt.adding(seconds: seconds)
        #expect(outcome(details { $0.movedAt = movedAt }) == [.refund, .upgrade])
    }

    @Test(arguments: [0, 1]) func `did not move if it was refunded in full for a reason that a buyer gives`(reason: Int)
    {
        let found = details {
            ($0.movedAt, $0.revocationType, $0.revocationReason) = (Self.cancelledAt, "REFUND_FULL", reason)
        }
        #expect(outcome(found) == [.refund, .refund])
    }

    /// Two items for 9.99 together.
    private func commerce(
        amount: Int64, reason: ExactText? = "OTHER", areAllRevoked: Bool = false
    ) -> TransactionDetails {
        details {
            var items = CommerceItems()
            items.refunds = [CommerceItems.Refund(amount: amount, reason: reason)]
            items.areAllRevoked = areAllRevoked
            ($0.price, $0.commerce) = (9990, items)
        }
    }

    @Test func `was refunded in part if some of its items were`() {
        #expect(outcome(commerce(amount: 500)) == [.partialRefund, .partialRefund])
    }

    @Test func `was refunded if all of its items were, or their refunds reach the price`() {
        #expect(outcome(commerce(amount: 500, areAllRevoked: true)) == [.refund, .refund])
        #expect(outcome(commerce(amount: 9990)) == [.refund, .refund])
    }

    @Test(arguments: ["MODIFY_ITEMS_REFUND", "SIMULATE_REFUND_DECLINE", "NEW_REASON"])
    func `was refunded without blame if the seller changed its items, or nobody knows why`(reason: ExactText) {
        #expect(outcome(commerce(amount: 9990, reason: reason)) == [.excusedRefund, .excusedRefund])
    }
}
