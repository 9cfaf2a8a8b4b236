import Encodings
import Inputs

/// Finds purchases on more devices than one person has.
struct SharedTransaction: GroupRule {
    static let documentation = RuleDocumentation(
        id: "shared-transaction",
        title: "One purchase is used on many devices",
        severity: .medium,
        exceptions: [
            .init(
                .high,
                """
                for more than \(highDevices.standard) devices, which is more than Apple allows one account, and for \
                more than \(maxDevices.standard) that have neither a claim that matches nor one that was not checked, \
                all of them with dates
                """)
        ],
        confidence: .possible,
        raisedWhen: """
            more than \(maxDevices.standard) devices present one original transaction on days that are at most \
            \(days.standard) apart (in UTC). Devices all of whose claims lack a date are added to any such days, but \
            towards medium only. Of all such days the ones with the highest severity are reported, then those with the \
            most devices, then those that begin first, and of these the fewest
            """,
        why: """
            Anybody who signs in with the buyer's Apple Account gets a genuine receipt with the buyer's purchases. \
            Apple allows an account ten devices at a time, and few people have more than five: beyond that, an account \
            is probably lent, rented or sold, or its receipts are copied.
            """,
        whenWrong: """
            Restored purchases appear on every device of an account. `identifierForVendor` changes when all of a \
            vendor's apps are removed, and after some restores, so one device may count twice; so may a Mac that sends \
            the address of en0 one day and of en1 another. App Review and test departments use one account on many \
            devices. Family Sharing does not explain it: each member gets receipts and transactions of their own. \
            \(MarkRole.text). Confidence is possible, likely for the severity high, and doubtful if \
            it takes devices without a date.
            """,
        whatToDo: """
            Look at when the devices appeared: a few per year suggest one person, many in a week suggest a trade. \
            Limit how many devices of one purchase your service unlocks at once.
            """,
        limits: [maxDevices, highDevices, days])

    static let examples: [RuleExample] = [
        .raised("six devices restore one purchase within a month", .medium, claims: claims(6)),
        .raised("eleven devices restore it", .high, claims: claims(11)),
        .raised("six devices present copies of its receipts", .high, claims: claims(6, deviceHashesMatch: false)),
        .raised("of six devices one is verified", .medium, claims: claims(1) + claims(6, deviceHashesMatch: false)),
        .raised("eleven devices without dates", .medium, claims: claims(11, isDated: false)),
        .raised("ten devices are no more than Apple allows", .medium, claims: claims(10)),
        .clear("five devices are what one person may have", claims: claims(5)),
        .clear("six devices in six quarters are what one person may have", claims: claims(6, apart: 92)),
        .clear("one device presents it six times", claims: (0..<6).flatMap { _ in claims(1) }),
    ]

    private static func claims(
        _ count: Int, deviceHashesMatch: Bool = true, isDated: Bool = true, apart days: Int = 2
    ) -> [ExampleClaim] {
        let start = Instant(example: "2026-03-01") ?? Instant(seconds: 0)
        return (0..<count).map {
            ExampleClaim(
                device: "D\($0)", deviceHashMatches: deviceHashesMatch,
                presented: isDated ? start.adding(seconds: Int64($0 * days) * 86_400).description : nil,
                receipt: ExampleReceipt($0, ExamplePurchase()))
        }
    }

    static let keys = [KeyKind.originalTransaction]
    private static let maxDevices = RuleLimit(
        "devices", standard: 5, in: 1...4000, "more than this many devices present one purchase")
    private static let highDevices = RuleLimit(
        "many-devices", standard: 10, in: 1...4000, "the severity is high above this many devices")
    private static let days = RuleLimit(
        "days", standard: 90, in: 1...10_000, "they present it on days at most this far apart")

    private let maxDevices: Int
    private let highDevices: Int
    private let days: Int64
    private var presented = PresentedDays()
    private var window = PresentedDays.Window()

    init(_ policy: Policy) {
        maxDevices = policy.value(of: Self.maxDevices, in: Self.self)
        highDevices = policy.value(of: Self.highDevices, in: Self.self)
        days = policy.seconds(of: Self.days, each: 1, in: Self.self)
    }

    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { .init(what: maxDevices + 1) }

    mutating func add(_ observation: Observation) {
        if observation.isGenuine { presented.add(observation) }
    }

    mutating func code(_ coder: inout StateCoder) throws { try coder.code(&presented) }

    mutating func hit() -> Hit? {
        let (many, few) = (highDevices, maxDevices)
        let isHigh = { (devices: Int, mismatched: Int) in devices > many || mismatched > few }
        window = presented.best(within: days) { isHigh($0, $1) ? 1_000_000 + $0 : $0 }
        guard window.devices.count > maxDevices else { return nil }
        let evidence = window.text(of: "devices", isComplete: presented.isComplete)
        if isHigh(window.dated.count, window.mismatched) { return Hit(evidence, severity: .high, confidence: .likely) }
        return Hit(evidence, confidence: window.dated.count > maxDevices ? .possible : .doubtful)
    }

    func involves(_ observation: Observation) -> Bool { observation.isGenuine && window.contains(observation) }
}
