import Encodings
import Inputs
import Receipts
import Rules
import Testing

@testable import Subscriptions

/// A transaction token of a day.
private func transaction(_ signed: Double, _ purchase: Purchase) -> Observation {
    receipt(signed, [purchase]) {
        $0.kind = .transaction
        $0.tokenDigest = [UInt8](repeating: UInt8(signed), count: 32)
    }
}

/// A renewal info of a day.
private func renewal(_ signed: Double, _ change: (inout Token.RenewalInfo) -> Void) -> Observation {
    receipt(signed, []) {
        var info = Token.RenewalInfo()
        info.productID = "month"
        change(&info)
        ($0.kind, $0.renewal, $0.renewedID, $0.bundleID) = (.renewalInfo, info, "t1", "")
    }
}

/// A notification of a day with a status.
private func notification(_ signed: Double, status: Int) -> Observation {
    receipt(signed, []) { ($0.kind, $0.status, $0.renewedID, $0.isEvidence) = (.notification, status, "t1", true) }
}

private func state(_ observations: Observation..., asOf: Double) throws -> SubscriptionState? {
    try Subscription(group(observations), asOf: day(asOf), Policy())?.row.state
}

/// One month from day 0. Different proofs show what came after it.
struct `The state of a subscription by its latest proofs` {
    private let month = period(1, from: 0)

    @Test func `is not known after its end, if only a transaction shows it, whenever that was signed`() throws {
        #expect(try state(transaction(1, month), asOf: 20) == .active)
        #expect(try state(transaction(40, month), asOf: 50) == .notRefreshed)
    }

    @Test func `is expired if a receipt of its end or later shows no later period`() throws {
        #expect(try state(transaction(1, month), receipt(30, [month]), asOf: 50) == .expired)
        #expect(try state(transaction(1, month), receipt(29, [month]), asOf: 50) == .notRefreshed)
    }

    @Test func `is expired if a renewal info of its end or later shows no later period`() throws {
        let ended = renewal(31) {
            $0.renewsByItself = false
            $0.renewalDate = day(30)
        }
        #expect(try state(transaction(1, month), ended, asOf: 50) == .expired)
    }

