import Encodings
import Inputs
import Receipts

/// Finds consumables that more than one device or account claims.
struct ReplayedConsumable: GroupRule {
    static let documentation = RuleDocumentation(
        id: "replayed-consumable",
        title: "One consumable was claimed more than once",
        severity: .medium,
        exceptions: [
            .init(.high, "if two accounts ask for it by its `product_id`, unless a guest may have logged in"),
            .init(
                .critical,
                """
                if more than \(askingAccounts.standard) accounts ask for it or, where no claim names an account, more \
                than \(askingDevices.standard) devices
                """),
        ],
        raisedWhen: """
            genuine claims on more than \(maxDevices.standard) device or by more than \(maxAccounts.standard) \
            account present one transaction of a consumable (attribute 1707 is 1). It is also raised when one device \
            asks for it on \(minDays.standard) or more days (in UTC)
            """,
        details: """
            A claim asks for it if its `product_id` is the transaction's product. Claims without a date do not count \
            towards days.
            A guest may have logged in if all claims match one device, name one of two accounts and have a date, and \
            the earlier account presents nothing after the later one began.
            If one receipt has several entries of the transaction, only the least counts: by product, then by \
            purchase date, then by original transaction.
            """,
        why: """
            A consumable is paid for once and used once, and it cannot be restored on another device. A second device \
            or account with the same transaction asks for coins that nobody paid for.
            """,
        whenWrong: """
            A consumable stays in the receipt until it is finished. Until then (the app was closed, the network \
            failed), every claim of the device shows it. It can also be delivered again on another device of the \
            buyer, or to another account on the same device. So a claim that does not ask for it weighs little. \
            `identifierForVendor` changes when all of a vendor's apps are removed, and after some restores, and a Mac \
            may send the address of en0 or en1. Then one device has two ids. Family Sharing does not explain it: \
            consumables are not shared. \(MarkRole.text). Confidence is likely, and possible where fewer than two \
            accounts and two devices ask for it, or a guest may have logged in. \
            \(AccountsAsOne.text).
            """,
        whatToDo: """
            Grant each transaction once, to the account that claims it first, and keep its id permanently. If many \
            honest people claim one twice, check whether the app finishes its transactions.
            """,
        limits: [maxDevices, maxAccounts, askingAccounts, askingDevices, minDays])

    static let examples: [RuleExample] = [
        .raised("a second device presents the same coins", .medium, claim(), claim(device: "B")),
        .raised(
            "two accounts on one device ask for them", .high, claim(account: "ann", asking: "coins"),
            claim(account: "bob", asking: "coins")),
        .raised(
            "three accounts ask for them", .critical,
            claims: ["ann", "bob", "cat"].map { claim(account: $0, asking: "coins") }),
        .raised(
            "four devices without accounts ask for them", .critical,
            claims: ["A", "B", "C", "D"].map { claim(device: $0, asking: "coins") }),
        .raised(
            "a guest buys coins, and logs in before the app has finished them", .medium,
            claim(account: "guest-1", asking: "coins", presented: "2026-03-01T00:01:00Z"),
            claim(account: "ann", asking: "coins", presented: "2026-03-01T00:09:00Z")),
        .raised(
            "the first account goes on after the second began", .high,
            claim(account: "ann", asking: "coins", presented: "2026-03-01T00:01:00Z"),
            claim(account: "bob", asking: "coins", presented: "2026-03-01T00:09:00Z"),
            claim(account: "ann", asking: "coins", presented: "2026-03-01T00:10:00Z")),
        .raised(
            "a guest logs in, and a third account presents them", .high,
            claim(account: "guest-1", asking: "coins", presented: "2026-03-01T00:01:00Z"),
            claim(account: "ann", asking: "coins", presented: "2026-03-01T00:09:00Z"),
            claim(account: "eve", presented: "2026-03-02")),
        .raised(
            "somebody without an account does", .high,
            claim(account: "guest-1", asking: "coins", presented: "2026-03-01T00:01:00Z"),
            claim(account: "ann", asking: "coins", presented: "2026-03-01T00:09:00Z"), claim(presented: "2026-03-02")),
        .raised(
            "two accounts ask for them one after the other, on two devices", .high,
            claim(account: "ann", asking: "coins", presented: "2026-03-01T00:01:00Z"),
            claim(device: "B", account: "bob", asking: "coins", presented: "2026-03-01T00:09:00Z")),
        .raised(
            "two spellings of one account ask for them", .low, claim(account: "ann@example.com", asking: "coins"),
            claim(account: "Ann@example.com", asking: "coins")),
        .raised(
            "they do so on two devices", .medium, claim(account: "ann@example.com", asking: "coins"),
            claim(device: "B", account: "Ann@example.com", asking: "coins")),
        .raised(
            "three spellings of one account ask for them", .critical,
            claims: ["ann", "Ann", "ANN"].map { claim(account: $0, asking: "coins") }),
        .raised(
            "one device asks on three days", .medium,
            claims: (1...3).map { claim(account: "ann", asking: "coins", presented: "2026-03-0\($0)") }),
        .raised(
            "three accounts show them while they ask for something else", .medium,
            claims: ["ann", "bob", "cat"].map { claim(account: $0, asking: "gold") }),
        .clear("one device and account sends them twice", claim(account: "ann"), claim(account: "ann")),
        .clear(
            "one device asks twice in two days", claim(asking: "coins", presented: "2026-03-01"),
            claim(asking: "coins", presented: "2026-03-02")),
        .clear("two devices claim coins of their own", claim(), claim(device: "B", transaction: "460000000000002")),
        .clear(
            "a non-consumable may be restored on a second device", claim(kind: .nonConsumable),
            claim(device: "B", kind: .nonConsumable)),
    ]

