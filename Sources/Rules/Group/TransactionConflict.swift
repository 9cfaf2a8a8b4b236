import Encodings
import Receipts

/// Finds genuine receipts that contradict each other about a transaction.
struct TransactionConflict: GroupRule {
    static let documentation = RuleDocumentation(
        id: "transaction-conflict",
        title: "Genuine receipts disagree about one transaction",
        severity: .critical,
        raisedWhen: """
            two genuine receipts give one transaction different products, purchase dates (in whole seconds) or \
            original transactions
            """,
        why: """
            What Apple signed about a transaction does not change. If two receipts that pass all checks say different \
            things, one of them was not made by the App Store: a trust anchor or a signing key is in the wrong hands.
            """,
        whenWrong: """
            Rarely. A restored purchase has a transaction id of its own. An upgrade changes the product inside one \
            original transaction, and each of its periods has its own id. Two stores that number transactions \
            independently can use the same number: the sandbox, from which App Review and TestFlight send receipts to \
            production, or Xcode's local store, if its certificate was made a trust anchor.
            """,
        whatToDo: """
            Compare the two receipts (`audit inspect`): their environments, signers and dates. Ask the App Store \
            Server API for the transaction. If both are production receipts, check which trust anchors the run used.
            """)

    static let examples: [RuleExample] = [
        .raised(
            "one receipt says silver, the other gold", .critical, claim(1, ExamplePurchase("silver")),
            claim(2, ExamplePurchase("gold"))),
        .raised(
            "the purchase is a second apart", .critical, claim(1, ExamplePurchase(bought: "2026-02-01T10:00:00Z")),
            claim(2, ExamplePurchase(bought: "2026-02-01T10:00:01Z"))),
        .raised(
            "the original transactions differ", .critical,
            claim(1, ExamplePurchase("gold", "460000000000009", of: "460000000000001")),
            claim(2, ExamplePurchase("gold", "460000000000009", of: "460000000000002"))),
        .clear("both say the same", claim(1, ExamplePurchase()), claim(2, ExamplePurchase())),
        .clear(
            "one of them carries milliseconds", claim(1, ExamplePurchase(bought: "2026-02-01T10:00:00Z")),
            claim(2, ExamplePurchase(bought: "2026-02-01T10:00:00.250Z"))),
        .clear(
            "an upgrade is another transaction of the same original",
            claim(1, ExamplePurchase("silver", "460000000000001")),
            claim(2, ExamplePurchase("gold", "460000000000002", of: "460000000000001"))),
    ]

    private static func claim(_ number: Int, _ purchase: ExamplePurchase) -> ExampleClaim {
        ExampleClaim(device: "D\(number)", receipt: ExampleReceipt(number, purchase))
    }

    static let keys = [KeyKind.transaction]

    private var versions = BottomK<Version, Witness>()
    private var subject = TransactionSubject()

    init(_ policy: Policy) {}

    mutating func add(_ observation: Observation) {
        guard observation.isGenuine, let purchase = observation.purchases.first else { return }
        versions.insert(Version(purchase), Witness(observation))
        subject.add(purchase)
    }

    mutating func code(_ coder: inout StateCoder) throws {
        try coder.code(&versions)
        try coder.code(&subject)
    }

    mutating func hit() -> Hit? {
        let shown = versions.sorted.sorted { $0.note < $1.note }
        guard shown.count > 1, let first = shown.first else { return nil }
        let others = shown.dropFirst().map { other in
            "\(first.note) and \(other.note) differ in \(first.key.differences(from: other.key))"
        }
        let total = versions.isComplete ? String(others.count) : nil
        return subject.hit(others.listed(of: total, by: "; ") { $0 })
    }

    func involves(_ observation: Observation) -> Bool { observation.isGenuine }

    /// What a receipt says about the transaction.
    private struct Version: Hashable, Comparable, Codable, Sendable {
        let product: ExactText
        let seconds: Int64
        let original: ExactText

        init(_ purchase: Purchase) {
            product = purchase.productID.boundedID
            seconds = purchase.purchaseDate.seconds
            original = purchase.original.boundedID
        }

        static func < (a: Version, b: Version) -> Bool {
            (a.product, a.seconds, a.original) < (b.product, b.seconds, b.original)
        }

        /// `product (gold, silver), …`.
        func differences(from other: Version) -> String {
            var differences: [String] = []
            if product != other.product { differences.append("product (\(product), \(other.product))") }
            if seconds != other.seconds {
                let dates = [self, other].map { Instant(seconds: $0.seconds).description }
                differences.append("purchase date (\(dates.joined(separator: ", ")))")
            }
            if original != other.original {
                differences.append("original transaction (\(original), \(other.original))")
            }
            return differences.joined(separator: ", ")
        }
    }
}
