import Encodings
import Receipts
import Rules
import Testing

@testable import Subscriptions

/// What a company buys for many: tokens with seats, at day 20. The policy has a price for nothing.
private enum Seats {
    /// A token of a day about a transaction from a day, which ends on day 30.
    static func token(
        _ number: Int, from start: Double = 0, signed: Double? = nil, seats: [(price: Int64, count: Int)],
        average: Int64? = nil, _ change: (inout Purchase, inout TransactionDetails) -> Void = { _, _ in }
    ) -> Observation {
        var purchase = period(number, from: start, days: 30 - start)
        var details = TransactionDetails()
        (details.price, details.currency, details.ownership) = (average ?? seats.first?.price, "EUR", "PURCHASED")
        details.seats = SeatInfo(tiers: seats.map { SeatInfo.Tier(price: $0.price, quantity: $0.count) })
        purchase.quantity = seats.map(\.count).reduce(0, &+)
        change(&purchase, &details)
        purchase.details = details
        return receipt(signed ?? start + 1, [purchase]) { $0.kind = .transaction }
    }

    /// Eight seats at 9.99, and four at half of that from day 15.
    static func added(
        _ first: (inout Purchase, inout TransactionDetails) -> Void = { _, _ in },
        _ second: (inout Purchase, inout TransactionDetails) -> Void = { _, _ in }
    ) -> [Observation] {
        [
            token(1, seats: [(9990, 8)]) {
                $1.additionalReason = "SEAT_ADDITION"
                first(&$0, &$1)
            },
            token(2, from: 15, seats: [(4995, 4)]) {
                $1.additionalReason = "SEAT_ADDITION"
                second(&$0, &$1)
            },
        ]
    }

    static func subscription(_ proofs: [Observation], asOf: Double = 20) throws -> Subscription {
        try #require(try Subscription(group(proofs), asOf: day(asOf), Policy()))
    }

    static func figures(_ groups: [[Observation]], asOf: Double = 20) throws -> SubscriptionFigures {
        var figures = SubscriptionFigures(asOf: day(asOf), policy: Policy())
        for proofs in groups { figures.take(try subscription(proofs, asOf: asOf)) }
        return figures
    }

    /// The numbers of all months together by name, amounts with their bounds.
    static func numbers(_ groups: [[Observation]], asOf: Double = 20) throws -> [String: String] {
        var numbers: [String: String] = [:]
        try figures(groups, asOf: asOf).forEachMetric { row in
            guard row.bundleID.isEmpty, row.productID.isEmpty else { return }
            let bounds = row.bounds.map { " \($0.low)–\($0.high)" } ?? ""
            numbers[row.metric] = row.value.description + bounds
        }
        return numbers
    }
}

struct `Seats of a subscription` {
    @Test func `are paid for by their buyer, and by no member`() throws {
        let members = [11, 12, 13].map { number in
            [Seats.token(number, seats: [(9990, 10)]) { $1.ownership = "ASSIGNED" }]
        }
        let found = try Seats.numbers([[Seats.token(1, seats: [(9990, 10)])]] + members)
        #expect(found["revenue_gross"] == "99.9" && found["mrr"] == "99.9")
        #expect(found["assigned_without_buyer"] == "3")
    }

    @Test func `are the buyer's if members have the same original transaction`() throws {
        let buyer = Seats.token(1, seats: [(9990, 10)])
        let members = [11, 12, 13].map { number in
            Seats.token(number, from: Double(number), seats: [(9990, 10)]) { purchase, details in
                details.ownership = "ASSIGNED"
                if number == 13 { purchase.cancellationDate = day(14) }
                if number == 12 { purchase.webOrderLineItemID = 1001 }
            }
        }
        let found = try Seats.numbers([[buyer] + members])
        #expect(found["revenue_gross"] == "99.9" && found["mrr"] == "99.9" && found["paid_periods"] == "1")
        #expect(found["assigned_without_buyer"] == nil)
        let row = try Seats.subscription([buyer] + members).row
        #expect(row.state == .active && row.periods == 1 && row.seats == 10 && row.ownership == "PURCHASED")
    }

    @Test func `are one period of their time, however many members have it, where no token shows the buyer's`() throws {
        let members = (11...18).map { number in
            Seats.token(number, from: Double(number), seats: [(9990, 10)]) { purchase, details in
                details.ownership = "ASSIGNED"
                purchase.expiresDate = day(40)
                // The first one's access ended, and others have theirs.
                if number == 11 { purchase.cancellationDate = day(14) }
            }
        }
        let row = try Seats.subscription(members).row
        #expect(row.state == .active && row.periods == 1 && row.seats == 0)
        let found = try Seats.numbers([members])
        #expect(found["assigned_without_buyer"] == "8")
        #expect(found["renewals"] ?? "0" == "0", "\(found)")
    }

