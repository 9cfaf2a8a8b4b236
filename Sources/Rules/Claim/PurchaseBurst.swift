import Checks
import Encodings
import Receipts

/// Finds receipts with more purchases at once than a person makes.
struct PurchaseBurst: ClaimRule {
    static let documentation = RuleDocumentation(
        id: "purchase-burst",
        title: "Many purchases in a few minutes",
        severity: .medium,
        raisedWhen: """
            signature and chain hold, and the receipt lists more than \(maxPurchases.standard) purchases within \
            \(window.standard) minutes, the same transaction counted once
            """,
        why: """
            Nobody taps “Buy” so often. A program does, to spend stolen cards or vouchers before they are blocked, or \
            to probe what a server unlocks.
            """,
        whenWrong: """
            Restored purchases appear on every device of an account, and may carry the date on which they were \
            restored: an app with many non-consumable products shows all of them at one time. In the sandbox \
            subscriptions renew every few minutes, and testers of App Review and TestFlight buy in bursts. An app may \
            sell coins in many small packs.
            """,
        whatToDo: """
            Look at the products: many consumables in production are a reason to hold back what they unlocked until \
            Apple has settled the payment. Watch the account for refunds.
            """,
        limits: [maxPurchases, window])

    static let examples: [RuleExample] = [
        .raised("21 purchases in 200 seconds", .medium, claim(21, every: 10)),
        .clear("20 purchases in 190 seconds", claim(20, every: 10)),
        .raised("21 purchases in exactly ten minutes", .medium, claim(21, every: 30)),
        .clear("21 purchases in more than ten minutes", claim(21, every: 31)),
        .clear("one transaction 30 times", claim(30, every: 1, isOneTransaction: true)),
        .clear(
            "the receipt is forged, so that its purchases say nothing",
            claim(21, every: 10, failed: [.signatureInvalid])),
    ]

    private static func claim(
        _ count: Int, every seconds: Int, isOneTransaction: Bool = false, failed: CheckSet = []
    ) -> ExampleClaim {
        let start = Instant(example: "2026-02-01") ?? Instant(seconds: 0)
        let purchases = (0..<count).map {
            ExamplePurchase(
                "coins", isOneTransaction ? "460000000000001" : "\(460_000_000_000_001 + $0)",
                bought: start.adding(seconds: Int64($0 * seconds)).description, kind: .consumable)
        }
        return ExampleClaim(failed: failed, receipt: ExampleReceipt(purchases: purchases))
    }

    private static let maxPurchases = RuleLimit("purchases", standard: 20, "there are more than this many purchases")
    private static let window = RuleLimit("minutes", standard: 10, "they were made within this many minutes")

    private let maxPurchases: Int
    private let window: Int64

    init(_ policy: Policy) {
        maxPurchases = policy.value(of: Self.maxPurchases, in: Self.self)
        window = policy.seconds(of: Self.window, each: 60, in: Self.self)
    }

    func hit(in facts: Facts) -> Hit? {
        guard let all = facts.receipt?.purchases, all.count > maxPurchases, facts.isGenuine else { return nil }
        let purchases = Self.byDate(all)
        guard let burst = largestBurst(of: purchases), burst.count > maxPurchases,
            let first = purchases[burst].first, let last = purchases[burst].last
        else { return nil }
        let products = Dictionary(grouping: purchases[burst], by: \.productID).mapValues(\.count)
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let text = products.listedOfAll { "“\($0.key.boundedID)” \($0.value == 1 ? "once" : "\($0.value) times")" }
        return Hit("\(burst.count) purchases from \(first.purchaseDate) to \(last.purchaseDate): \(text)")
    }

    /// Each transaction once, by date.
    private static func byDate(_ purchases: [Purchase]) -> [Purchase] {
        var transactions: [ExactText: Purchase] = [:]
        for purchase in purchases {
            let known = transactions[purchase.transactionID]
            if known.map({ purchase.purchaseDate < $0.purchaseDate }) ?? true {
                transactions[purchase.transactionID] = purchase
            }
        }
        return transactions.values.sorted { ($0.purchaseDate, $0.transactionID) < ($1.purchaseDate, $1.transactionID) }
    }

    /// The largest number of purchases within the time; the earliest, if there are several.
    private func largestBurst(of purchases: [Purchase]) -> Range<Int>? {
        var largest: Range<Int>?
        var start = 0
        for end in purchases.indices {
            while purchases[end].purchaseDate > purchases[start].purchaseDate.adding(seconds: window) { start += 1 }
            if end - start >= largest?.count ?? 0 { largest = start..<(end + 1) }
        }
        return largest
    }
}
