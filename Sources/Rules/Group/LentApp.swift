import Encodings
import Inputs
import Receipts

/// Finds one purchase of an app on more devices than a person has.
struct LentApp: GroupRule {
    static let documentation = RuleDocumentation(
        id: "lent-app",
        title: "One purchase of the app is used on many devices",
        severity: .low,
        exceptions: [.init(.medium, "for one `appTransactionId`")],
        confidence: .doubtful,
        raisedWhen: """
            StoreKit 2 tokens from one environment have one `appTransactionId`, and claims on more than \
            \(maxDevices.standard) devices match them, on days at most \(days.standard) apart (in UTC). Claims \
            without a date do not count. Proofs without that id are grouped by app and original purchase date \
            (attribute 18, to the second), in production only (attribute 0 is Production, absent or empty). Of all \
            such spans of days, the one with the most devices is reported, then the one that begins first, then the \
            shortest
            """,
        why: """
            The date on which an app was first bought or downloaded stays with the Apple Account. So does the \
            `appTransactionId` (App Store Server API, JWSAppTransactionDecodedPayload), which is one for each Apple \
            Account and app. Many devices with one of them have one account signed in, which is lent, rented or sold.
            """,
        whenWrong: """
            Unrelated people may download a popular app in the same second: then the devices belong to many accounts \
            and countries, so confidence is doubtful. Volume purchases are left out. `identifierForVendor` and the \
            verification id change when all of a vendor's apps are removed, and one device counts again; test \
            departments use one Apple Account on many devices. Each member of a family has an `appTransactionId` of \
            their own. Only claims whose device hash matches count, so that nobody can put another's proofs here by a \
            copy. Confidence is possible for an `appTransactionId`, and doubtful in test environments.
            """,
        whatToDo: """
            Nothing on this alone. Together with `shared-transaction` or `shared-account` on the same devices it \
            supports them.
            """,
        limits: [maxDevices, days])

    static let examples: [RuleExample] = [
        .raised("eleven devices have one purchase of the app", .low, claims: claims(11)),
        .raised("eleven devices have one person's tokens", .medium, claims: tokens(11)),
        .clear("ten devices have them", claims: tokens(10)),
        .clear(
            "the members of a family have ids of their own", claims: tokens(6, of: "1") + tokens(6, of: "2", from: 6)),
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

    private static func tokens(_ count: Int, of person: ExactText = "1", from first: Int = 0) -> [ExampleClaim] {
        (first..<first + count).map {
            ExampleClaim(
                device: "D\($0)", presented: "2026-03-\($0 < 9 ? "0" : "")\($0 + 1)",
                token: ExampleToken($0, kind: .appTransaction, person: person))
        }
    }

    static let keys = [KeyKind.app, .person]
    private static let maxDevices = RuleLimit(
        "devices", standard: 10, in: 1...4000, "more than this many devices have one purchase of the app")
    private static let days = RuleLimit(
        "days", standard: 90, in: 1...10_000, "they present it on days at most this far apart")

    private let maxDevices: Int
    private let days: Int64
    private var presented = PresentedDays()
    private var window = PresentedDays.Window()
    private var key = KeyKind.app
    private var isProduction = false

    init(_ policy: Policy) {
        maxDevices = policy.value(of: Self.maxDevices, in: Self.self)
        days = policy.seconds(of: Self.days, each: 1, in: Self.self)
    }

    mutating func begin(_ key: KeyKind) { self.key = key }

    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum {
        key == .person ? .init(presenters: maxDevices + 1) : .init(contents: maxDevices + 1)
    }

    mutating func add(_ observation: Observation) {
        guard Self.isCounted(observation) else { return }
        presented.add(observation)
        if observation.environmentClass == .production { isProduction = true }
    }

    mutating func hit() -> Hit? {
        window = presented.best(within: days) { devices, _ in devices }
        guard window.dated.count > maxDevices else { return nil }
        let evidence = window.text(of: "verified devices", isComplete: presented.isComplete)
        guard key == .person else { return Hit(evidence) }
        return Hit(evidence, severity: .medium, confidence: isProduction ? .possible : .doubtful)
    }

    func involves(_ observation: Observation) -> Bool {
        Self.isCounted(observation) && window.contains(observation)
    }

    private static func isCounted(_ observation: Observation) -> Bool {
        observation.isMatching && observation.presentedAt != nil
    }
}
