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
                    environment: "Production", state: .intro, startedAt: day(-1), expiresAt: day(100), periods: 4,
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
            let found = try #require(try Subscription(group(observations), asOf: day(1)))
            #expect(found.row.accounts == 2)
            #expect(found.row.bundleID.text.unicodeScalars.count == 1)
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
        let row = try #require(try Subscription(group(observations), asOf: day(1))?.row)
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

    @Test func `stays refunded when another receipt shows the period whole`() throws {
        let refunded = receipt(5, [period(1, from: 0) { $0.cancellationDate = day(3) }])
        #expect(try row(refunded, receipt(2, [period(1, from: 0)]))?.state == .refunded)
        let withdrawn = try #require(try subscription(refunded, receipt(6, [period(1, from: 0)])))
        #expect(withdrawn.row.state == .refunded && withdrawn.oddities == [.refundWithdrawn: 1])
        #expect(withdrawn.periods[0].refundedAt == day(3))
    }

    @Test func `is that of the period with the greatest expiry, ties by purchase and then by identity`() throws {
        let year = period(1, from: 0, days: 365, product: "year")
        #expect(try row(receipt(40, [period(2, from: 30), year]))?.productID == "year")
        let later = period(2, from: 335, product: "later")
        #expect(try row(receipt(340, [later, year]))?.productID == "later")
        let twin = period(3, from: 0, days: 365, product: "twin")
        #expect(try row(receipt(340, [twin, year]))?.productID == "twin")
    }
}
