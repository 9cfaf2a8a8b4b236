import Encodings
import Receipts

/// Finds accounts and devices with several refunded purchases.
struct RepeatRefunds: GroupRule {
    static let documentation = RuleDocumentation(
        id: "repeat-refunds",
        title: "Several purchases of one account or device were refunded",
        severity: .medium,
        raisedWhen: """
            receipts of one account (or of one device, where claims name no account) show \(minPurchases.standard) or \
            more refunded purchases
            """,
        why: """
            One refund is a mistake or a disappointment. A customer who habitually buys, uses and returns costs what \
            was used, and others copy it.
            """,
        whenWrong: """
            Apple refunds the periods of a subscription one by one, so that one complaint can be several refunds. \
            Restored purchases appear on every device of an account: refunds of a relative who uses the same Apple \
            Account count here, though family members proper get receipts of their own. Upgrades inside one original \
            transaction refund what is left of the old period. Test departments refund in the sandbox, and so can \
            TestFlight. A consumable leaves the receipt once finished, so that the true number is often greater.
            """,
        whatToDo: """
            Look at the dates: refunds on one day are one complaint, refunds month after month are a habit. Answer \
            Apple's requests for consumption information for this account.
            """,
        limits: [minPurchases])

    static let examples: [RuleExample] = [
        .raised(
            "an account has three refunds on two devices", .medium,
            claims: [
                claim(account: "ann", refunded: 1...2), claim(device: "B", account: "ann", refunded: 2...3),
            ]),
        .raised("a device without an account has three refunds", .medium, claims: [claim(refunded: 1...3)]),
        .clear("two refunds", claim(account: "ann", refunded: 1...2)),
        .clear(
            "the same two refunds in two receipts", claim(account: "ann", refunded: 1...2),
            claim(account: "ann", refunded: 1...2)),
        .clear(
            "a device's three refunds are those of two accounts", claim(account: "ann", refunded: 1...2),
            claim(account: "bob", refunded: 3...3)),
        .clear(
            "a restored period has another transaction, but is the same period",
            claims: (1...3).map { number in
                ExampleClaim(
                    receipt: ExampleReceipt(
                        number, ExamplePurchase("gold", "46000000000000\(number)", refunded: "2026-02-10", line: 7)))
            }),
    ]

    private static func claim(
        device: String = "A", account: ExactText = "", refunded numbers: ClosedRange<Int>
    ) -> ExampleClaim {
        let purchases = numbers.map {
            ExamplePurchase("pack-\($0)", "46000000000000\($0)", refunded: "2026-02-1\($0)")
        }
        return ExampleClaim(device: device, account: account, receipt: ExampleReceipt(purchases: purchases))
    }

    static let keys = [KeyKind.device, .account]
    static let minObservations = 1
    static let looksAtPurchasesOnly = true
    private static let minPurchases = RuleLimit(
        "purchases", standard: 3, in: 1...4000, "at least this many purchases were refunded")

    private let minPurchases: Int
    private var key = KeyKind.account
    private var refunds = BottomK<ExactText, Refund>()

    static let stake = StakeKind.refunds

    init(_ policy: Policy) { minPurchases = policy.value(of: Self.minPurchases, in: Self.self) }

    var minSignificantPurchases: Int { minPurchases }

    mutating func begin(_ key: KeyKind) { self.key = key }

    mutating func add(_ observation: Observation) {
        guard isCounted(observation) else { return }
        for purchase in observation.purchases {
            guard let date = purchase.cancellationDate else { continue }
            refunds.insert(purchase.identity.boundedID, Refund(purchase, on: date, Witness(observation)))
        }
    }

    mutating func code(_ coder: inout StateCoder) throws { try coder.code(&refunds) }

    mutating func hit() -> Hit? {
        guard refunds.count >= minPurchases else { return nil }
        let total = refunds.isComplete ? String(refunds.count) : nil
        let list = refunds.sorted.map(\.note).sorted().listed(of: total, by: "; ") { $0.text }
        return Hit("\(refunds.countText) refunded purchases: \(list)")
    }

    func involves(_ observation: Observation) -> Bool {
        isCounted(observation) && observation.purchases.contains { $0.cancellationDate != nil }
    }

    /// A device's claims that name an account count for the account only.
    private func isCounted(_ observation: Observation) -> Bool { key == .account || observation.accountID.isEmpty }

    private struct Refund: Comparable, Codable, Sendable {
        private let date: Instant
        private let product: ExactText
        private let transaction: ExactText
        private let witness: Witness

        init(_ purchase: Purchase, on date: Instant, _ witness: Witness) {
            self.date = date
            product = purchase.productID.boundedID
            transaction = purchase.transactionID.boundedID
            self.witness = witness
        }

        static func < (a: Refund, b: Refund) -> Bool {
            (a.date, a.product, a.transaction, a.witness) < (b.date, b.product, b.transaction, b.witness)
        }

        var text: String { "\(product) on \(date) (transaction \(transaction), \(witness))" }
    }
}
