import Checks
import Encodings
import Receipts

/// Finds receipts with more purchases at once than one person makes.
struct PurchaseBurst: ClaimRule {
    static let documentation = RuleDocumentation(
        id: "purchase-burst",
        title: "Many purchases in a few minutes",
        severity: .medium,
        raisedWhen: """
            signature and chain hold, and the receipt lists more than \(maxPurchases.standard) purchases within \
            \(window.standard) minutes. Each transaction counts once, with its earliest date. Also raised when the \
            genuine receipts of one account together list that many purchases without an expiry, and none of them \
            alone lists that many of any kind
            """,
        why: """
            No person taps “Buy” that often. A program does, to spend stolen cards or vouchers before they are \
            blocked, or to probe what a server unlocks, perhaps with several Apple Accounts at once.
            """,
        whenWrong: """
            Restored purchases appear on every device of an account, and may carry the date on which they were \
            restored. An app with many non-consumable products shows all of them at once. In the sandbox, \
            subscriptions renew every few minutes, and testers of App Review and TestFlight buy in bursts. An app may \
            sell coins in many small packs. An account id comes from the company's own server, so nobody can add \
            purchases to another's account. Confidence is likely, and doubtful in test environments.
            """,
        whatToDo: """
            Look at the products: with many consumables in production, delay delivery until Apple has settled the \
            payment. Watch the account for refunds.
            """,
        limits: [maxPurchases, window])

    static let subjects = [SubjectKind.claim, .account]

    static let examples: [RuleExample] = [
        .raised("21 purchases in 200 seconds", .medium, claim(21, every: 10)),
        .clear("20 purchases in 190 seconds", claim(20, every: 10)),
        .raised("21 purchases in exactly ten minutes", .medium, claim(21, every: 30)),
        .clear("21 purchases in more than ten minutes", claim(21, every: 31)),
        .raised(
            "an account has 11 in each of two receipts", .medium, claim(11, every: 10, account: "ann"),
            claim(11, from: 20, every: 10, device: "B", account: "ann")),
        .clear(
            "it has the same 11 in two receipts", claim(11, every: 10, account: "ann"),
            claim(11, every: 10, device: "B", account: "ann")),
        .clear("one transaction 30 times", claim(30, every: 1, isOneTransaction: true)),
        .clear(
            "the receipt is forged, so that its purchases prove nothing",
            claim(21, every: 10, failed: [.signatureInvalid])),
    ]

    private static func claim(
        _ count: Int, from first: Int = 0, every seconds: Int, isOneTransaction: Bool = false, device: String = "A",
        account: ExactText = "", failed: CheckSet = []
    ) -> ExampleClaim {
        let start = Instant(example: "2026-02-01") ?? Instant(seconds: 0)
        let purchases = (first..<first + count).map {
            ExamplePurchase(
                "coins", isOneTransaction ? "460000000000001" : "\(460_000_000_000_001 + $0)",
                bought: start.adding(seconds: Int64($0 * seconds)).description, kind: .consumable)
        }
        return ExampleClaim(
            device: device, account: account, failed: failed, receipt: ExampleReceipt(first, purchases: purchases))
    }

    private static let maxPurchases = RuleLimit("purchases", standard: 20, "there are more than this many purchases")
    private static let window = RuleLimit("minutes", standard: 10, "they were made within this many minutes")

    private let limits: BurstLimits

    init(_ policy: Policy) { limits = Self.limits(policy) }

    /// Returns the limits, which apply to receipts and to accounts.
    static func limits(_ policy: Policy) -> BurstLimits {
        BurstLimits(
            maxPurchases: policy.value(of: Self.maxPurchases, in: Self.self),
            seconds: policy.seconds(of: Self.window, each: 60, in: Self.self))
    }

    func hit(in facts: Facts) -> Hit? {
        guard let purchases = facts.provenPurchases, let burst = limits.burst(in: purchases) else { return nil }
        let isTest = EnvironmentClass(facts.environment ?? "") != .production
        return Hit(burst.text, confidence: isTest ? .doubtful : nil, events: burst.purchases.count)
    }
}

/// The minimum number of purchases in a burst, and the number of seconds for them.
struct BurstLimits: Sendable {
    let maxPurchases: Int
    let seconds: Int64

    /// Returns the largest burst of a proof's purchases; the earliest of equal ones; `nil` if there is none.
    func burst(in purchases: [Purchase]) -> Burst? {
        purchases.count > maxPurchases ? burst(in: Burst.distinct(purchases)) : nil
    }

    /// Returns the largest burst of purchases; the earliest of equal ones; `nil` if there is none.
    ///
    /// - Parameter purchases: each transaction once, in any order.
    func burst(in purchases: [Burst.Entry]) -> Burst? {
        guard purchases.count > maxPurchases else { return nil }
        let purchases = purchases.sorted()
        var largest: Range<Int> = 0..<0
        var start = 0
        for end in purchases.indices {
            while purchases[end].date > purchases[start].date.adding(seconds: seconds) { start += 1 }
            if end - start >= largest.count { largest = start..<(end + 1) }
        }
        return largest.count > maxPurchases ? Burst(purchases: purchases[largest]) : nil
    }
}

/// Purchases within a short time, by date.
struct Burst: Sendable {
    let purchases: ArraySlice<Entry>

    struct Entry: Comparable, Mergeable, Sendable {
        let date: Instant
        let transaction: ExactText
        let product: ExactText

        static func < (a: Entry, b: Entry) -> Bool {
            (a.date, a.transaction, a.product) < (b.date, b.transaction, b.product)
        }
    }

    /// Returns each transaction once, with its smallest date and product.
    static func distinct(_ purchases: [Purchase]) -> [Entry] {
        var transactions: [ExactText: Entry] = [:]
        for purchase in purchases {
            let entry = Entry(
                date: purchase.purchaseDate, transaction: purchase.transactionID, product: purchase.productID)
            transactions[entry.transaction] = min(transactions[entry.transaction] ?? entry, entry)
        }
        return Array(transactions.values)
    }

    /// `21 purchases from … to …: “coins” 20 times, “gold” once`.
    var text: String {
        guard let first = purchases.first, let last = purchases.last else { return "" }
        let products = Dictionary(grouping: purchases, by: \.product).mapValues(\.count)
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let text = products.listedOfAll { "“\($0.key.boundedID)” \($0.value == 1 ? "once" : "\($0.value) times")" }
        return "\(purchases.count) purchases from \(first.date) to \(last.date): \(text)"
    }
}