    private static func claim(
        device: String = "A", account: ExactText = "", asking: ExactText = "", presented: String? = nil,
        transaction: ExactText = "460000000000001", kind: Purchase.Kind = .consumable
    ) -> ExampleClaim {
        ExampleClaim(
            device: device, deviceHashMatches: device == "A", account: account, product: asking, presented: presented,
            receipt: ExampleReceipt(1, ExamplePurchase("coins", transaction, kind: kind)))
    }

    static let keys = [KeyKind.transaction]
    static let addsEvents = true
    static let countsAccounts = true
    private static let maxDevices = RuleLimit(
        "devices", standard: 1, in: 1...4000, "more than this many devices present one consumable")
    private static let maxAccounts = RuleLimit(
        "accounts", standard: 1, in: 1...4000, "more than this many accounts present one consumable")
    private static let askingAccounts = RuleLimit(
        "asking-accounts", standard: 2, in: 1...4000, "the severity is critical if more than this many accounts ask")
    private static let askingDevices = RuleLimit(
        "asking-devices", standard: 3, in: 1...4000,
        "the severity is critical if more than this many devices ask, and no claim names an account")
    private static let minDays = RuleLimit(
        "days", standard: 3, in: 2...1000, "one device asks for it on at least this many days")

    private let maxDevices: Int
    private let maxAccounts: Int
    private let maxAskingAccounts: Int
    private let maxAskingDevices: Int
    private let minDays: Int
    private var devices = DeviceCount()
    private var accounts = DistinctSketch<ExactText>()
    private var askingDevices = DistinctSketch<Device>()
    private var askingAccounts = DistinctSketch<ExactText>()
    private var guest = GuestLogin()
    /// The days on which each device claims the consumable, the earliest in order: as many as are listed or counted.
    private var days = BottomMap<Device, [Int64]>()
    private static let maxDays = 1000
    private var subject = TransactionSubject()
    private var persistent: Set<Device> = []

    init(_ policy: Policy) {
        maxDevices = policy.value(of: Self.maxDevices, in: Self.self)
        maxAccounts = policy.value(of: Self.maxAccounts, in: Self.self)
        maxAskingAccounts = policy.value(of: Self.askingAccounts, in: Self.self)
        maxAskingDevices = policy.value(of: Self.askingDevices, in: Self.self)
        minDays = policy.value(of: Self.minDays, in: Self.self)
    }

