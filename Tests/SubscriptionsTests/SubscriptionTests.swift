import Corpus
import Encodings
import Inputs
import Receipts
import Rules
import Testing

@testable import Subscriptions

struct `A subscription` {
    @Test func `has a row with what its receipts say`() throws {
        let purchases = [
            period(1, from: 0, days: 7) {
                $0.isTrialPeriod = true
                $0.originalPurchaseDate = day(-1)
            },
            period(2, from: 7), period(3, from: 40, product: "year") { $0.cancellationDate = day(50) },
            period(4, from: 70, product: "year") { $0.isInIntroOfferPeriod = true },
        ]
        let row = try #require(try row(receipt(71, purchases) { $0.accountID = "a" }, asOf: 80))
        #expect(
            row
                == SubscriptionRow(
                    originalTransactionID: "t1", bundleID: "com.example.notes", productID: "year",
                    environment: "Production", state: .intro, startedAt: day(0), expiresAt: day(100), periods: 4,
                    trials: 1, introOffers: 1, refunds: 1, lapses: 1, productChanges: 1, devices: 0, accounts: 1,
                    lastTransactionID: "t4", evidenceAt: day(71)))
    }

    @Test func `is none without an auto-renewable period`() throws {
        #expect(try row() == nil)
        #expect(try row(receipt(1, [])) == nil)
        #expect(try row(receipt(1, [period(1, from: 0) { $0.expiresDate = nil }])) == nil)
        for kind in [Purchase.Kind.nonConsumable, .consumable, .nonRenewing, .freeSubscription] {
            #expect(try row(receipt(1, [period(1, from: 0) { $0.kind = kind }])) == nil)
        }
        #expect(try row(receipt(1, [period(1, from: 0)]) { $0.isGenuine = false }) == nil)
        #expect(try row(receipt(1, [period(1, from: 0)]) { $0.createdAt = nil }) == nil)
    }

    @Test func `counts a period by its line item, however often it was restored`() throws {
        let restored = period(1, from: 0) {
            $0.transactionID = "t9"
            $0.purchaseDate = day(20)
        }
        let row = try #require(try row(receipt(5, [period(1, from: 0)]), receipt(21, [restored])))
        #expect(row.periods == 1 && row.lastTransactionID == "t9" && row.startedAt == day(0))
    }

    @Test func `counts a period by its transaction where there is no line item`() throws {
        let purchases = [1, 1, 2].map { number in period(number, from: 0) { $0.webOrderLineItemID = nil } }
        #expect(try row(receipt(5, purchases))?.periods == 2)
    }

    @Test func `is of the newest receipt's app and environment`() throws {
        let older = receipt(5, [period(1, from: 0)]) {
            $0.bundleID = "com.example.old"
            $0.environment = "ProductionSandbox"
        }
        let found = try #require(try subscription(receipt(6, [period(1, from: 0)]), older))
        #expect(found.row.bundleID == "com.example.notes" && found.row.environment == "Production")
        #expect(found.oddities == [.appsDiffer: 1, .environmentsDiffer: 1])
    }

    @Test func `tells apart accounts and apps that Swift takes for equal`() throws {
        let observations = (["\u{e9}", "e\u{301}"] as [ExactText]).map { text in
            receipt(5, [period(1, from: 0)]) {
                $0.accountID = text
                $0.bundleID = text
            }
        }
        for observations in [observations, observations.reversed()] {
            let found = try #require(try Subscription(group(observations), asOf: day(6), Policy()))
            #expect(found.row.accounts == 2)
            #expect(found.row.bundleID.text.unicodeScalars.count == 2)
            #expect(found.oddities == [.appsDiffer: 1])
        }
    }

    @Test func `counts devices and accounts once`() throws {
        let observations = (0..<6).map { number in
            receipt(5, [period(1, from: 0)]) {
                $0.device = .init(octets: [1, 2, 3, 4, 5, UInt8(number % 3)].span)
                $0.accountID = number % 2 == 0 ? "" : "account"
            }
        }
        let row = try #require(try Subscription(group(observations), asOf: day(6), Policy())?.row)
        #expect(row.devices == 3 && row.accounts == 1)
    }

    @Test func `lapses after more than a day, and no sooner`() throws {
        func lapses(_ gap: Double) throws -> Int? {
            try row(receipt(90, [period(1, from: 0), period(2, from: 30 + gap)]))?.lapses
        }
        #expect(try lapses(0) == 0 && lapses(1) == 0 && lapses(-5) == 0)
        #expect(try lapses(1 + 1 / 86_400_000.0) == 1)
    }

    @Test func `does not lapse under a longer period`() throws {
        let purchases = [period(1, from: 0, days: 365), period(2, from: 10), period(3, from: 100)]
        #expect(try row(receipt(120, purchases))?.lapses == 0)
    }

    @Test func `lapses where the period between was refunded`() throws {
        let refunded = period(2, from: 30) { $0.cancellationDate = day(31) }
        #expect(try row(receipt(99, [period(1, from: 0), refunded, period(3, from: 60)]))?.lapses == 1)
        #expect(try row(receipt(99, [refunded, period(3, from: 90)]))?.lapses == 0)
    }

    @Test func `lapses after an upgrade that a longer period would hide, and not at the upgrade`() throws {
        let upgraded = period(1, from: 0, days: 365, product: "year") { $0.cancellationDate = day(40) }
        let months = [period(2, from: 40), period(3, from: 80)]
        let row = try #require(try row(receipt(99, [upgraded] + months)))
        #expect(row.lapses == 1 && row.refunds == 0 && row.productChanges == 1)
    }
}

