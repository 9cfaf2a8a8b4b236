import Encodings
import Receipts
import Rules
import Testing

@testable import Subscriptions

/// Two months from day 0, each of 30 days, after which a chain with another original transaction goes on.
private enum Chain {
    static func token(_ purchase: Purchase, _ change: (inout TransactionDetails) -> Void = { _ in }) -> Observation {
        var (purchase, details) = (purchase, TransactionDetails())
        (details.price, details.currency, details.ownership) = (9990, "EUR", "PURCHASED")
        change(&details)
        purchase.details = details
        return receipt(70, [purchase]) { $0.kind = .transaction }
    }

    /// The first chain. Its second month is cut where that is said.
    static func first(cancelled: Double? = nil, _ change: (inout TransactionDetails) -> Void = { _ in })
        -> [Observation]
    {
        [
            token(period(1, from: 0)),
            token(period(2, from: 30) { $0.cancellationDate = cancelled.map { day($0) } }, change),
        ]
    }

    /// A token of the chain that begins on a day, under either of the two keys.
    static func next(from start: Double) -> Observation {
        let purchase = period(21, from: start) {
            ($0.originalTransactionID, $0.originalPurchaseDate) = ("t21", day(start))
        }
        return token(purchase) { $0.previousOriginalTransactionID = "t1" }
    }

    /// The same with another environment.
    static func moved(_ observation: Observation, to environment: ExactText) -> Observation {
        var moved = observation
        moved.environment = environment
        return moved
    }

    static func read(_ proofs: [Observation], key: String = "t1", asOf: Double = 100) throws -> Subscription {
        let key = GroupKey(.originalTransaction, octets: Array(key.utf8))
        return try #require(try Subscription(ArrayGroup(key: key, observations: proofs), asOf: day(asOf), Policy()))
    }

    static func total(_ subscriptions: Subscription..., count: MonthCount) -> Int {
        var figures = SubscriptionFigures(asOf: day(100), policy: Policy())
        for one in subscriptions { figures.take(one) }
        return figures.content.total(count)
    }
}

struct `A subscription that moved to another chain of transactions` {
    @Test(arguments: [("Production", "Sandbox"), ("Sandbox", "Production"), ("Sandbox", "Xcode")])
    func `did so in its own environment, as numbers are others elsewhere`(own: String, other: String) throws {
        let isSame = own != "Production" && other != "Production"
        let first = Chain.first().map { Chain.moved($0, to: ExactText(own)) }
        let found = try Chain.read(first + [Chain.moved(Chain.next(from: 60), to: ExactText(other))])
        #expect(found.row.state == (isSame ? .expired : .notRefreshed))
        #expect((found.movedAt != nil) == isSame)
    }

    private static let moves: [(cancelled: Double?, start: Double)] = [
        (nil, 60), (nil, 60.5), (40, 40), (40, 40.9), (nil, 40),
    ]

    @Test(arguments: moves.indices) func `is over, and neither refunded nor lost`(index: Int) throws {
        let (cancelled, start) = Self.moves[index]
        let moved = try Chain.read(
            Chain.first(cancelled: cancelled) { $0.revocationReason = 2 } + [Chain.next(from: start)])
        #expect(moved.row.state == .expired && moved.row.refunds == 0 && moved.row.lapses == 0)
        for count in [MonthCount.lost, .notRefreshed, .refundedPeriods, .takenBackUnknown, .moves] {
            #expect(Chain.total(moved, count: count) == 0, "\(count)")
        }
        #expect(Chain.total(moved, count: .started) == 1 && Chain.total(moved, count: .paidPeriods) == 2)
        var figures = SubscriptionFigures(asOf: day(100), policy: Policy())
        figures.take(moved)
        // The first renewal was decided before the move.
        #expect(figures.retentionRows.map { [$0.renewal, $0.kept, $0.lost, $0.unknown] } == [[1, 1, 0, 0]])
        #expect(figures.content.money.recurring.isEmpty)
        #expect(figures.content.money.revenue.values.allSatisfy { $0.all.refunds == 0 })
    }