    @Test func `are counted of the buyer only, and not of one who bought for himself`() throws {
        #expect(
            try Seats.subscription([Seats.token(1, seats: [(9990, 10)]) { $1.ownership = "ASSIGNED" }]).row.seats == 0)
        let alone = Seats.token(1, seats: []) { ($0.quantity, $1.price, $1.seats) = (1, 9990, nil) }
        #expect(try Seats.subscription([alone]).row.seats == 0)
    }

    @Test func `cost the average times their number without tiers`() throws {
        let plain = Seats.token(1, seats: []) { ($0.quantity, $1.price, $1.seats) = (10, 9990, nil) }
        #expect(try Seats.numbers([[plain]])["revenue_gross"] == "99.9")
        #expect(try Seats.subscription([plain]).row.seats == 10)
        #expect(try Seats.subscription([plain]).row.price == 99_900)
    }

    private static let impossible: [[(price: Int64, count: Int)]] = [
        [(-1, 3)], [(9990, -3)], [(.max, 2)], [(.max / 2, 1), (.max / 2, 2)], [(9990, 0)], [(1, .max), (1, 1)],
    ]

    @Test(arguments: impossible.indices) func `have no amount by numbers that cannot be`(index: Int) throws {
        let token = Seats.token(1, seats: Self.impossible[index], average: 9990) {
            $0.quantity = 3; _ = $1
        }
        let money = try Seats.figures([[token]]).content.money
        #expect(money.periods[.unpriced] == 1 && money.running[.unpriced] == 1)
        #expect(money.revenue.isEmpty && money.recurring.isEmpty)
    }

    @Test func `renew at the prices of the newest renewal info, if that is as new as all of them`() throws {
        let renewal = { (signed: Double) in
            receipt(signed, []) {
                var info = Token.RenewalInfo()
                (info.productID, info.renewalDate, info.renewsByItself, info.currency) = ("month", day(30), true, "EUR")
                info.tiers = [SeatInfo.Tier(price: 8990, quantity: 12)]
                ($0.kind, $0.renewal, $0.renewedID, $0.bundleID) = (.renewalInfo, info, "t1", "")
            }
        }
        #expect(try Seats.numbers([Seats.added() + [renewal(16)]])["mrr"] == "107.88")
        #expect(try Seats.numbers([Seats.added() + [renewal(14)]])["mrr"] == "99.9")
    }
}

struct `Seats that were added to a period` {
    @Test func `are one period with it`() throws {
        let proofs = Seats.added()
        let row = try Seats.subscription(proofs).row
        #expect(row.periods == 1 && row.seats == 12 && row.state == .active && row.price == 99_900)
        #expect(row.startedAt == day(0) && row.expiresAt == day(30) && row.lastTransactionID == "t1")
        let found = try Seats.numbers([proofs])
        #expect(found["revenue_gross"] == "99.9" && found["mrr"] == "99.9")
        #expect(found["paid_periods"] == "1" && found["renewals"] == nil && found["product_changes"] == nil)
        #expect(try Seats.subscription(proofs).oddities.isEmpty)
    }

    @Test func `have no sum with it in another currency`() throws {
        let found = try Seats.numbers([Seats.added({ _, _ in }) { $1.currency = "USD" }])
        #expect(found["mrr"] == nil && found["paid_periods"] == "1")
    }

    @Test(arguments: [false, true]) func `leave the rest active when they are refunded`(sharesLineItem: Bool) throws {
        let proofs = Seats.added { purchase, details in
            (purchase.cancellationDate, details.revocationReason) = (day(18), 0)
            if sharesLineItem { purchase.webOrderLineItemID = 1001 }
        }
        let refunded = Seats.added({ _, _ in }) { purchase, details in
            (purchase.cancellationDate, details.revocationReason) = (day(18), 0)
            if sharesLineItem { purchase.webOrderLineItemID = 1001 }
        }
        for (proofs, seats) in [(refunded, 8), (proofs, 4)] {
            let row = try Seats.subscription(proofs).row
            #expect(row.state == .active && row.seats == seats && row.refunds == 0 && row.periods == 1)
            let found = try Seats.numbers([proofs])
            #expect(found["refunded_periods"] == nil && found["refund_rate"] == "0")
        }
        #expect(try Seats.numbers([refunded])["revenue_refunds"] == "19.98")
        #expect(try Seats.numbers([refunded])["mrr"] == "79.92")
    }

    @Test func `are refunded with it if all are`() throws {
        let refund = { (purchase: inout Purchase, details: inout TransactionDetails) in
            (purchase.cancellationDate, details.revocationType) = (day(18), "REFUND_FULL")
        }
        let row = try Seats.subscription(Seats.added(refund, refund)).row
        #expect(row.state == .refunded && row.seats == 0 && row.refunds == 1)
        let found = try Seats.numbers([Seats.added(refund, refund)])
        #expect(found["refunded_periods"] == "1" && found["revenue_refunds"] == "99.9")
    }