struct `An upgrade` {
    @Test(arguments: [
        (-61.0, "year", 1), (-60, "year", 0), (0, "year", 0), (300, "year", 0), (301, "year", 1), (0, "month", 1),
    ])
    func `is another product bought from a minute before to five minutes after a cancellation, which is no refund then`(
        seconds: Double, product: ExactText, refunds: Int
    ) throws {
        let purchases = [
            period(1, from: 0) { $0.cancellationDate = day(10) },
            period(2, from: 10 + seconds / 86_400, product: product),
        ]
        #expect(try row(receipt(50, purchases))?.refunds == refunds)
    }

    @Test(arguments: [("REFUND_FULL", nil), ("REFUND_PRORATED", nil), (nil, 0), (nil, 1)] as [(ExactText?, Int?)])
    func `is none if a token says that the period was refunded`(type: ExactText?, reason: Int?) throws {
        let upgraded = period(1, from: 0) { $0.cancellationDate = day(10) }
        var details = TransactionDetails()
        (details.revocationType, details.revocationReason) = (type, reason)
        var told = upgraded
        told.details = details
        let shown = receipt(50, [upgraded, period(2, from: 10, product: "year")])
        #expect(try row(shown)?.refunds == 0)
        #expect(try row(shown, receipt(40, [told]) { $0.kind = .transaction })?.refunds == 1)
    }

    @Test func `is found as by a slow search`() {
        var random = Seeded(state: 8)
        let instant = { (random: inout Seeded) in Instant(seconds: Int64.random(in: 0...40, using: &random) * 30) }
        for _ in 0..<Exhaustive.count(300, sampled: 100) {
            let made = (0..<Int.random(in: 1...12, using: &random)).map { number in
                SubscriptionPeriod(
                    id: .lineItem(number), productID: Bool.random(using: &random) ? "month" : "year",
                    transactionID: "t\(number)", purchasedAt: instant(&random), expiresAt: Instant(seconds: 9000),
                    cancelledAt: Bool.random(using: &random) ? instant(&random) : nil,
                    isTrial: false, isIntroOffer: false, isPromotionalOffer: false)
            }
            var periods = made.sorted(by: SubscriptionPeriod.precedes)
            periods.decideRevocations()
            for period in periods {
                let isUpgraded = periods.contains { other in
                    guard let date = period.cancelledAt, other.productID != period.productID else { return false }
                    return (-60...300).contains(other.purchasedAt.seconds - date.seconds)
                }
                #expect(period.isUpgraded == isUpgraded)
            }
        }
    }
}

struct `An original transaction` {
    @Test func `is one purchase that is paid for once if it has no period`() throws {
        let restored = period(1, from: 40) {
            $0.kind = .nonConsumable
            $0.expiresDate = nil
            $0.transactionID = "t9"
            $0.originalPurchaseDate = day(3)
            $0.cancellationDate = day(44)
        }
        let first = period(1, from: 3) {
            $0.kind = .nonConsumable
            $0.expiresDate = nil
        }
        let receipts = [receipt(45, [restored]), receipt(5, [first])]
        let expected = OneTimePurchase(bundleID: "com.example.notes", purchasedAt: day(3), refundedAt: day(44))
        for receipts in [receipts, receipts.reversed()] {
            #expect(try oneTimePurchase(receipts) == expected)
        }
        #expect(try oneTimePurchase(receipts + [receipt(50, [period(2, from: 40)])]) == nil)
        #expect(try oneTimePurchase([receipt(5, [period(1, from: 0) { $0.kind = .freeSubscription }])]) == nil)
    }

