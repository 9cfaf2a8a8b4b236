import Encodings
import Receipts
import Testing

/// What a purchase's cancellation date means, by what a token says beside it.
struct `A purchase that Apple took back` {
    private func details(_ change: (inout TransactionDetails) -> Void) -> TransactionDetails {
        var details = TransactionDetails()
        details.ownership = "PURCHASED"
        change(&details)
        return details
    }

    /// How it is classified without another product beside it, and with one.
    private func outcome(_ details: TransactionDetails?, wasShared: Bool = false) -> [Revocation] {
        [false, true].map { Revocation(details, wasShared: wasShared, isReplaced: $0) }
    }

    @Test func `was refunded, or upgraded if another product was bought, where only receipts show it`() {
        #expect(outcome(nil) == [.refund, .upgrade])
    }

    @Test(arguments: ["REFUND_FULL", "REFUND_PRORATED"])
    func `was refunded if its type says so, whatever was bought and though it was upgraded`(type: ExactText) {
        #expect(outcome(details { $0.revocationType = type }) == [.refund, .refund])
        #expect(outcome(details { ($0.revocationType, $0.isUpgraded) = (type, true) }) == [.refund, .refund])
    }

    @Test(arguments: [0, 1]) func `was refunded if a reason is given, whatever was bought`(reason: Int) {
        #expect(outcome(details { $0.revocationReason = reason }) == [.refund, .refund])
    }

    @Test(arguments: [0, 1, nil]) func `was upgraded if a token says so, whatever the reason`(reason: Int?) {
        #expect(outcome(details { ($0.revocationReason, $0.isUpgraded) = (reason, true) }) == [.upgrade, .upgrade])
    }

    @Test(arguments: ["REFUND", "REFUND_OTHER", "refund_full", ""])
    func `is not known to be refunded by a type that nobody knows`(type: ExactText) {
        #expect(outcome(details { $0.revocationType = type }) == [.refund, .upgrade])
        #expect(outcome(details { ($0.revocationType, $0.revocationReason) = (type, 0) }) == [.refund, .upgrade])
    }

    @Test func `is not known to be refunded by a reason that nobody knows`() {
        #expect(outcome(details { $0.revocationReason = 2 }) == [.refund, .upgrade])
    }

    @Test func `is no longer shared if its type says so, whatever was bought`() {
        #expect(outcome(details { $0.revocationType = "FAMILY_REVOKE" }) == [.sharingEnd, .sharingEnd])
    }

    @Test func `is no longer shared if it was and nothing says more`() {
        #expect(outcome(details { $0.ownership = "FAMILY_SHARED" }) == [.sharingEnd, .upgrade])
        #expect(outcome(nil, wasShared: true) == [.sharingEnd, .upgrade])
    }

    @Test(arguments: ["FAMILY_SHARED", "ASSIGNED"])
    func `was not refunded to who did not buy it, if another product was bought`(ownership: ExactText) {
        let refund = details { ($0.ownership, $0.revocationType) = (ownership, "REFUND_FULL") }
        #expect(outcome(refund) == [.refund, .upgrade])
    }
}
