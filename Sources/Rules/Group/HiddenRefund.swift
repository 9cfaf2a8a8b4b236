import Encodings
import Inputs
import Receipts

/// Finds claims that present a refunded purchase as if it were not.
struct HiddenRefund: GroupRule {
    static let documentation = RuleDocumentation(
        id: "hidden-refund",
        title: "A refunded purchase was presented as if it were whole",
        severity: .medium,
        exceptions: [
            .init(.high, "if a device whose hash matches both claims had presented the refund before")
        ],
        confidence: .possible,
        raisedWhen: """
            one genuine receipt shows a purchase as refunded, and another, made before the refund, shows it without \
            and is presented after the refund. Purchases of one original transaction are told apart by their web order \
            line item (attribute 1711); where that is absent, those without an expiry are one, and others are told \
            apart by transaction. Of several dates the latest counts as the refund. A receipt made at or after it that \
            shows the purchase whole means that the refund was reversed, and then nothing is raised; nor is it for \
            upgrades (another product of the same original transaction was bought within five minutes of the \
            cancellation). Claims without a date do not hide anything
            """,
        why: """
            A receipt is a snapshot. A customer who keeps one from before the refund and sends it afterwards has both \
            the money and the purchase.
            """,
        whenWrong: """
            A receipt is refreshed when the app asks for it: a device that was not asked to refresh sends an old \
            snapshot in good faith, and restored purchases appear on every device of an account, each with its own \
            snapshot. So confidence is possible, and likely only for the severity high. A consumable leaves the \
            receipt once it is finished, so most refunds of consumables are never seen here. Others may present a copy \
            of an old snapshot; the claims of the first who presented the purchase with a device hash that matches are \
            then marked by what they show alone.
            """,
        whatToDo: """
            Withdraw the purchase on all devices, have the app refresh its receipt, and ask the App Store Server API \
            for the purchase if it is disputed.
            """)

    static let examples: [RuleExample] = [
        .raised(
            "a second phone sends a snapshot from before the refund", .medium,
            claim(1, presented: "2026-02-20", refunded: "2026-02-10"),
            claim(2, device: "B", presented: "2026-02-21")),
        .raised(
            "the phone that showed the refund goes back to a snapshot from before it", .high,
            claim(1, presented: "2026-02-20", refunded: "2026-02-10"), claim(2, presented: "2026-02-21")),
        .raised(
            "it is enough that the refund is shown by a claim without a date", .medium,
            claim(1, presented: nil, refunded: "2026-02-10"), claim(2, presented: "2026-02-10T00:00:01Z")),
        .raised(
            "the purchase was restored under another transaction", .medium,
            claim(1, presented: "2026-02-20", refunded: "2026-02-10"),
            claim(2, device: "B", presented: "2026-02-21", transaction: "460000000000002")),
        .clear(
            "a receipt made after the refund shows the purchase whole: it was reversed",
            claim(1, presented: "2026-02-20", refunded: "2026-02-10"), claim(2, presented: "2026-02-21"),
            claim(3, presented: "2026-03-01", created: "2026-02-28")),
        .clear(
            "the period of silver was ended by an upgrade to gold",
            ExampleClaim(presented: "2026-02-20", receipt: upgraded(1, cancelled: "2026-02-10")),
            ExampleClaim(presented: "2026-02-21", receipt: upgraded(2, cancelled: nil))),
        .clear(
            "before the refund nobody could know", claim(1, presented: "2026-02-20", refunded: "2026-02-10"),
            claim(2, presented: "2026-02-10")),
        .clear(
            "a claim without a date proves nothing", claim(1, presented: "2026-02-20", refunded: "2026-02-10"),
            claim(2, presented: nil)),
        .clear(
            "both show the refund", claim(1, presented: "2026-02-20", refunded: "2026-02-10"),
            claim(2, presented: "2026-02-21", refunded: "2026-02-10")),
    ]

    private static func claim(
        _ number: Int, device: String = "A", presented: String?, created: String = "2026-02-05",
        refunded: String? = nil, transaction: ExactText = "460000000000001"
    ) -> ExampleClaim {
        ExampleClaim(
            device: device, presented: presented,
            receipt: ExampleReceipt(
                number, created: refunded ?? created,
                ExamplePurchase("gold", transaction, of: "460000000000001", refunded: refunded)))
    }

    private static func upgraded(_ number: Int, cancelled: String?) -> ExampleReceipt {
        var purchases = [ExamplePurchase("silver", expires: "2026-03-01", refunded: cancelled)]
        if cancelled != nil {
            purchases.append(
                ExamplePurchase(
                    "gold", "460000000000002", of: "460000000000001", bought: "2026-02-10T00:01:00Z",
                    expires: "2026-03-10"))
        }
        return ExampleReceipt(number, created: cancelled ?? "2026-02-05", purchases: purchases)
    }

    static let keys = [KeyKind.originalTransaction]
    static let usesEvidence = true
    static let addsEvents = true

    private var items = BottomMap<Item, Shown>()
    private var devices = BottomMap<ItemOnDevice, DeviceShown>()
    /// The items that are hidden, with the dates of their refunds.
    private var hidden: [Item: Instant] = [:]

    init(_ policy: Policy) {}

    mutating func add(_ observation: Observation) {
        guard observation.isGenuine, let createdAt = observation.createdAt else { return }
        for purchase in observation.purchases where isCounted(purchase, observation) {
            let item = Item(purchase)
            items.add(item, Shown(purchase, createdAt, observation))
            guard observation.isMatching, let device = observation.device, let date = observation.presentedAt else {
                continue
            }
            devices.add(
                ItemOnDevice(item: item, device: device),
                DeviceShown(isRefunded: purchase.refundDate != nil, date))
        }
    }

