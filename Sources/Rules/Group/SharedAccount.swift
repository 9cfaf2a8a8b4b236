import Encodings

/// Finds purchases that several of the company's own accounts claim.
struct SharedAccount: GroupRule {
    static let documentation = RuleDocumentation(
        id: "shared-account",
        title: "One purchase is claimed by several accounts",
        severity: .medium,
        exceptions: [.init(.high, "for more than \(manyAccounts.standard) accounts")],
        confidence: .possible,
        raisedWhen: """
            genuine claims of more than \(maxAccounts.standard) `account_id` present one original transaction. Claims \
            without an account do not count; dates do not matter
            """,
        why: """
            A purchase belongs to one buyer. If several of your accounts present it, somebody buys once for many, or \
            sells receipts.
            """,
        whenWrong: """
            Restored purchases appear on every device of an Apple Account, whichever of your accounts is signed in: a \
            person with two of your accounts, or with a new one after deleting the first, and a couple or a family \
            that shares one Apple Account look the same. Family Sharing does not: each member gets receipts and \
            transactions of their own. Test departments and App Review sign in with many accounts on one Apple \
            Account. Other accounts can present a copy of somebody's receipts; the claims of the first who presented \
            the purchase with a device hash that matches are then marked by what they show alone. Confidence is \
            possible, and likely for the severity high.
            """,
        whatToDo: """
            Bind a purchase to the first account that claims it, and move it only on request. Many accounts, or \
            accounts in different countries, suggest a trade; two that alternate on one device suggest one person.
            """,
        limits: [maxAccounts, manyAccounts])

    static let examples: [RuleExample] = [
        .raised(
            "two accounts present one purchase", .medium, claim(account: "ann"), claim(account: "bob", device: "B")),
        .raised("they do so on one device", .medium, claim(account: "ann"), claim(account: "bob")),
        .raised(
            "six accounts may be a family", .medium, claims: (1...6).map { claim(account: "user-\($0)") }),
        .raised("seven accounts", .high, claims: (1...7).map { claim(account: "user-\($0)") }),
        .clear("one account presents it on two devices", claim(account: "ann"), claim(account: "ann", device: "B")),
        .clear("a claim without an account proves nothing", claim(account: "ann"), claim(account: "", device: "B")),
        .clear(
            "two accounts present purchases of their own", claim(account: "ann"),
            claim(account: "bob", device: "B", transaction: "460000000000002")),
    ]

    private static func claim(
        account: ExactText, device: String = "A", transaction: ExactText = "460000000000001"
    ) -> ExampleClaim {
        ExampleClaim(device: device, account: account, receipt: ExampleReceipt(1, ExamplePurchase("gold", transaction)))
    }

    static let keys = [KeyKind.originalTransaction]
    private static let maxAccounts = RuleLimit(
        "accounts", standard: 1, in: 1...4000, "more than this many accounts present one purchase")
    private static let manyAccounts = RuleLimit(
        "many-accounts", standard: 6, in: 1...4000, "the severity is high above this many accounts")

    private let maxAccounts: Int
    private let manyAccounts: Int
    private var accounts = DistinctSketch<ExactText>()
    private var devices = DeviceCount()

    init(_ policy: Policy) {
        maxAccounts = policy.value(of: Self.maxAccounts, in: Self.self)
        manyAccounts = policy.value(of: Self.manyAccounts, in: Self.self)
    }

    mutating func add(_ observation: Observation) {
        guard involves(observation) else { return }
        accounts.insert(observation.accountID)
        devices.add(observation)
    }

    mutating func code(_ coder: inout StateCoder) throws {
        try coder.code(&accounts)
        try coder.code(&devices)
    }

    mutating func hit() -> Hit? {
        guard accounts.isMore(than: maxAccounts) else { return nil }
        let evidence = "\(accounts.accountsText); on \(devices.text)"
        return accounts.isMore(than: manyAccounts)
            ? Hit(evidence, severity: .high, confidence: .likely) : Hit(evidence)
    }

    func involves(_ observation: Observation) -> Bool { observation.isGenuine && !observation.accountID.isEmpty }
}