    private func oneTimePurchase(_ receipts: [Observation]) throws -> OneTimePurchase? {
        guard case .oneTimePurchase(let found)? = try OriginalTransaction(group(receipts), asOf: day(50), Policy())
        else { return nil }
        return found
    }
}

struct `The state of a subscription` {
    @Test func `is that of its latest period while this runs`() throws {
        #expect(try row(receipt(5, [period(1, from: 0)]), asOf: 29)?.state == .active)
        #expect(try row(receipt(5, [period(1, from: 0) { $0.isTrialPeriod = true }]), asOf: 29)?.state == .trial)
        #expect(try row(receipt(5, [period(1, from: 0) { $0.isInIntroOfferPeriod = true }]), asOf: 29)?.state == .intro)
    }

    @Test func `is not refreshed when no receipt was made after the end`() throws {
        #expect(try row(receipt(29.99, [period(1, from: 0)]), asOf: 30)?.state == .notRefreshed)
    }

    @Test func `is expired when a receipt of the end or later shows no other period`() throws {
        #expect(try row(receipt(30, [period(1, from: 0)]), asOf: 30)?.state == .expired)
        let older = receipt(5, [period(1, from: 0)])
        #expect(try row(older, receipt(31, [period(1, from: 0)]), asOf: 40)?.state == .expired)
    }

    @Test func `is refunded when its latest period is, and not when an earlier one is`() throws {
        let refunded = period(1, from: 0) { $0.cancellationDate = day(3) }
        #expect(try row(receipt(5, [refunded]), asOf: 10)?.state == .refunded)
        #expect(try row(receipt(35, [refunded, period(2, from: 30)]), asOf: 40)?.state == .active)
    }

    @Test func `is what the newest receipt says of a refund`() throws {
        let refunded = receipt(5, [period(1, from: 0) { $0.cancellationDate = day(3) }])
        #expect(try row(refunded, receipt(2, [period(1, from: 0)]))?.state == .refunded)
        let withdrawn = try #require(try subscription(refunded, receipt(6, [period(1, from: 0)]), asOf: 20))
        #expect(withdrawn.row.state == .active && withdrawn.row.refunds == 0)
        #expect(withdrawn.oddities == [.refundWithdrawn: 1] && withdrawn.periods[0].refundedAt == nil)
    }

    @Test func `is not refunded when a refunded year is followed by months`() throws {
        let year = period(1, from: 0, days: 365, product: "year") { $0.cancellationDate = day(10) }
        let row = try #require(try row(receipt(40, [year, period(2, from: 20)]), asOf: 41))
        #expect(row.state == .active && row.productID == "month" && row.expiresAt == day(50) && row.refunds == 1)
    }

    @Test func `is that of the period bought last, ties by the later end and then by the smaller id`() throws {
        let year = period(1, from: 0, days: 365, product: "year")
        #expect(try row(receipt(40, [year, period(2, from: 30)]))?.productID == "month")
        let longer = period(2, from: 0, days: 366, product: "longer")
        #expect(try row(receipt(340, [longer, year]))?.productID == "longer")
        let cut = period(2, from: 0, days: 366, product: "longer") { $0.cancellationDate = day(9) }
        #expect(try row(receipt(340, [cut, year]))?.productID == "year")
        let twin = period(3, from: 0, days: 365, product: "twin")
        #expect(try row(receipt(340, [twin, year]))?.productID == "year")
    }

    @Test func `has the stated end, also when it is refunded`() throws {
        let refunded = period(1, from: 0) { $0.cancellationDate = day(3) }
        let row = try #require(try row(receipt(5, [refunded]), asOf: 10))
        #expect(row.expiresAt == day(30) && row.state == .refunded)
    }

    @Test func `is of the smaller ids where two receipts are equally new`() throws {
        let receipts = [("b", "t2"), ("a", "t1")].map { app, id in
            receipt(5, [period(1, from: 0) { $0.transactionID = ExactText(id) }]) { $0.bundleID = ExactText(app) }
        }
        for receipts in [receipts, receipts.reversed()] {
            let row = try #require(try Subscription(group(receipts), asOf: day(6), Policy())?.row)
            #expect(row.bundleID == "a" && row.lastTransactionID == "t1")
        }
    }
}
