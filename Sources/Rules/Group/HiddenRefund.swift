import Encodings
import Inputs
import Receipts

/// Finds claims that present a refunded purchase as if it had not been refunded.
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
            one genuine proof, or evidence, shows a purchase as refunded, and a claim shows it without the refund. \
            The claim has another proof, made before the refund, and is presented after the refund
            """,
        details: """
            If only the day of the claim is known (00:00:00.000 UTC), the refund must be earlier than that day. \
            Claims without a date do not hide anything.
            Purchases of one original transaction are told apart by their web order line item (attribute 1711). \
            Where that is absent, those without an expiry are one, and others are told apart by transaction.
            Two tokens are compared by transaction only. So are additions to a period \
            (`additionalTransactionReason`), and a token with a receipt if there is no expiry.
            Of several dates the latest counts as the refund. A proof made at or after it that shows the purchase \
            whole means that the refund was reversed, and then nothing is raised.
            Nothing is raised for refunds that `refunded-purchase` does not count, or for purchases of somebody \
            else. The token of claims or evidence that was signed last says why Apple took a purchase back.
            Nothing is raised either if such a token shows that another chain took the purchase's place within a \
            day.
            """,
        why: """
            A receipt is a snapshot. A customer who keeps one from before the refund and sends it afterwards has both \
            the money and the purchase.
            """,
        whenWrong: """
            A receipt is refreshed when the app asks for it. A device that was not asked to refresh sends an old \
            snapshot in good faith. Restored purchases appear on every device of an account, each with its own \
            snapshot. So confidence is possible, and likely only for the severity high. A consumable leaves the \
            receipt once it is finished, so most refunds of consumables are never seen here. \(MarkRole.text).
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
            "the phone showed the refund some time on the day on which it goes back", .medium,
            claim(1, presented: "2026-02-20", refunded: "2026-02-10"),
            claim(2, presented: "2026-02-20T15:00:00Z")),
        .raised(
            "a token hides the refund that another token of the transaction shows", .medium,
            token(1, presented: "2026-02-20", refunded: "2026-02-10"), token(2, presented: "2026-02-21")),
        .raised(
            "a receipt hides the refund of a period that a token shows", .medium,
            token(1, presented: "2026-02-20", refunded: "2026-02-10", line: 7),
            claim(2, presented: "2026-02-21", transaction: "460000000000002", line: 7)),
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
            "tokens of two transactions of one period: only one of them was refunded",
            token(1, presented: "2026-02-20", refunded: "2026-02-10", line: 7),
            token(2, presented: "2026-02-21", transaction: "460000000000002", line: 7)),
        .clear(
            "what was added to a period was refunded, not what a receipt shows of it",
            token(1, presented: "2026-02-20", refunded: "2026-02-10", line: 7, added: "SEAT_ADDITION"),
            claim(2, presented: "2026-02-21", transaction: "460000000000002", line: 7)),
        .clear(
            "a receipt made after the refund shows what tokens hide: it was reversed",
            token(1, presented: "2026-02-20", refunded: "2026-02-10"), token(2, presented: "2026-02-21"),
            claim(3, presented: "2026-03-01", created: "2026-02-28")),
        .clear(
            "before the refund nobody could know", claim(1, presented: "2026-02-20", refunded: "2026-02-10"),
            claim(2, presented: "2026-02-10")),
        .clear(
            "refunded on the day of the claim, whose time is not known",
            claim(1, presented: "2026-02-20", refunded: "2026-02-10T10:00:00Z"),
            claim(2, device: "B", presented: "2026-02-10")),
        .clear(
            "a claim without a date proves nothing", claim(1, presented: "2026-02-20", refunded: "2026-02-10"),
            claim(2, presented: nil)),
        .clear(
            "a bundle took its place, whose token names the original transaction",
            token(1, presented: "2026-02-20", refunded: "2026-02-10", type: nil), token(2, presented: "2026-02-21"),
            bundle(3, began: "2026-02-10")),
        .raised(
            "another chain took its place days later", .medium,
            token(1, presented: "2026-02-20", refunded: "2026-02-10", type: nil), token(2, presented: "2026-02-21"),
            bundle(3, began: "2026-02-12")),
        .raised(
            "the buyer was refunded in full, and bought a bundle on that day", .medium,
            token(1, presented: "2026-02-20", refunded: "2026-02-10", reason: 0), token(2, presented: "2026-02-21"),
            bundle(3, began: "2026-02-10")),
        .clear(
            "the buyer was refunded, not the child who shares it",
            token(1, presented: "2026-02-20", refunded: "2026-02-10", ownership: "FAMILY_SHARED"),
            token(2, presented: "2026-02-21", ownership: "FAMILY_SHARED")),
        .clear(
            "a token says of what receipts show as a refund that a family's sharing ended",
            claim(1, presented: "2026-02-20", refunded: "2026-02-10"), claim(2, presented: "2026-02-21"),
            token(3, presented: "2026-02-22", refunded: "2026-02-10", type: "FAMILY_REVOKE")),
        .clear(
            "a token says so of an assignment, of which the child's receipts show the same transaction",
            claim(1, presented: "2026-02-20", refunded: "2026-02-10"), claim(2, presented: "2026-02-21"),
            token(3, presented: "2026-02-22", refunded: "2026-02-10", ownership: "ASSIGNED")),
        .raised(
            "the buyer's receipts show a refund, and a member has another transaction of it", .high,
            claim(1, presented: "2026-02-20", refunded: "2026-02-10"), claim(2, presented: "2026-02-21"),
            token(
                3, presented: "2026-02-22", refunded: "2026-02-10", transaction: "460000000000002",
                ownership: "FAMILY_SHARED")),
        .clear(
            "a token says that silver was upgraded",
            claim(1, presented: "2026-02-20", refunded: "2026-02-10", line: 7),
            claim(2, presented: "2026-02-21", line: 7),
            token(3, presented: "2026-02-22", refunded: "2026-02-10", line: 7, type: nil, isUpgraded: true)),
        .raised(
            "a token says that it was refunded", .high,
            claim(1, presented: "2026-02-20", refunded: "2026-02-10"), claim(2, presented: "2026-02-21"),
            token(3, presented: "2026-02-22", refunded: "2026-02-10")),
        .raised(
            "a token hides the refund of its own transaction that a receipt shows", .medium,
            claim(1, presented: "2026-02-20", refunded: "2026-02-10"), token(2, presented: "2026-02-21")),
        .clear(
            "a token of the first purchase says nothing of the second, which was refunded",
            claim(1, presented: "2026-02-20", refunded: "2026-02-10", transaction: "460000000000002"),
            token(2, presented: "2026-02-21")),
        .clear(
            "nobody knows why it was taken back",
            token(1, presented: "2026-02-20", refunded: "2026-02-10", type: "TAKEN"),
            token(2, presented: "2026-02-21")),
        .clear(
            "both show the refund", claim(1, presented: "2026-02-20", refunded: "2026-02-10"),
            claim(2, presented: "2026-02-21", refunded: "2026-02-10")),
    ]

    private static func claim(
        _ number: Int, device: String = "A", presented: String?, created: String = "2026-02-05",
        refunded: String? = nil, transaction: ExactText = "460000000000001", line: Int? = nil
    ) -> ExampleClaim {
        ExampleClaim(
            device: device, presented: presented,
            receipt: ExampleReceipt(
                number, created: refunded ?? created,
                ExamplePurchase("gold", transaction, of: "460000000000001", refunded: refunded, line: line)))
    }

    private static func token(
        _ number: Int, presented: String?, refunded: String? = nil, transaction: ExactText = "460000000000001",
        line: Int? = nil, added: ExactText? = nil, type: ExactText? = "REFUND_FULL", reason: Int? = nil,
        ownership: ExactText = "PURCHASED", isUpgraded: Bool = false
    ) -> ExampleClaim {
        ExampleClaim(
            device: "D\(number)", presented: presented,
            token: ExampleToken(
                number, signed: refunded ?? "2026-02-05",
                ExamplePurchase(
                    "gold", transaction, of: "460000000000001", refunded: refunded, line: line, ownership: ownership,
                    refundType: type, refundReason: reason, isUpgraded: isUpgraded, additionalReason: added)))
    }

    /// Returns a claim to a token of the chain that replaced gold.
    private static func bundle(_ number: Int, began: String) -> ExampleClaim {
        ExampleClaim(
            device: "D\(number)", presented: "2026-02-22",
            token: ExampleToken(
                number, signed: "2026-02-15",
                ExamplePurchase(
                    "all", "460000000000005", bought: began, expires: "2026-03-10",
                    previousOriginal: "460000000000001")))
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

    private var items = BottomMap<RefundItem, ShownRefund>()
    private var devices = BottomMap<ItemOnDevice, DeviceShown>()
    /// The start dates of chains that replaced this one.
    private var moves = BottomSet<Instant>()
    private var hidden: [RefundItem: HiddenItem] = [:]

    init(_ policy: Policy) {}

    /// Only a refund can raise the rule.
    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { .init() }

    func mayRaise(_ observation: borrowing Observation) -> Bool {
        observation.purchases.hasAny { $0.cancellationDate != nil }
    }

    mutating func add(_ observation: Observation) {
        guard observation.isGenuine, let createdAt = observation.createdAt else { return }
        for purchase in observation.purchases {
            for item in RefundItem.perhapsWhole(purchase) {
                items.add(item, ShownRefund(perhapsWholeAt: createdAt))
            }
        }
        if observation.kind != nil {
            for purchase in observation.purchases where purchase.isTakenBack {
                let isRefund = purchase.revocation() == .refund
                let shown = ShownRefund(cause: purchase, isRefund: isRefund, createdAt, observation)
                for item in RefundItem.explained(by: purchase, observation) { items.add(item, shown) }
            }
        }
        for (purchase, isRefunded) in Self.counted(observation) {
            let shown = ShownRefund(purchase, isRefunded: isRefunded, createdAt, observation)
            for item in RefundItem.items(of: purchase, observation) {
                items.add(item, shown)
                guard observation.isMatching, let device = observation.device, let date = observation.presentedAt
                else { continue }
                devices.add(
                    ItemOnDevice(item: item, device: device),
                    DeviceShown(isRefunded: isRefunded, isToken: observation.kind != nil, date))
            }
        }
    }

    mutating func add(successor observation: Observation) {
        guard observation.isGenuine, let purchase = observation.purchases.first else { return }
        moves.insert(purchase.chainBegin)
    }

    /// Returns the purchases that are refunded or whole, but not those revoked for another reason. A member's purchase
    /// was not refunded to the member.
    private static func counted(_ observation: Observation) -> [(purchase: Purchase, isRefunded: Bool)] {
        lazy var upgrades = UpgradeIndex(observation.purchases)
        return observation.purchases.compactMap { purchase in
            guard !purchase.isMember else { return nil }
            switch upgrades.revocation(of: purchase) {
            case nil, .partialRefund: return (purchase, false)
            case .refund: return (purchase, true)
            case .excusedRefund, .upgrade, .move, .accessEnd, .unknown: return nil
            }
        }
    }

    func part(of observation: Observation) -> ExactText { Holder(observation).part }

    mutating func hit() -> Hit? {
        let shown = items.sorted
        let byItem = Dictionary(shown.map { ($0.key, $0.value) }) { first, _ in first }
        let begins = moves.keys
        let found = shown.compactMap { item, shown in
            let hiding = shown.hiding(item) { byItem[$0] }.filter { !$0.refund.isMove(begins) }
            return hiding.first.map { (item: item, first: $0, all: hiding) }
        }
        guard !found.isEmpty else { return nil }
        hidden = Dictionary(found.map { ($0.item, HiddenItem($0.all)) }) { first, _ in first }
        let isDeliberate = devices.sorted.contains { entry in
            hidden[entry.key.item].map { entry.value.hides(entry.key.item, $0) } ?? false
        }
        let evidence = found.listedOfAll(by: "; ") { item, hiding, _ in
            """
            \(item) was refunded on \(hiding.refund.date), as \(hiding.refund.witness) shows; shown whole by \
            \(hiding.whole.witness), presented on \(hiding.whole.presentedAt), in a \
            \(hiding.isByToken ? "token" : "receipt") made on \(hiding.whole.createdAt)
            """
        }
        let events = Set(found.map(\.first.refund.transaction)).count
        return isDeliberate
            ? Hit(evidence, severity: .high, confidence: .likely, events: events) : Hit(evidence, events: events)
    }

    /// The hidden refunds, in claims and in evidence.
    func atStake(in observation: Observation) -> [Purchase] {
        Self.counted(observation).compactMap { purchase, isRefunded in
            let isHidden = RefundItem.items(of: purchase, observation).contains { hidden[$0] != nil }
            return isRefunded && isHidden ? purchase : nil
        }
    }

    func involves(_ observation: Observation) -> Bool {
        guard observation.isGenuine, !hidden.isEmpty else { return false }
        return Self.counted(observation).contains { purchase, isRefunded in
            RefundItem.items(of: purchase, observation).contains { item in
                guard let hidden = hidden[item] else { return false }
                guard !isRefunded else { return true }
                guard let date = observation.presentedAt,
                    let refunded = hidden.refund(hiddenByToken: observation.kind != nil)
                else { return false }
                return date > refunded
            }
        }
    }
}

private struct ItemOnDevice: Hashable, Comparable, Sendable {
    let item: RefundItem
    let device: Device

    static func < (a: ItemOnDevice, b: ItemOnDevice) -> Bool { (a.item, a.device) < (b.item, b.device) }
}