    /// Only a consumable can raise the rule.
    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { .init() }

    func mayRaise(_ observation: borrowing Observation) -> Bool {
        observation.purchases.hasAny { $0.kind == .consumable }
    }

    mutating func add(_ observation: Observation) {
        guard let purchase = consumable(in: observation) else { return }
        subject.add(purchase)
        devices.add(observation)
        guest.add(observation)
        if !observation.accountID.isEmpty { accounts.insert(observation.accountID) }
        guard asks(observation, for: purchase) else { return }
        if !observation.accountID.isEmpty { askingAccounts.insert(observation.accountID) }
        guard let device = observation.device else { return }
        askingDevices.insert(device)
        if let day = observation.presentedAt?.day {
            days.update(device, from: []) { $0.insertSmallest(day, atMost: Self.maxDays) }
        }
    }

    private var isOnManyDevices: Bool { devices.all.isMore(than: maxDevices) }
    private var isInManyAccounts: Bool { accounts.isMore(than: maxAccounts) }

    mutating func hit() -> Hit? {
        let asking = days.sorted.filter { $0.value.count >= minDays }
        persistent = Set(asking.map(\.key))
        guard isOnManyDevices || isInManyAccounts || !persistent.isEmpty else { return nil }
        var evidence = "a consumable from \(devices.text)"
        if accounts.isMore(than: 0) { evidence += "; \(accounts.accountsText)" }
        if askingAccounts.isMore(than: 0) { evidence += "; requested by \(askingAccounts.accountsText)" }
        if askingDevices.isMore(than: 0) { evidence += "; requested on \(askingDevices.countText) devices" }
        if let first = asking.first {
            let days = first.value.map { String(Instant(day: $0).date) }
            evidence += "; \(first.key) requests it on \(days.listedOfAll { $0 })"
        }
        var hit = subject.hit(evidence)
        let isNamed = accounts.isMore(than: 0)
        if guest.mayHaveLoggedIn, !isOnManyDevices {
            hit.evidence += "; the earlier account ended before the later one began: a guest may have logged in"
            hit.confidence = .possible
            return hit
        }
        if askingAccounts.isMore(than: maxAskingAccounts) || !isNamed && askingDevices.isMore(than: maxAskingDevices) {
            hit.severity = .critical
        } else if askingAccounts.isMore(than: 1) {
            hit.severity = .high
        }
        hit.confidence = askingAccounts.isMore(than: 1) || askingDevices.isMore(than: 1) ? .likely : .possible
        return hit
    }

    func involves(_ observation: Observation) -> Bool {
        guard let purchase = consumable(in: observation) else { return false }
        if isOnManyDevices && observation.device != nil || isInManyAccounts && !observation.accountID.isEmpty {
            return true
        }
        guard let device = observation.device, persistent.contains(device) else { return false }
        return asks(observation, for: purchase)
    }

    private func consumable(in observation: Observation) -> Purchase? {
        guard observation.isGenuine, let purchase = observation.purchases.first, purchase.kind == .consumable else {
            return nil
        }
        return purchase
    }

    private func asks(_ observation: Observation, for purchase: Purchase) -> Bool {
        observation.askedProduct == purchase.productID.boundedID
    }

    /// Who presents the consumable on a device: two accounts, one after the other, or others.
    private struct GuestLogin: Sendable {
        private var accounts = BottomMap<ExactText, DateSpan>(limit: 2)
        private var others = false

        mutating func add(_ observation: Observation) {
            guard observation.isMatching, !observation.accountID.isEmpty else { return others = true }
            accounts.update(observation.accountID, from: DateSpan()) { $0.add(observation.presentedAt) }
        }

        /// Whether there are two accounts and nobody else, and nothing shows the earlier one after the later one began.
        var mayHaveLoggedIn: Bool {
            guard accounts.isComplete, !others else { return false }
            let dates = accounts.sorted.map(\.value)
            guard dates.count == 2, !dates.contains(where: \.isUndated) else { return false }
            return dates[0].mayEnd(before: dates[1]) || dates[1].mayEnd(before: dates[0])
        }
    }
}