    @Test func `is kept in each month until then, and its next chain from then on`() throws {
        let moved = try Chain.read(Chain.first() + [Chain.next(from: 60)])
        let next = try Chain.read([Chain.next(from: 60)], key: "t21")
        // The firsts of January to March 2024.
        #expect(Chain.total(moved, next, count: .activeAtStart) == 3)
        #expect(Chain.total(moved, next, count: .lost) == 0)
    }

    @Test func `gives back the stated share of its price`() throws {
        let moved = try Chain.read(
            Chain.first(cancelled: 40) { ($0.revocationReason, $0.revocationPercentage) = (2, 50_000) }
                + [Chain.next(from: 40)])
        var figures = SubscriptionFigures(asOf: day(100), policy: Policy())
        figures.take(moved)
        #expect(figures.content.money.revenue.values.map(\.all.refunds).max() == 4_995_000)
        #expect(Chain.total(moved, count: .refundedPeriods) == 0)
    }

    @Test func `was refunded if Apple says that its buyer got all of it back`() throws {
        let refunded = try Chain.read(
            Chain.first(cancelled: 40) { ($0.revocationType, $0.revocationReason) = ("REFUND_FULL", 1) }
                + [Chain.next(from: 40)])
        #expect(refunded.row.state == .refunded && refunded.movedAt == nil)
    }

    @Test(arguments: [(Double?.none, 61.1), (40, 41.1), (40, 38.9), (nil, 29)])
    func `did not move by a chain of another time`(cancelled: Double?, start: Double) throws {
        let proofs = Chain.first(cancelled: cancelled) { $0.revocationReason = 0 }
        let alone = try Chain.read(proofs)
        let other = try Chain.read(proofs + [Chain.next(from: start)])
        #expect(other.row == alone.row && other.movedAt == nil && other.periods == alone.periods)
    }

    @Test func `is not known to have converted if it moved in a trial`() throws {
        let trial = Chain.token(period(1, from: 0, days: 7) { $0.isTrialPeriod = true })
        let moved = try Chain.read([trial, Chain.next(from: 7)])
        #expect(Chain.total(moved, count: .trialsNotRefreshed) == 1)
        #expect(Chain.total(moved, count: .trialsLost) == 0 && Chain.total(moved, count: .trialsConverted) == 0)
    }

    @Test func `ends with the period that only a renewal info shows`() throws {
        let renewal = receipt(61, []) {
            var info = Token.RenewalInfo()
            (info.productID, info.renewalDate, info.renewsByItself) = ("month", day(90), true)
            ($0.kind, $0.renewal, $0.renewedID, $0.bundleID) = (.renewalInfo, info, "t1", "")
        }
        let moved = try Chain.read(Chain.first() + [renewal, Chain.next(from: 75)], asOf: 80)
        #expect(moved.row.state == .expired && moved.row.periods == 3)
        #expect(Chain.total(moved, count: .lost) == 0 && Chain.total(moved, count: .notRefreshed) == 0)
    }
}

struct `A chain of transactions that took the place of another` {
    @Test func `is a move, and no new start`() throws {
        let next = try Chain.read([Chain.next(from: 60)], key: "t21")
        #expect(next.row.periods == 1 && next.row.startedAt == day(60) && Chain.total(next, count: .moves) == 1)
        for count in [MonthCount.started, .firstPaid, .trialsConverted, .resubscribed] {
            #expect(Chain.total(next, count: count) == 0, "\(count)")
        }
        var figures = SubscriptionFigures(asOf: day(100), policy: Policy())
        figures.take(next)
        #expect(figures.retentionRows.isEmpty && figures.content.total(.paidPeriods) == 1)
    }

    @Test func `is one by the token of its first period alone`() throws {
        let back = Chain.token(period(3, from: 90)) { $0.previousOriginalTransactionID = "t21" }
        let first = try Chain.read(Chain.first() + [Chain.next(from: 60), back])
        #expect(!first.isSuccessor && first.movedAt == nil && first.row.state == .active)
    }

    @Test func `is none if it names itself`() throws {
        let own = Chain.token(period(1, from: 0)) { $0.previousOriginalTransactionID = "t1" }
        #expect(Chain.total(try Chain.read([own]), count: .started) == 1)
    }
}
