import Encodings

/// Finds devices with many accounts.
struct CrowdedDevice: GroupRule {
    static let documentation = RuleDocumentation(
        id: "crowded-device",
        title: "Many accounts are used on one device",
        severity: .medium,
        raisedWhen: """
            genuine claims whose device hash matches come from one device and more than \(maxAccounts.standard) \
            accounts; no other claims count, and dates do not matter
            """,
        why: """
            People share a device with a few others, not with dozens. On a device with many accounts, accounts are \
            created for sale, trials are farmed, or one purchase is moved from account to account.
            """,
        whenWrong: """
            A tablet in a shop, a school or a large family has many users. So have the devices of App Review and of a \
            test department. A resold device has a new id, as `identifierForVendor` changes when all of a vendor's \
            apps are removed, so its earlier accounts do not count. An export that replaces missing ids by one \
            placeholder does no harm, as no receipt is made for it. Anybody with a copy of a receipt and its device \
            id can present both under their own accounts: the finding is then about the device, and at most medium.
            """,
        whatToDo: """
            Look at when the accounts were opened and what they claim. Put test devices and public ones (`device:…`) \
            on the allow list; make the others confirm their accounts.
            """,
        limits: [maxAccounts])

    static let examples: [RuleExample] = [
        .raised("six accounts on one device", .medium, claims: claims(6)),
        .clear("five accounts on one device", claims: claims(5)),
        .clear("one account sends in six claims", claims: (0..<6).flatMap { _ in claims(1) }),
        .clear("claims without an account do not count", claims: claims(5) + [ExampleClaim()]),
        .clear("copies that somebody sends under its id do not count", claims: claims(6, deviceHashMatches: false)),
    ]

    private static func claims(_ count: Int, deviceHashMatches: Bool = true) -> [ExampleClaim] {
        (0..<count).map { ExampleClaim(deviceHashMatches: deviceHashMatches, account: "user-\($0)") }
    }

    static let keys = [KeyKind.device]
    static let countsAccounts = true
    private static let maxAccounts = RuleLimit(
        "accounts", standard: 5, in: 1...4000, "more than this many accounts are used on one device")

    private let maxAccounts: Int
    private var accounts = DistinctSketch<ExactText>()

    init(_ policy: Policy) { maxAccounts = policy.value(of: Self.maxAccounts, in: Self.self) }

    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { .init(presenters: maxAccounts + 1) }

    func mayRaise(_ observation: borrowing Observation) -> Bool { !observation.accountID.isEmpty }

    mutating func add(_ observation: Observation) {
        if involves(observation) { accounts.insert(observation.accountID) }
    }

    mutating func hit() -> Hit? {
        accounts.isMore(than: maxAccounts) ? Hit(accounts.accountsText) : nil
    }

    func involves(_ observation: Observation) -> Bool {
        observation.isMatching && !observation.accountID.isEmpty
    }
}