    @Test func `are one period with it if only a newer token says that it has parts`() throws {
        let old = Seats.token(1, signed: 0.5, seats: [(9990, 8)])
        #expect(try Seats.subscription([old] + Seats.added()).row.periods == 1)
        // Nobody has seen a newer token of the first part.
        let row = try Seats.subscription([old, Seats.added()[1]]).row
        #expect(row.periods == 1 && row.seats == 12)
    }

    @Test func `are not one period with the next one`() throws {
        let next = Seats.token(3, from: 30, seats: [(9990, 12)]) {
            $1.additionalReason = "SEAT_ADDITION"
            $0.expiresDate = day(60)
        }
        for early in [0, 0.5] {
            let next = receipt(31, next.purchases) {
                $0.kind = .transaction
                $0.purchases[0].purchaseDate = day(30 - early)
            }
            let row = try Seats.subscription(Seats.added() + [next], asOf: 40).row
            #expect(row.periods == 2 && row.seats == 12 && row.expiresAt == day(60))
        }
    }

    @Test func `are periods of their own without a reason`() throws {
        let plain = [Seats.token(1, seats: [(9990, 8)]), Seats.token(2, from: 15, seats: [(4995, 4)])]
        #expect(try Seats.subscription(plain).row.periods == 2)
    }

    @Test func `change no product, whatever a notification calls the change of their number`() throws {
        let proofs = Seats.added() + [receipt(16, []) { ($0.kind, $0.status, $0.renewedID) = (.notification, 1, "t1") }]
        let row = try Seats.subscription(proofs).row
        #expect(row.productChanges == 0 && row.lapses == 0 && row.state == .active)
    }
}

struct `A refund of seats` {
    private func refunded(
        _ count: Int, on date: Double?, seats: [(price: Int64, count: Int)] = [(9990, 10)], share: Int? = nil
    ) -> [Observation] {
        [
            Seats.token(1, signed: 12, seats: seats) {
                _ = $0
                $1.seats?.revoked = count
                ($1.seatsRefundedAt, $1.revocationPercentage) = (date.map { day($0) }, share)
            }
        ]
    }

    @Test func `is so many average seats, at the date of the notification`() throws {
        let found = try Seats.numbers([refunded(4, on: 12)])
        #expect(found["revenue_gross"] == "99.9" && found["revenue_refunds"] == "39.96")
        #expect(found["revenue_net"] == "59.94" && found["refunded_periods"] == nil && found["mrr"] == "59.94")
        let row = try Seats.subscription(refunded(4, on: 12)).row
        #expect(row.state == .active && row.seats == 6 && row.refunds == 0)
    }

    @Test func `lies between the cheapest and the dearest seats`() throws {
        let found = try Seats.numbers([refunded(3, on: 12, seats: [(9990, 2), (4990, 2)])])
        #expect(found["revenue_refunds"] == "22.47 19.97–24.97" && found["revenue_net"] == "7.49 4.99–9.99")
        let figures = try Seats.figures([refunded(3, on: 12, seats: [(9990, 2), (4990, 2)])])
        let figure = try #require(figures.figures.first { $0.id == "revenue" })
        #expect(figure.columns.suffix(2) == ["refunds_low", "refunds_high"])
        #expect(figure.rows.map { $0.count } == [figure.columns.count])
    }

    @Test func `is the stated share of the whole if there is one`() throws {
        #expect(try Seats.numbers([refunded(4, on: 12, share: 33_333)])["revenue_refunds"] == "33.299667")
        #expect(try Seats.numbers([refunded(4, on: 12, share: 100_001)])["revenue_refunds"] == "39.96")
    }

    @Test func `belongs to no month if nothing says when it was`() throws {
        let figures = try Seats.figures([refunded(4, on: nil)])
        #expect(try Seats.numbers([refunded(4, on: nil)])["revenue_refunds"] == "0")
        #expect(try Seats.numbers([refunded(4, on: nil)])["revenue_refunds_undated"] == "39.96")
        let figure = try #require(figures.figures.first { $0.id == "revenue" })
        #expect(figure.rows.count == 2 && figure.rows[1][0] == .code("unknown"))
    }

    @Test func `keeps its date when a newer token shows the same`() throws {
        let newer = receipt(18, refunded(4, on: nil)[0].purchases) { $0.kind = .transaction }
        #expect(try Seats.numbers([refunded(4, on: 12) + [newer]])["revenue_refunds"] == "39.96")
    }

    @Test(arguments: [(-4, "0", 10), (0, "0", 10), (11, "99.9", 0), (.max, "99.9", 0)])
    func `is at most all of them, and at least none`(count: Int, refunds: String, seats: Int) throws {
        #expect(try Seats.numbers([refunded(count, on: 12)])["revenue_refunds"] == refunds)
        #expect(try Seats.subscription(refunded(count, on: 12)).row.seats == seats)
    }
}
