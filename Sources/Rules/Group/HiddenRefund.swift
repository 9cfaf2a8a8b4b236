import Encodings
import Receipts

/// Finds claims that present a refunded purchase as if it were not.
struct HiddenRefund: GroupRule {
    static let documentation = RuleDocumentation(
        id: "hidden-refund",
        title: "A refunded purchase was presented as if it were whole",
        severity: .high,
        raisedWhen: """
            one genuine receipt shows a transaction as refunded, and another claim, presented after the refund, shows \
            it without the refund
            """,
        why: """
            A receipt is a snapshot. Whoever keeps one from before the refund and sends it afterwards has both the \
            money and the purchase.
            """,
        whenWrong: """
            A receipt is refreshed when the app asks for it: a device that was not asked to refresh sends an old \
            snapshot in good faith, and restored purchases appear on every device of an account, each with its own \
            snapshot. Apple can take a refund back: then a receipt made after the refund rightly shows the purchase \
            without it. A consumable leaves the receipt once it is finished, so most refunds of consumables are never \
            seen here.
            """,
        whatToDo: """
            Withdraw the purchase on all devices. Where the snapshot is older than the refund, have the app refresh \
            its receipt; where it is newer, ask the App Store Server API whether the refund was reversed.
            """)

    static let examples: [RuleExample] = [
        .raised(
            "a snapshot from before the refund is sent in after it", .high,
            claim(1, presented: "2026-02-20", refunded: "2026-02-10"), claim(2, presented: "2026-02-15")),
        .raised(
            "it is enough that the refund is shown by a claim without a date", .high,
            claim(1, presented: nil, refunded: "2026-02-10"), claim(2, presented: "2026-02-10T00:00:01Z")),
        .clear(
            "before the refund nobody could know", claim(1, presented: "2026-02-20", refunded: "2026-02-10"),
            claim(2, presented: "2026-02-10")),
        .clear(
            "a claim without a date says nothing", claim(1, presented: "2026-02-20", refunded: "2026-02-10"),
            claim(2, presented: nil)),
        .clear(
            "both show the refund", claim(1, presented: "2026-02-20", refunded: "2026-02-10"),
            claim(2, presented: "2026-02-21", refunded: "2026-02-10")),
    ]

    private static func claim(_ number: Int, presented: String?, refunded: String? = nil) -> ExampleClaim {
        ExampleClaim(
            presented: presented,
            receipt: ExampleReceipt(number, created: "2026-02-05", ExamplePurchase(refunded: refunded)))
    }

    static let keys = [KeyKind.transaction]

    private var refund: Refund?
    /// The latest claims that show the purchase without a refund.
    private var whole = BottomK<Showing, Witness>()
    private var subject = TransactionSubject()

    static let stake = StakeKind.refunds

    init(_ policy: Policy) {}

    mutating func add(_ observation: Observation) {
        guard observation.isGenuine, let purchase = observation.purchases.first else { return }
        subject.add(purchase)
        if let date = purchase.cancellationDate {
            let shown = Refund(date: date, witness: Witness(observation))
            refund = refund.map { min($0, shown) } ?? shown
        } else if let presentedAt = observation.presentedAt {
            whole.insert(
                Showing(presentedAt: presentedAt, createdAt: observation.createdAt, witness: Witness(observation)),
                Witness(observation))
        }
    }

    mutating func code(_ coder: inout StateCoder) throws {
        try coder.code(&refund)
        try coder.code(&whole)
        try coder.code(&subject)
    }

    mutating func hit() -> Hit? {
        guard let refund else { return nil }
        let hiding = whole.sorted.map(\.key).filter { $0.presentedAt > refund.date }
        guard !hiding.isEmpty else { return nil }
        let isAll = whole.isComplete || hiding.count < whole.count
        let list = hiding.listed(of: isAll ? String(hiding.count) : nil, by: "; ") { $0.text }
        return subject.hit("refunded on \(refund.date), as \(refund.witness) shows; shown whole by \(list)")
    }

    func involves(_ observation: Observation) -> Bool {
        guard observation.isGenuine, let refund, let purchase = observation.purchases.first else { return false }
        if purchase.cancellationDate != nil { return true }
        return observation.presentedAt.map { $0 > refund.date } ?? false
    }

    private struct Refund: Comparable, Codable, Sendable {
        let date: Instant
        let witness: Witness

        static func < (a: Refund, b: Refund) -> Bool { (a.date, a.witness) < (b.date, b.witness) }
    }

    /// A claim that shows the purchase without a refund; the latest is the least.
    private struct Showing: Hashable, Comparable, Codable, Sendable {
        let presentedAt: Instant
        let createdAt: Instant?
        let witness: Witness

        static func < (a: Showing, b: Showing) -> Bool {
            a.presentedAt == b.presentedAt ? a.witness < b.witness : a.presentedAt > b.presentedAt
        }

        var text: String {
            let made = createdAt.map { ", in a receipt made on \($0)" } ?? ""
            return "\(witness), presented on \(presentedAt)\(made)"
        }
    }
}
