import Encodings
import Receipts

/// Finds consumables that more than one device or account claims.
struct ReplayedConsumable: GroupRule {
    static let documentation = RuleDocumentation(
        id: "replayed-consumable",
        title: "One consumable was claimed more than once",
        severity: .critical,
        raisedWhen: """
            more than \(maxDevices.standard) device or more than \(maxAccounts.standard) account presents one \
            transaction of a consumable
            """,
        why: """
            A consumable is paid for once and used once, and it cannot be restored on another device. A second device \
            or account that presents the same transaction asks for coins that nobody paid for.
            """,
        whenWrong: """
            A consumable leaves the receipt once it is finished. While it is not (the app was ended, the network \
            failed), the purchase can be delivered again on another device of the buyer, or to another account on the \
            same device. `identifierForVendor` changes when all of a vendor's apps are removed, and after some \
            restores, and a Mac may send the address of en0 or en1: then one device has two ids. Family sharing is no \
            explanation: consumables are not shared, and members get transactions of their own.
            """,
        whatToDo: """
            Grant each transaction once, to the account that claims it first, and keep its id permanently. If many are \
            claimed twice by honest people, check whether the app finishes its transactions.
            """,
        limits: [maxDevices, maxAccounts])

    static let examples: [RuleExample] = [
        .raised("two devices claim the same coins", .critical, claim(), claim(device: "B")),
        .raised("two accounts on one device claim them", .critical, claim(account: "ann"), claim(account: "bob")),
        .clear("one device and account sends them twice", claim(account: "ann"), claim(account: "ann")),
        .clear("two devices claim coins of their own", claim(), claim(device: "B", transaction: "460000000000002")),
        .clear(
            "what is not consumable may be restored on a second device", claim(kind: .nonConsumable),
            claim(device: "B", kind: .nonConsumable)),
    ]

    private static func claim(
        device: String = "A", account: ExactText = "", transaction: ExactText = "460000000000001",
        kind: Purchase.Kind = .consumable
    ) -> ExampleClaim {
        ExampleClaim(
            device: device, account: account,
            receipt: ExampleReceipt(1, ExamplePurchase("coins", transaction, kind: kind)))
    }

    static let keys = [KeyKind.transaction]
    private static let maxDevices = RuleLimit(
        "devices", standard: 1, in: 1...4000, "more than this many devices present one consumable")
    private static let maxAccounts = RuleLimit(
        "accounts", standard: 1, in: 1...4000, "more than this many accounts present one consumable")

    private let maxDevices: Int
    private let maxAccounts: Int
    private var devices = DeviceCount()
    private var accounts = DistinctSketch<ExactText>()
    private var subject = TransactionSubject()

    init(_ policy: Policy) {
        maxDevices = policy.value(of: Self.maxDevices, in: Self.self)
        maxAccounts = policy.value(of: Self.maxAccounts, in: Self.self)
    }

    mutating func add(_ observation: Observation) {
        guard let purchase = consumable(in: observation) else { return }
        subject.add(purchase)
        devices.add(observation)
        if !observation.accountID.isEmpty { accounts.insert(observation.accountID) }
    }

    private var isOnManyDevices: Bool { devices.all.isMore(than: maxDevices) }
    private var isInManyAccounts: Bool { accounts.isMore(than: maxAccounts) }

    mutating func code(_ coder: inout StateCoder) throws {
        try coder.code(&devices)
        try coder.code(&accounts)
        try coder.code(&subject)
    }

    mutating func hit() -> Hit? {
        guard isOnManyDevices || isInManyAccounts else { return nil }
        var evidence = "a consumable from \(devices.text)"
        if accounts.isMore(than: 0) { evidence += "; \(accounts.accountsText)" }
        return subject.hit(evidence)
    }

    func involves(_ observation: Observation) -> Bool {
        guard consumable(in: observation) != nil else { return false }
        return isOnManyDevices && observation.device != nil || isInManyAccounts && !observation.accountID.isEmpty
    }

    private func consumable(in observation: Observation) -> Purchase? {
        guard observation.isGenuine, let purchase = observation.purchases.first, purchase.kind == .consumable else {
            return nil
        }
        return purchase
    }
}
