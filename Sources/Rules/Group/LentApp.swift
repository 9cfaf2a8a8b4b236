import Encodings
import Inputs

/// Finds one purchase of an app on more devices than a person has.
struct LentApp: GroupRule {
    static let documentation = RuleDocumentation(
        id: "lent-app",
        title: "One purchase of the app is used on many devices",
        severity: .low,
        confidence: .doubtful,
        raisedWhen: """
            receipts of one app in production (attribute 0 is Production, absent or empty) have one original purchase \
            date (attribute 18, to the second), and claims on more than \(maxDevices.standard) devices match them, on \
            days at most \(days.standard) apart (in UTC); claims without a date do not count
            """,
        why: """
            The date on which an app was first bought or downloaded stays with the Apple Account. Many devices with \
            one date have one account signed in, which is lent, rented or sold.
            """,
        whenWrong: """
            People who have nothing to do with each other may download a popular app in the same second: then the \
            devices are in use by many accounts and countries, so confidence is doubtful. Volume purchases are left \
            out. `identifierForVendor` changes when all of a vendor's apps are removed, and one device counts again. \
            Only claims whose device hash matches count, so that nobody can put another's receipts here by a copy.
            """,
        whatToDo: """
            By itself, nothing. Together with `shared-transaction` or `shared-account` on the same devices it \
            supports them.
            """,
        limits: [maxDevices, days])

    static let examples: [RuleExample] = [
        .raised("eleven devices have one purchase of the app", .low, claims: claims(11)),
        .clear("ten devices are what Apple allows an account", claims: claims(10)),
        .clear("eleven devices present copies", claims: claims(11, deviceHashesMatch: false)),
        .clear("it is a volume purchase", claims: claims(11, environment: "ProductionVPP")),
        .clear("they are of the sandbox", claims: claims(11, environment: "ProductionSandbox")),
        .clear("they are far apart in time", claims: claims(11, apart: 10)),
    ]

    private static func claims(
        _ count: Int, deviceHashesMatch: Bool = true, environment: ExactText = "Production", apart days: Int = 1
    ) -> [ExampleClaim] {
        let start = Instant(example: "2026-03-01") ?? Instant(seconds: 0)
        return (0..<count).map {
            ExampleClaim(
                device: "D\($0)", deviceHashMatches: deviceHashesMatch,
                presented: start.adding(seconds: Int64($0 * days) * 86_400).description,
                receipt: ExampleReceipt($0, environment: environment, downloaded: "2020-05-17T11:25:03Z"))
        }
    }

    static let keys = [KeyKind.app]
    private static let maxDevices = RuleLimit(
        "devices", standard: 10, in: 1...4000, "more than this many devices have one purchase of the app")
    private static let days = RuleLimit(
        "days", standard: 90, in: 1...10_000, "they present it on days at most this far apart")

    private let maxDevices: Int
    private let days: Int64
    private var presented = PresentedDays()
    private var window = PresentedDays.Window()

    init(_ policy: Policy) {
        maxDevices = policy.value(of: Self.maxDevices, in: Self.self)
        days = policy.seconds(of: Self.days, each: 1, in: Self.self)
    }

    mutating func add(_ observation: Observation) {
        if Self.isCounted(observation) { presented.add(observation) }
    }

    mutating func code(_ coder: inout StateCoder) throws { try coder.code(&presented) }

    mutating func hit() -> Hit? {
        window = presented.best(within: days) { devices, _ in devices }
        guard window.dated.count > maxDevices else { return nil }
        return Hit(window.text(of: "verified devices", isComplete: presented.isComplete))
    }

    func involves(_ observation: Observation) -> Bool {
        Self.isCounted(observation) && window.contains(observation)
    }

    private static func isCounted(_ observation: Observation) -> Bool {
        observation.isMatching && observation.presentedAt != nil
    }
}
