import Encodings
import Receipts

/// Finds people who buy in the App Stores of several countries at one time.
struct StorefrontHop: GroupRule {
    static let documentation = RuleDocumentation(
        id: "storefront-hop",
        title: "Purchases in several countries within weeks",
        severity: .low,
        exceptions: [.init(.medium, "for more than \(manyStorefronts.standard) storefronts")],
        confidence: .possible,
        raisedWhen: """
            genuine StoreKit 2 tokens from one environment with one `appTransactionId` show purchases in \
            \(minStorefronts.standard) or more storefronts that are at most \(days.standard) days apart. Tokens \
            without that id are grouped by account and environment. Purchases that somebody else paid for \
            (`inAppOwnershipType` is not PURCHASED) do not count. Of all such spans of days, the one with the most \
            storefronts is reported, then the earliest
            """,
        why: """
            The storefront is the country of the Apple Account (App Store Server API, `storefront` in \
            JWSTransactionDecodedPayload). Prices differ by country, and customers who move their account buy where it \
            is cheapest, or buy there for others.
            """,
        whenWrong: """
            A move to another country changes the storefront once, and purchases before and after it may be days \
            apart: the finding is low. One of your accounts with two Apple Accounts, in the old and the new country, \
            has both. Refunded purchases count as well. Testers change the storefront in the sandbox. Others can \
            present copies of somebody's tokens, but the purchases in them are that person's. Confidence is possible, \
            and doubtful if all purchases are of test environments.
            """,
        whatToDo: """
            Nothing on this alone. Look at the prices: purchases that keep returning to a cheap country suggest a \
            trade.
            """,
        limits: [minStorefronts, manyStorefronts, days])

    static let examples: [RuleExample] = [
        .raised("a person buys in two countries within thirty days", .low, claim("DEU", day: 1), claim("TUR", day: 31)),
        .raised(
            "an account does, whose tokens have no id", .low,
            claims: ["DEU", "TUR"].enumerated().map {
                claim($1, day: $0 + 1, person: "", account: "ann")
            }),
        .raised(
            "in four countries", .medium,
            claims: ["ARG", "DEU", "IND", "TUR"].enumerated().map { claim($1, day: 3 * $0 + 1) }),
        .raised(
            "three countries at a time are not more", .low,
            claims: ["ARG", "DEU", "IND"].enumerated().map { claim($1, day: $0 + 1) }),
        .clear(
            "somebody moves to another country and buys there a month later", claim("DEU", day: 1),
            claim("FRA", day: 32)),
        .clear("all is bought in one country", claim("DEU", day: 1), claim("DEU", day: 2)),
        .clear("two people", claim("DEU", day: 1), claim("FRA", day: 2, person: "705")),
        .clear(
            "an account buys in one country, and tests in another", claim("DEU", day: 1, person: "", account: "ann"),
            claim("TUR", day: 2, person: "", account: "ann", environment: "Sandbox")),
        .clear(
            "a family member bought it", claim("DEU", day: 1), claim("FRA", day: 2, ownership: "FAMILY_SHARED")),
        .clear(
            "an employer in another country bought the seat", claim("DEU", day: 1),
            claim("FRA", day: 2, ownership: "ASSIGNED")),
        .clear(
            "nobody knows who bought it", claim("DEU", day: 1), claim("FRA", day: 2, ownership: "LOANED")),
    ]

    private static func claim(
        _ storefront: ExactText, day: Int, person: ExactText = "704", account: ExactText = "",
        ownership: ExactText = "PURCHASED", environment: ExactText = "Production"
    ) -> ExampleClaim {
        let date = (Instant(example: "2026-01-31") ?? Instant(seconds: 0)).adding(seconds: Int64(day) * 86_400)
        return ExampleClaim(
            account: account,
            token: ExampleToken(
                day, environment: environment, person: person,
                ExamplePurchase(
                    "gold", "4600000000001\(day)", bought: date.description, storefront: storefront,
                    ownership: ownership)))
    }

    static let keys = [KeyKind.person, .account]
    static let minObservations = 1
    static let looksAtPurchasesOnly = true
    private static let minStorefronts = RuleLimit(
        "storefronts", standard: 2, in: 2...4000, "at least this many storefronts are bought in")
    private static let manyStorefronts = RuleLimit(
        "many-storefronts", standard: 3, in: 2...4000, "the severity is medium above this many storefronts")
    private static let days = RuleLimit(
        "days", standard: 30, in: 0...10_000, "the purchases are at most this many days apart")