    @Test func `is active if a renewal info shows a period that no transaction shows, until that ends`() throws {
        let renewed = renewal(31) {
            $0.renewsByItself = true
            $0.renewalDate = day(60)
        }
        #expect(try state(transaction(1, month), renewed, asOf: 50) == .active)
        #expect(try state(transaction(1, month), renewed, asOf: 61) == .notRefreshed)
        let row = try #require(
            try Subscription(group([transaction(1, month), renewed]), asOf: day(50), Policy())?.row)
        #expect(row.periods == 2 && row.expiresAt == day(60) && row.renewsByItself == true)
        #expect(row.evidence == .renewalInfo && row.evidenceAt == day(31))
    }

    @Test func `is a grace period while Apple says so, and not known after it`() throws {
        let grace = renewal(30) {
            $0.renewalDate = day(30)
            $0.isInBillingRetryPeriod = true
            $0.gracePeriodExpiresDate = day(46)
        }
        #expect(try state(transaction(1, month), grace, asOf: 40) == .gracePeriod)
        #expect(try state(transaction(1, month), grace, asOf: 47) == .notRefreshed)
        #expect(try state(transaction(1, month), grace, notification(31, status: 2), asOf: 40) == .expired)
    }

    @Test func `is in billing retry for sixty days while Apple says so`() throws {
        let retry = notification(31, status: 3)
        #expect(try state(transaction(1, month), retry, asOf: 80) == .billingRetry)
        #expect(try state(transaction(1, month), retry, asOf: 91) == .notRefreshed)
    }

    @Test func `is not expired for a receipt of a grace period or of billing retry, which no receipt shows`() throws {
        let grace = renewal(30) {
            $0.isInBillingRetryPeriod = true
            $0.gracePeriodExpiresDate = day(46)
        }
        #expect(try state(grace, receipt(32, [month]), asOf: 40) == .gracePeriod)
        #expect(try state(grace, receipt(32, [month]), asOf: 47) == .notRefreshed)
        #expect(try state(grace, receipt(46, [month]), asOf: 47) == .expired)
        let retry = notification(31, status: 3)
        #expect(try state(retry, receipt(40, [month]), asOf: 80) == .billingRetry)
        #expect(try state(retry, receipt(40, [month]), asOf: 91) == .notRefreshed)
        #expect(try state(retry, receipt(90, [month]), asOf: 91) == .expired)
        // Nobody says when the grace period ends.
        #expect(try state(notification(31, status: 4), receipt(40, [month]), asOf: 80) == .notRefreshed)
    }

    @Test func `is a grace period until the date that a renewal info says, whatever it says of retry`() throws {
        for isInRetry in [nil, false, true] {
            let grace = renewal(31) {
                $0.isInBillingRetryPeriod = isInRetry
                $0.gracePeriodExpiresDate = day(46)
            }
            #expect(try state(transaction(1, month), grace, asOf: 40) == .gracePeriod)
            #expect(try state(transaction(1, month), grace, asOf: 47) == .notRefreshed)
        }
    }

    @Test func `is what a renewal info says that was signed after the grace period in it`() throws {
        for (isInRetry, expected) in [(true, SubscriptionState.billingRetry), (false, .expired)] {
            let after = renewal(47) {
                $0.isInBillingRetryPeriod = isInRetry
                $0.gracePeriodExpiresDate = day(46)
            }
            #expect(try state(transaction(1, month), after, asOf: 50) == expected)
        }
    }

    @Test func `is not known where all that was said is older than the latest period`() throws {
        let later = transaction(33, period(2, from: 33, days: 7))
        let grace = renewal(31) {
            $0.renewalDate = day(30)
            $0.isInBillingRetryPeriod = true
            $0.gracePeriodExpiresDate = day(46)
        }
        #expect(try state(transaction(1, month), grace, later, asOf: 42) == .notRefreshed)
        #expect(try state(transaction(1, month), notification(31, status: 3), later, asOf: 42) == .notRefreshed)
        #expect(try state(transaction(1, month), notification(34, status: 3), later, asOf: 42) == .billingRetry)
    }

    @Test func `is not known where a renewal info is about an earlier end`() throws {
        let retry = renewal(34) {
            $0.renewalDate = day(30)
            $0.isInBillingRetryPeriod = true
        }
        let later = transaction(33, period(2, from: 33, days: 7))
        #expect(try state(transaction(1, month), retry, later, asOf: 42) == .notRefreshed)
    }

    @Test(arguments: [0, 5, 6]) func `is not what a status alone says that says nothing`(status: Int) throws {
        #expect(try state(transaction(1, month), notification(31, status: status), asOf: 50) == .notRefreshed)
        #expect(
            try state(transaction(1, month), notification(31, status: 2), notification(32, status: status), asOf: 50)
                == .expired)
    }

    @Test func `is not expired if a notification of its end or later says that it is active`() throws {
        #expect(try state(transaction(1, month), notification(31, status: 1), asOf: 50) == .notRefreshed)
        #expect(try state(transaction(1, month), notification(31, status: 2), asOf: 50) == .expired)
    }

    @Test func `is refunded only if the latest period is, and the newest token decides`() throws {
        let refunded = period(1, from: 0) { $0.cancellationDate = day(5) }
        #expect(try state(transaction(1, month), transaction(6, refunded), asOf: 20) == .refunded)
        #expect(try state(transaction(7, month), transaction(6, refunded), asOf: 20) == .active)
        #expect(try state(transaction(6, refunded), transaction(31, period(2, from: 30)), asOf: 40) == .active)
    }

    @Test func `is revoked, and not refunded, if a family's sharing ended`() throws {
        let shared = period(1, from: 0) {
            var details = TransactionDetails()
            details.ownership = "FAMILY_SHARED"
            ($0.details, $0.cancellationDate) = (details, day(5))
        }
        let found = try #require(try Subscription(group([transaction(6, shared)]), asOf: day(20), Policy())?.row)
        #expect(found.state == .revoked && found.refunds == 0 && found.ownership == "FAMILY_SHARED")
    }

    @Test func `is revoked, and not refunded, if a receipt is newest and a token says that it was shared`() throws {
        let shared = period(1, from: 0) {
            var details = TransactionDetails()
            details.ownership = "FAMILY_SHARED"
            $0.details = details
        }
        let takenBack = receipt(6, [period(1, from: 0) { $0.cancellationDate = day(5) }])
        let found = try #require(try Subscription(group([transaction(2, shared), takenBack]), asOf: day(20), Policy()))
        #expect(found.row.state == .revoked && found.row.refunds == 0)
        #expect(try state(transaction(2, month), takenBack, asOf: 20) == .refunded)
    }

    @Test func `makes no lapse where an earlier period was shared and taken back`() throws {
        let shared = period(1, from: 0) {
            var details = TransactionDetails()
            details.revocationType = "FAMILY_REVOKE"
            ($0.details, $0.cancellationDate) = (details, day(15))
        }
        let found = try #require(
            try Subscription(
                group([transaction(40, shared), transaction(31, period(2, from: 30))]), asOf: day(50), Policy())?.row)
        #expect(found.state == .active && found.refunds == 0 && found.lapses == 0)
    }

    @Test func `is not known after an upgrade to what nothing shows, and never refunded`() throws {
        let upgraded = transaction(
            11,
            period(1, from: 0) {
                var details = TransactionDetails()
                details.isUpgraded = true
                ($0.details, $0.cancellationDate) = (details, day(10))
            })
        let found = try #require(try Subscription(group([upgraded]), asOf: day(20), Policy())?.row)
        #expect(found.state == .notRefreshed && found.refunds == 0)
        #expect(try state(upgraded, notification(12, status: 1), asOf: 20) == .notRefreshed)
        #expect(try state(upgraded, notification(31, status: 2), asOf: 40) == .expired)
        let renewed = renewal(12) { ($0.productID, $0.renewalDate) = ("year", day(375)) }
        #expect(try state(upgraded, renewed, asOf: 20) == .active)
    }

    @Test func `is not known after the upgrade of a member's period, as of the buyer's`() throws {
        let upgraded = transaction(
            11,
            period(1, from: 0) {
                var details = TransactionDetails()
                (details.ownership, details.isUpgraded, details.revocationReason) = ("FAMILY_SHARED", true, 0)
                ($0.details, $0.cancellationDate) = (details, day(10))
            })
        #expect(try state(upgraded, asOf: 20) == .notRefreshed)
    }

    @Test func `is not known after an upgrade that a token states without a date`() throws {
        let upgraded = transaction(
            11,
            period(1, from: 0) {
                $0.details = TransactionDetails()
                $0.details?.isUpgraded = true
            })
        #expect(try state(upgraded, asOf: 20) == .notRefreshed)
        #expect(try state(upgraded, transaction(12, period(2, from: 10, product: "year")), asOf: 20) == .active)
    }

    @Test func `counts the product that only a renewal info shows as a change, if it is another`() throws {
        for (product, changes) in [("month", 0), ("year", 1)] as [(ExactText, Int)] {
            let renewed = renewal(29) { ($0.productID, $0.renewalDate) = (product, day(60)) }
            let found = try Subscription(group([transaction(1, month), renewed]), asOf: day(50), Policy())?.row
            #expect(found?.periods == 2 && found?.productID == product && found?.productChanges == changes)
        }
    }

    @Test func `depends on nothing that was signed after the reference time`() throws {
        #expect(try state(transaction(1, month), transaction(31, period(2, from: 30)), asOf: 25) == .active)
        #expect(try state(transaction(31, period(2, from: 30)), asOf: 25) == nil)
    }

    @Test func `is the same in whatever order the proofs come`() throws {
        let proofs = [
            transaction(1, month), renewal(20) { $0.renewalDate = day(30) }, notification(31, status: 3),
            receipt(10, [month]), renewal(31) { $0.renewalDate = day(30) },
        ]
        let expected = try #require(try Subscription(group(proofs), asOf: day(40), Policy())?.row)
        for start in proofs.indices {
            let turned = Array(proofs[start...] + proofs[..<start])
            #expect(try Subscription(group(turned), asOf: day(40), Policy())?.row == expected)
        }
    }
}
