import Encodings

/// Many accounts on one device.
public struct CrowdedDevice: GroupRule {
    public static let documentation = RuleDocumentation(
        id: "crowded-device",
        title: "Many accounts are used on one device",
        severity: .medium,
        raisedWhen: "claims of more than \(maxAccounts.standard) accounts come from one device id",
        why: """
            People share a device with a few others, not with dozens. A device with many accounts is where accounts are made \
            to be sold, trials are farmed, or one purchase is carried from account to account.
            """,
        whenWrong: """
            A tablet in a shop, a school or a large family has many users, and so have the devices of App Review and of a \
            test department. A device that was sold on keeps no id: `identifierForVendor` changes when all of a vendor's apps \
            are removed, so what was before does not count here. An export that puts one placeholder in place of ids that \
            are missing makes one crowded device of all of them.
            """,
        whatToDo: """
            Look at when the accounts were opened and what they claim. Put test devices and public ones (`device:…`) on the allow list; \
            make the others confirm their accounts.
            """,
        limits: [maxAccounts])

    public static let examples: [RuleExample] = [
        .raised("six accounts on one device", .medium, claims: claims(6)),
        .clear("five accounts on one device", claims: claims(5)),
        .clear("one account sends in six claims", claims: (0..<6).flatMap { _ in claims(1) }),
        .clear("claims without an account do not count", claims: claims(5) + [ExampleClaim()]),
    ]

    private static func claims(_ count: Int) -> [ExampleClaim] {
        (0..<count).map { ExampleClaim(account: "user-\($0)") }
    }

    public static let keys = [KeyKind.device]
    private static let maxAccounts = RuleLimit(
        "accounts", standard: 5, in: 1...4000, "more than so many accounts are used on one device")

    private let most: Int
    private var accounts = DistinctSketch<ExactText>()

    public init(_ policy: Policy) { most = policy.value(of: Self.maxAccounts, in: Self.self) }

    public mutating func take(_ observation: Observation) {
        if involves(observation) { accounts.insert(observation.accountID) }
    }

    public mutating func carry(_ carrier: inout StateCoder) throws {
        try carrier.carry(&accounts)
    }

    public mutating func hit() -> Hit? {
        accounts.isMore(than: most) ? Hit(accounts.accountsText) : nil
    }

    public func involves(_ observation: Observation) -> Bool { !observation.accountID.isEmpty }
}
