import Encodings

/// One purchase under several accounts of the company's own.
public struct SharedAccount: GroupRule {
    public static let documentation = RuleDocumentation(
        id: "shared-account",
        title: "One purchase is claimed by several accounts",
        severity: .high,
        raisedWhen: "more than \(maxAccounts.standard) `account_id` presents one original transaction",
        why: """
            A purchase belongs to one buyer. If several of your accounts present it, somebody buys once and unlocks for many, \
            or sells receipts to others.
            """,
        whenWrong: """
            Restored purchases appear on every device of an Apple Account, whichever of your accounts is signed in there: a \
            person with two accounts of yours, or who deleted one and opened another, and a couple that shares one Apple \
            Account look like this. Family sharing does not: each member gets receipts and transactions of their own. Test \
            departments and App Review sign in with many accounts on one Apple Account.
            """,
        whatToDo: """
            Bind a purchase to the first account that claims it, and let a person move it to another by hand. Many accounts, \
            or accounts in different countries, are a trade; two that take turns on one device are one person.
            """,
        limits: [maxAccounts])

    public static let examples: [RuleExample] = [
        .raised(
            "two accounts present one purchase", .high, claim(account: "ann"), claim(account: "bob", device: "B")),
        .raised("they do so on one device", .high, claim(account: "ann"), claim(account: "bob")),
        .clear("one account presents it on two devices", claim(account: "ann"), claim(account: "ann", device: "B")),
        .clear("a claim without an account says nothing", claim(account: "ann"), claim(account: "", device: "B")),
        .clear(
            "two accounts present purchases of their own", claim(account: "ann"),
            claim(account: "bob", device: "B", transaction: "460000000000002")),
    ]

    private static func claim(
        account: ExactText, device: String = "A", transaction: ExactText = "460000000000001"
    ) -> ExampleClaim {
        ExampleClaim(device: device, account: account, receipt: ExampleReceipt(1, ExamplePurchase("gold", transaction)))
    }

    public static let keys = [KeyKind.originalTransaction]
    private static let maxAccounts = RuleLimit(
        "accounts", standard: 1, in: 1...4000, "more than so many accounts present one purchase")

    private let most: Int
    private var accounts = DistinctSketch<ExactText>()
    private var devices = DeviceCount()

    public init(_ policy: Policy) { most = policy.value(of: Self.maxAccounts, in: Self.self) }

    public mutating func take(_ observation: Observation) {
        guard involves(observation) else { return }
        accounts.insert(observation.accountID)
        devices.take(observation)
    }

    public mutating func carry(_ carrier: inout StateCoder) throws {
        try carrier.carry(&accounts)
        try carrier.carry(&devices)
    }

    public mutating func hit() -> Hit? {
        guard accounts.isMore(than: most) else { return nil }
        return Hit("\(accounts.accountsText); on \(devices.text)")
    }

    public func involves(_ observation: Observation) -> Bool { !observation.accountID.isEmpty }
}
