import Encodings
import Inputs

/// Finds purchases on more devices than one person has.
struct SharedTransaction: GroupRule {
    static let documentation = RuleDocumentation(
        id: "shared-transaction",
        title: "One purchase is used on many devices",
        severity: .medium,
        exceptions: [
            .init(.high, "for more than \(highDevices.standard) devices, which is more than Apple allows one account")
        ],
        raisedWhen: """
            more than \(maxDevices.standard) verified devices present one original transaction; or, if no device of it \
            is verified, that many device ids
            """,
        why: """
            Whoever signs in with the buyer's Apple Account gets a genuine receipt with the buyer's purchases. Apple \
            allows an account ten devices at a time, and few people have more than five: beyond that, an account is \
            probably lent, rented or sold.
            """,
        whenWrong: """
            Restored purchases appear on every device of an account, and devices add up over the years. \
            `identifierForVendor` changes when all of a vendor's apps are removed, and after some restores, so that \
            one device counts again; a Mac counts twice if it sends the address of en0 one day and that of en1 \
            another. App Review and test departments use one account on many devices. Families are no explanation: \
            each member gets receipts and transactions of their own.
            """,
        whatToDo: """
            Look at when the devices appeared: a few per year suggest one person, many in a week suggest a trade. \
            Limit how many devices of one purchase your service unlocks at once.
            """,
        limits: [maxDevices, highDevices])

    static let examples: [RuleExample] = [
        .raised("six verified devices restore one purchase", .medium, claims: claims(6)),
        .raised("eleven verified devices restore it", .high, claims: claims(11)),
        .raised(
            "six device ids present it, none of them verified", .medium, claims: claims(6, deviceHashesMatch: false)),
        .clear("five verified devices are what one person may have", claims: claims(5)),
        .clear("of six devices one is verified", claims: claims(1) + claims(6, deviceHashesMatch: false)),
        .clear("one device presents it six times", claims: (0..<6).flatMap { _ in claims(1) }),
        .raised(
            "ten devices are still no more than Apple allows", .medium, claims: claims(10)),
    ]

    private static func claims(_ count: Int, deviceHashesMatch: Bool = true) -> [ExampleClaim] {
        (0..<count).map {
            ExampleClaim(
                device: "D\($0)", deviceHashMatches: deviceHashesMatch, receipt: ExampleReceipt($0, ExamplePurchase()))
        }
    }

    static let keys = [KeyKind.originalTransaction]
    private static let maxDevices = RuleLimit(
        "devices", standard: 5, in: 1...4000, "more than this many devices present one purchase")
    private static let highDevices = RuleLimit(
        "many-devices", standard: 10, in: 1...4000, "the severity is high above this many devices")

    private let maxDevices: Int
    private let highDevices: Int
    private var devices = DeviceCount()

    init(_ policy: Policy) {
        maxDevices = policy.value(of: Self.maxDevices, in: Self.self)
        highDevices = policy.value(of: Self.highDevices, in: Self.self)
    }

    mutating func add(_ observation: Observation) { devices.add(observation) }

    mutating func code(_ coder: inout StateCoder) throws { try coder.code(&devices) }

    mutating func hit() -> Hit? {
        devices.settle()
        let areVerified = devices.verified.isMore(than: 0)
        let counted = areVerified ? devices.verified : devices.all
        guard counted.isMore(than: maxDevices) else { return nil }
        let kind = areVerified ? "verified devices" : "devices, none of them verified"
        return Hit(
            "\(counted.countText) \(kind): \(counted.sorted.listed(of: counted.countText) { $0.description })",
            severity: counted.isMore(than: highDevices) ? .high : nil)
    }

    func involves(_ observation: Observation) -> Bool {
        guard let device = observation.device else { return false }
        return observation.isMatching || !devices.verified.isMore(than: 0) || devices.verified.contains(device)
    }
}