    /// A purchase whose sharing with a family ended is neither refunded nor whole.
    private func isCounted(_ purchase: Purchase, _ observation: Observation) -> Bool {
        !purchase.isSharingEnded && !purchase.isUpgraded(among: observation.purchases)
    }

    mutating func code(_ coder: inout StateCoder) throws {
        try coder.code(&items)
        try coder.code(&devices)
    }

    mutating func hit() -> Hit? {
        let found = items.sorted.compactMap { item, shown in shown.hiding.map { (item, shown, $0) } }
        hidden = Dictionary(found.map { ($0.0, $0.2.refund.date) }) { first, _ in first }
        guard !found.isEmpty else { return nil }
        let isDeliberate = devices.sorted.contains { entry in
            hidden[entry.key.item].map { entry.value.showsWhole(afterRefundOn: $0) } ?? false
        }
        let evidence = found.listedOfAll(by: "; ") { item, _, hiding in
            """
            \(item) was refunded on \(hiding.refund.date), as \(hiding.refund.witness) shows; shown whole by \
            \(hiding.whole.witness), presented on \(hiding.whole.presentedAt), in a receipt made on \
            \(hiding.whole.createdAt)
            """
        }
        return isDeliberate
            ? Hit(evidence, severity: .high, confidence: .likely, events: found.count)
            : Hit(evidence, events: found.count)
    }

    /// The refunds that are hidden, whether a claim shows them or evidence.
    func isAtStake(_ purchase: Purchase, in observation: Observation) -> Bool {
        purchase.refundDate != nil && hidden[Item(purchase)] != nil && isCounted(purchase, observation)
    }

    func involves(_ observation: Observation) -> Bool {
        guard observation.isGenuine else { return false }
        return observation.purchases.contains { purchase in
            guard let refunded = hidden[Item(purchase)], isCounted(purchase, observation) else { return false }
            return purchase.refundDate != nil || observation.presentedAt.map { $0 > refunded } ?? false
        }
    }
}

/// What tells the purchases of one original transaction apart.
private enum Item: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    /// A web order line item.
    case line(Int)
    /// All that never expires.
    case whole
    case transaction(ExactText)

    init(_ purchase: Purchase) {
        if let line = purchase.webOrderLineItemID {
            self = .line(line)
        } else {
            self = purchase.expiresDate == nil ? .whole : .transaction(purchase.transactionID.boundedID)
        }
    }

    var description: String {
        switch self {
        case .line(let line): "web order line item \(line)"
        case .whole: "the purchase"
        case .transaction(let id): "transaction \(id)"
        }
    }
}

/// How an item was shown by all receipts.
private struct Shown: Mergeable, Sendable {
    /// The latest refund.
    private var refund: Refund?
    /// When the newest receipt was made that shows it whole.
    private var newestWhole: Instant?
    /// The claim that shows it whole and was presented last.
    private var lastWhole: Whole?

    struct Refund: Comparable, Codable, Sendable {
        let date: Instant
        let witness: Witness

        /// Sorts the later date first.
        static func < (a: Refund, b: Refund) -> Bool { (b.date, a.witness) < (a.date, b.witness) }
    }

    struct Whole: Comparable, Codable, Sendable {
        let presentedAt: Instant
        let createdAt: Instant
        let witness: Witness

        /// What was presented later comes first.
        static func < (a: Whole, b: Whole) -> Bool {
            (b.presentedAt, a.witness, a.createdAt) < (a.presentedAt, b.witness, b.createdAt)
        }
    }

    init(_ purchase: Purchase, _ createdAt: Instant, _ observation: Observation) {
        let witness = Witness(observation)
        if let date = purchase.refundDate {
            refund = Refund(date: date, witness: witness)
        } else {
            newestWhole = createdAt
            lastWhole = observation.presentedAt.map { Whole(presentedAt: $0, createdAt: createdAt, witness: witness) }
        }
    }

    mutating func add(_ other: Shown) {
        refund.add(other.refund)
        lastWhole.add(other.lastWhole)
        if let date = other.newestWhole { newestWhole = newestWhole.map { max($0, date) } ?? date }
    }

    /// The refund and the last claim that hides it. Once no receipt made after the refund shows the item whole, all
    /// that do were made before it, and it is enough that one was presented after it.
    var hiding: (refund: Refund, whole: Whole)? {
        guard let refund, let whole = lastWhole, let newestWhole, newestWhole < refund.date,
            whole.presentedAt > refund.date
        else { return nil }
        return (refund, whole)
    }
}

private struct ItemOnDevice: Hashable, Comparable, Codable, Sendable {
    let item: Item
    let device: Device

    static func < (a: ItemOnDevice, b: ItemOnDevice) -> Bool { (a.item, a.device) < (b.item, b.device) }
}

/// When a device whose hash matches first presented an item's refund, and when it last presented the item whole.
private struct DeviceShown: Mergeable, Sendable {
    private var firstRefund: Instant?
    private var lastWhole: Instant?

    init(isRefunded: Bool, _ date: Instant) { if isRefunded { firstRefund = date } else { lastWhole = date } }

    mutating func add(_ other: DeviceShown) {
        firstRefund.add(other.firstRefund)
        if let date = other.lastWhole { lastWhole = lastWhole.map { max($0, date) } ?? date }
    }

    func showsWhole(afterRefundOn date: Instant) -> Bool {
        guard let firstRefund, let lastWhole else { return false }
        return lastWhole > firstRefund && lastWhole > date
    }
}
