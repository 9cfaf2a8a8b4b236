import Encodings
import Receipts
import Rules
import Testing

@testable import Subscriptions

/// One month from 1 January 2024, day 0, as tokens show it, at day 50.
struct `Figures of what tokens show` {
    private let month = period(1, from: 0)

    private func token(_ signed: Double, _ purchase: Purchase) -> Observation {
        receipt(signed, [purchase]) { $0.kind = .transaction }
    }

    private func renewal(_ signed: Double, until end: Double) -> Observation {
        receipt(signed, []) {
            var info = Token.RenewalInfo()
            (info.productID, info.renewalDate, info.renewsByItself) = ("month", day(end), true)
            ($0.kind, $0.renewal, $0.renewedID, $0.bundleID) = (.renewalInfo, info, "t1", "")
        }
    }

    private func notification(_ signed: Double, status: Int) -> Observation {
        receipt(signed, []) { ($0.kind, $0.status, $0.renewedID) = (.notification, status, "t1") }
    }

    private func total(_ count: MonthCount, _ proofs: Observation...) throws -> Int {
        var figures = SubscriptionFigures(asOf: day(50), policy: Policy())
        figures.take(try #require(try Subscription(group(proofs), asOf: day(50), Policy())))
        return figures.content.total(count)
    }

    @Test func `do not take for lost what only a transaction shows, whenever that was signed`() throws {
        #expect(try total(.notRefreshed, token(40, month)) == 1)
        #expect(try total(.lost, token(40, month)) == 0)
        #expect(try total(.lost, token(1, month), receipt(40, [month])) == 1)
    }

    @Test(arguments: [(1, 0), (2, 1), (3, 0), (4, 0)])
    func `take for lost what a notification says has expired`(status: Int, lost: Int) throws {
        #expect(try total(.lost, token(1, month), notification(40, status: status)) == lost)
        #expect(try total(.notRefreshed, token(1, month), notification(40, status: status)) == 1 - lost)
    }

    @Test func `take for lost what was taken back`() throws {
        let refunded = period(1, from: 0) { $0.cancellationDate = day(20) }
        #expect(try total(.lost, token(21, refunded)) == 1)
    }

    @Test(arguments: [25.0, 30.5, 40]) func `keep what a renewal info says was renewed`(signed: Double) throws {
        let proofs = (token(1, month), renewal(signed, until: 60))
        #expect(try total(.lost, proofs.0, proofs.1) == 0)
        // What was between the two is not known.
        #expect(try total(.notRefreshed, proofs.0, proofs.1) == (signed > 31 ? 1 : 0))
    }

    @Test func `count a trial that a renewal info says was renewed as converted`() throws {
        let trial = period(1, from: 0, days: 7) { $0.isTrialPeriod = true }
        #expect(try total(.trialsConverted, token(1, trial), renewal(9, until: 37)) == 1)
        #expect(try total(.trialsNotRefreshed, token(20, trial)) == 1)
        #expect(try total(.trialsLost, token(20, trial), receipt(20, [trial])) == 1)
    }

    @Test func `keep active what only a renewal info shows, from its signing`() throws {
        let proofs = [token(1, period(1, from: 0, days: 15)), renewal(20, until: 50)]
        var figures = SubscriptionFigures(asOf: day(40), policy: Policy())
        figures.take(try #require(try Subscription(group(proofs), asOf: day(40), Policy())))
        // The first of January and of February 2024.
        #expect(figures.content.total(.activeAtStart) == 2)
        #expect(figures.content.total(.lost) == 0 && figures.content.total(.notRefreshed) == 0)
        #expect(figures.content.total(.firstPaid) == 1 && figures.content.total(.resubscribed) == 0)
    }

    @Test func `begin paid time with the renewal info that alone shows a period after a trial`() throws {
        let trial = period(1, from: 0, days: 7) { $0.isTrialPeriod = true }
        #expect(try total(.firstPaid, token(1, trial), renewal(7.1, until: 60)) == 1)
        #expect(try total(.activeAtStart, token(1, trial), renewal(7.1, until: 60)) == 1)
    }

    @Test func `do not take for lost what is in a grace period or billing retry, whatever receipts show`() throws {
        for status in [3, 4] {
            let proofs = (token(1, month), notification(31, status: status))
            #expect(try total(.lost, proofs.0, proofs.1, receipt(40, [month])) == 0)
            #expect(try total(.notRefreshed, proofs.0, proofs.1, receipt(40, [month])) == 1)
        }
    }

    @Test func `count no refund, lapse or win-back where sharing ended`() throws {
        let shared = period(1, from: 0) {
            var details = TransactionDetails()
            details.revocationType = "FAMILY_REVOKE"
            ($0.details, $0.cancellationDate) = (details, day(15))
        }
        for count in [MonthCount.refundedPeriods, .lapses, .winBacks] {
            #expect(try total(count, token(41, shared), token(31, period(2, from: 30))) == 0)
        }
    }

    @Test func `do not take for lost what was upgraded to a product that nothing shows`() throws {
        let upgraded = period(1, from: 0) {
            var details = TransactionDetails()
            details.isUpgraded = true
            ($0.details, $0.cancellationDate) = (details, day(10))
        }
        #expect(try total(.notRefreshed, token(11, upgraded)) == 1)
        #expect(try total(.lost, token(11, upgraded)) == 0)
    }

    @Test func `count no refund of a single purchase that was shared and taken back`() throws {
        var bought = Purchase(productID: "pro", transactionID: "t1", purchaseDate: day(0))
        bought.kind = .nonConsumable
        var details = TransactionDetails()
        details.ownership = "FAMILY_SHARED"
        bought.details = details
        var takenBack = bought
        (takenBack.details, takenBack.cancellationDate) = (nil, day(5))
        for (proofs, refunds) in [([token(1, bought), receipt(6, [takenBack])], 0), ([receipt(6, [takenBack])], 1)] {
            var figures = SubscriptionFigures(asOf: day(50), policy: Policy())
            figures.take(try #require(try OriginalTransaction(group(proofs), asOf: day(50), Policy())))
            #expect(figures.content.total(.refundedOneTimePurchases) == refunds)
        }
    }
}
