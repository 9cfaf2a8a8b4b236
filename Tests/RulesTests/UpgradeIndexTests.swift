import Checks
import Corpus
import Encodings
import Receipts
import Testing

@testable import Rules

struct `An upgrade in a proof` {
    @Test(arguments: [30, 7200] as [Int64]) func `is found as by a slow search`(step: Int64) {
        var random = RandomObservations(seed: 9)
        for _ in 0..<Exhaustive.count(2000, sampled: 300) {
            let purchases = (0..<1 + random.next(below: 14)).map { number in
                var purchase = Purchase(
                    productID: random.one(of: ["week", "month", "year"], "week"), transactionID: "\(number)",
                    purchaseDate: Instant(seconds: step * Int64(random.next(below: 20))))
                purchase.originalTransactionID = random.isOneIn(2) ? "1" : "2"
                purchase.expiresDate = Instant(seconds: 1_000_000 + Int64(random.next(below: 4)))
                if random.isOneIn(3) {
                    purchase.cancellationDate = Instant(seconds: step * Int64(random.next(below: 20)))
                }
                return purchase
            }
            let index = UpgradeIndex(purchases)
            for purchase in purchases {
                guard let date = purchase.cancellationDate else { continue }
                let isUpgraded =
                    isReplacedAtOnce(purchase, in: purchases) || isReplacedBefore(purchase, on: date, in: purchases)
                #expect(index.revocation(of: purchase) == (isUpgraded ? .upgrade : .refund))
            }
        }
    }

    private func isReplacedAtOnce(_ purchase: Purchase, in purchases: [Purchase]) -> Bool {
        purchases.contains { other in
            guard let date = purchase.cancellationDate, other.productID != purchase.productID else { return false }
            return other.original == purchase.original
                && (-60...300).contains(other.purchaseDate.seconds - date.seconds)
        }
    }

    private func isReplacedBefore(_ purchase: Purchase, on date: Instant, in purchases: [Purchase]) -> Bool {
        let others = purchases.filter { other in
            other.original == purchase.original && other.productID != purchase.productID
                && (other.cancellationDate == nil || isReplacedAtOnce(other, in: purchases))
                && other.purchaseDate < purchase.purchaseDate && other.purchaseDate.seconds <= date.seconds + 300
        }
        // Of several bought at once any may be the one.
        guard let last = others.map(\.purchaseDate).max(), last.seconds >= date.seconds - 86_400 else { return false }
        return others.contains { $0.purchaseDate == last && $0.expiresDate ?? last > purchase.expiresDate ?? last }
    }

    @Test(arguments: [Int64.min, .max]) func `may have dates at the ends of time`(milliseconds: Int64) {
        var purchase = Purchase(
            productID: "month", transactionID: "1", purchaseDate: Instant(milliseconds: milliseconds))
        purchase.cancellationDate = purchase.purchaseDate
        var other = purchase
        other.productID = "year"
        #expect(UpgradeIndex([purchase, other]).revocation(of: purchase) == .upgrade)
    }
}

/// Receipts with thousands of purchases: what is looked up of each costs about the same however many others there are.
struct `Many purchases in a receipt` {
    /// Ways in which purchases are dear to look at, if they are compared with one another.
    enum Kind: CaseIterable {
        case cancelled, cancelledPeriods, shortPeriods, trials, upgraded, asked, cancelledRenewals

        func purchase(_ number: Int, of original: ExactText) -> Purchase {
            let bought = Instant(seconds: 1_577_836_800 + Int64(number) * 86_400)
            var purchase = Purchase(productID: "gold", transactionID: "T\(number)", purchaseDate: bought)
            purchase.originalTransactionID = original
            guard self != .cancelledRenewals else {
                // All within a day, and only the first was not taken back.
                purchase.purchaseDate = Instant(seconds: 1_577_836_800 + Int64(number) * 10)
                purchase.expiresDate = purchase.purchaseDate.adding(seconds: 8_640_000)
                purchase.productID = number.isMultiple(of: 2) ? "gold" : "silver"
                if number > 0 { purchase.cancellationDate = purchase.purchaseDate.adding(seconds: -3600) }
                return purchase
            }
            guard self != .cancelled else {
                purchase.cancellationDate = bought.adding(seconds: 3600)
                return purchase
            }
            purchase.expiresDate = bought.adding(seconds: self == .shortPeriods ? 600 : 86_400)
            if self == .trials { purchase.isTrialPeriod = true }
            if self == .upgraded { purchase.productID = number.isMultiple(of: 2) ? "gold" : "silver" }
            if self != .shortPeriods, self != .trials { purchase.cancellationDate = bought.adding(seconds: 86_400) }
            return purchase
        }
    }

    private static let few = Exhaustive.count(500, sampled: 250)

    @Test(arguments: Kind.allCases, Exhaustive.isOn ? [false, true] : [true])
    func `cost in proportion to their number`(kind: Kind, isOneOriginal: Bool) throws {
        let (few, many) = (
            cost(of: Self.few, kind, isOneOriginal), cost(of: 16 * Self.few, kind, isOneOriginal)
        )
        // Sixteen times as many; a search of all for each would cost 256 times as much.
        #expect(many < few * 64, "\(few), \(many)")
    }

    private func cost(of count: Int, _ kind: Kind, _ isOneOriginal: Bool) -> Duration {
        var facts = ExampleClaim(
            account: "ann", product: kind == .asked ? "gold" : "", presented: "2026-03-01"
        ).facts(at: 0)
        facts.receipt?.purchases = (0..<count).map { kind.purchase($0, of: isOneOriginal ? "T0" : "T\($0)") }
        let rules = RuleSet(Policy())
        let times = (0..<3).map { _ in
            ProcessorTime.measure {
                rules.evaluate(facts) { _ in }
                let observations = ClaimObservations(facts, claim: 0)
                observations.forEach { kind, _, purchases in
                    guard kind == .originalTransaction else { return }
                    var observation = observations.presented
                    observation.purchases = purchases
                    var rule = HiddenRefund(Policy())
                    rule.add(observation)
                    _ = rule.hit()
                }
                _ = observations.amended { _, _, _ in nil }
            }
        }
        return times.min() ?? .zero
    }
}