    /// A token shows one purchase, and the rule needs two.
    var minSignificantPurchases: Int { .max }

    private let minStorefronts: Int
    private let manyStorefronts: Int
    private let seconds: Int64
    private var key = KeyKind.account
    private var purchases = BottomMap<Transaction, Bought>()
    /// The days with the most storefronts, for each environment with too many.
    private var windows: [EnvironmentClass: ClosedRange<Instant>] = [:]

    init(_ policy: Policy) {
        minStorefronts = policy.value(of: Self.minStorefronts, in: Self.self)
        manyStorefronts = policy.value(of: Self.manyStorefronts, in: Self.self)
        seconds = policy.seconds(of: Self.days, each: 86_400, in: Self.self)
    }

    mutating func begin(_ key: KeyKind) { self.key = key }

    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { .init(contents: 2) }

    func mayRaise(_ observation: borrowing Observation) -> Bool {
        observation.purchases.hasAny { $0.details != nil }
    }

    mutating func add(_ observation: Observation) {
        for (purchase, storefront) in counted(observation) {
            purchases.add(
                Transaction(environment: observation.environmentClass, id: purchase.transactionID.boundedID),
                Bought(date: purchase.purchaseDate, storefront: storefront.boundedID, witness: Witness(observation)))
        }
    }

    mutating func hit() -> Hit? {
        windows = [:]
        var (texts, most): ([String], Int) = ([], 0)
        let environments = Dictionary(grouping: purchases.sorted) { $0.key.environment }.sorted { $0.key < $1.key }
        for (environment, entries) in environments {
            let bought = entries.map(\.value).sorted()
            guard let best = best(of: bought) else { continue }
            windows[environment] = bought[best.lowerBound].date...bought[best.upperBound].date
            var first: [ExactText: Bought] = [:]
            for one in bought[best] where first[one.storefront] == nil { first[one.storefront] = one }
            let list = first.values.sorted().listedOfAll { "\($0.storefront) on \($0.date) (\($0.witness))" }
            let few = purchases.isComplete ? "" : "at least "
            texts.append("\(few)\(first.count) storefronts: \(list)")
            most = max(most, first.count)
        }
        guard !texts.isEmpty else { return nil }
        return Hit(
            texts.listedOfAll(by: "; ") { $0 }, severity: most > manyStorefronts ? .medium : nil,
            confidence: windows[.production] == nil ? .doubtful : nil)
    }

    /// Returns the purchases in the most storefronts that are close enough to each other; the earliest of equal ones.
    private func best(of bought: [Bought]) -> ClosedRange<Int>? {
        var (best, most): (ClosedRange<Int>?, Int) = (nil, minStorefronts - 1)
        var counts: [ExactText: Int] = [:]
        var first = 0
        for last in bought.indices {
            counts[bought[last].storefront, default: 0] += 1
            while bought[first].date.adding(seconds: seconds) < bought[last].date {
                let count = counts[bought[first].storefront, default: 1] - 1
                counts[bought[first].storefront] = count == 0 ? nil : count
                first += 1
            }
            if counts.count > most { (best, most) = (first...last, counts.count) }
        }
        return best
    }

    func involves(_ observation: Observation) -> Bool {
        guard let window = windows[observation.environmentClass] else { return false }
        return counted(observation).contains { window.contains($0.purchase.purchaseDate) }
    }

    /// Returns the purchases of a claim that count, each with its storefront.
    private func counted(_ observation: Observation) -> [(purchase: Purchase, storefront: ExactText)] {
        guard observation.isGenuine, key == .person || observation.appTransactionID.isEmpty else { return [] }
        return observation.purchases.compactMap { purchase in
            guard let details = purchase.details, !details.isMember,
                let storefront = details.storefront, !storefront.isEmpty
            else { return nil }
            return (purchase, storefront)
        }
    }

    /// Transaction numbers are unique only within an environment.
    private struct Transaction: Hashable, Comparable, Sendable {
        let environment: EnvironmentClass
        let id: ExactText

        static func < (a: Transaction, b: Transaction) -> Bool { (a.environment, a.id) < (b.environment, b.id) }
    }

    private struct Bought: Comparable, Mergeable, Sendable {
        let date: Instant
        let storefront: ExactText
        let witness: Witness

        static func < (a: Bought, b: Bought) -> Bool {
            (a.date, a.storefront, a.witness) < (b.date, b.storefront, b.witness)
        }
    }
}
