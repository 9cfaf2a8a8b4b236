import Encodings
import Receipts

/// Finds genuine receipts that contradict each other about a transaction.
struct TransactionConflict: GroupRule {
    static let documentation = RuleDocumentation(
        id: "transaction-conflict",
        title: "Genuine receipts disagree about one transaction",
        severity: .critical,
        raisedWhen: """
            two genuine receipts from one environment give one transaction different products, original transactions, \
            or purchase dates more than a second apart. Production, volume purchases and receipts without attribute 0 \
            are one environment, all sandboxes of the App Store another, and each other name one of its own. Original \
            transactions joined by a token's `previousOriginalTransactionId`, directly or through others, are one. If \
            one receipt has several entries of the transaction, only the least counts: by product (byte by byte), \
            then by purchase date, then by original transaction, never by their order. Each environment has a first \
            presenter of its own
            """,
        why: """
            Signed facts of a transaction do not change. If two receipts that pass all checks contradict each other, \
            one of them is not from the App Store. A trust anchor or a signing key is then in the wrong hands.
            """,
        whenWrong: """
            Rarely. A restored purchase has a transaction id of its own. An upgrade changes the product inside one \
            original transaction, and each of its periods has its own id. A subscription that moves between apps or \
            offers gets a new original transaction, and its tokens name the one before. Stores that number \
            transactions independently, the sandbox and Xcode's local store, are environments of their own. Nobody can \
            raise it against somebody else without a receipt that passes as Apple's.
            """,
        whatToDo: """
            Compare the two receipts (`audit inspect`): their environments, signers and dates. Ask the App Store \
            Server API for the transaction. If both are production receipts, check which trust anchors the run used.
            """)

    static let examples: [RuleExample] = [
        .raised(
            "one receipt says silver, the other gold", .critical, claim(1, ExamplePurchase("silver")),
            claim(2, ExamplePurchase("gold"))),
        .raised(
            "the purchase is two seconds apart", .critical,
            claim(1, ExamplePurchase(bought: "2026-02-01T10:00:00Z")),
            claim(2, ExamplePurchase(bought: "2026-02-01T10:00:02Z"))),
        .raised(
            "the original transactions differ", .critical,
            claim(1, ExamplePurchase("gold", "460000000000009", of: "460000000000001")),
            claim(2, ExamplePurchase("gold", "460000000000009", of: "460000000000002"))),
        .raised(
            "tokens name two, and neither is the one before", .critical, token(1, of: "460000000000001"),
            token(2, of: "460000000000002", after: "460000000000003")),
        .clear(
            "a token says that one took the place of the other",
            claim(1, ExamplePurchase("gold", "460000000000009", of: "460000000000001")),
            token(2, of: "460000000000002", after: "460000000000001")),
        .clear(
            "it did so twice", token(1, of: "460000000000001"),
            token(2, of: "460000000000002", after: "460000000000001"),
            token(3, of: "460000000000003", after: "460000000000002")),
        .clear("both say the same", claim(1, ExamplePurchase()), claim(2, ExamplePurchase())),
        .clear(
            "a second apart may be rounding", claim(1, ExamplePurchase(bought: "2026-02-01T10:00:00Z")),
            claim(2, ExamplePurchase(bought: "2026-02-01T10:00:01Z"))),
        .clear(
            "one is the sandbox's", claim(1, ExamplePurchase("silver")),
            claim(2, environment: "ProductionSandbox", ExamplePurchase("gold"))),
        .clear(
            "one receipt has both entries, in either order",
            claim(1, ExamplePurchase("gold"), ExamplePurchase("silver")),
            claim(2, ExamplePurchase("silver"), ExamplePurchase("gold"))),
        .clear(
            "an upgrade is another transaction of the same original",
            claim(1, ExamplePurchase("silver", "460000000000001")),
            claim(2, ExamplePurchase("gold", "460000000000002", of: "460000000000001"))),
    ]

    private static func token(
        _ number: Int, of original: ExactText, after previous: ExactText? = nil, environment: ExactText = "Production"
    ) -> ExampleClaim {
        ExampleClaim(
            device: "D\(number)",
            token: ExampleToken(
                number, environment: environment,
                ExamplePurchase("gold", "460000000000009", of: original, previousOriginal: previous)))
    }

    private static func claim(
        _ number: Int, environment: ExactText = "Production", _ purchases: ExamplePurchase...
    ) -> ExampleClaim {
        ExampleClaim(
            device: "D\(number)", receipt: ExampleReceipt(number, environment: environment, purchases: purchases))
    }

    static let keys = [KeyKind.transaction]
    static let addsEvents = true

    private var versions = BottomMap<Version, Witness>()
    private var subject = TransactionSubject()
    private var conflicting: Set<EnvironmentClass> = []

    init(_ policy: Policy) {}

    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { .init(contents: 2) }

    mutating func add(_ observation: Observation) {
        guard observation.isGenuine, let purchase = observation.purchases.first else { return }
        versions.add(Version(purchase, in: observation.environmentClass), Witness(observation))
        subject.add(purchase)
    }

    mutating func hit() -> Hit? {
        var differences: [String] = []
        conflicting = []
        let environments = Dictionary(grouping: versions.sorted) { $0.key.environment }.sorted { $0.key < $1.key }
        for (environment, group) in environments {
            let successions = Successions(group.map(\.key))
            for version in group.dropFirst() where group[0].key.contradicts(version.key, successions) {
                conflicting.insert(environment)
                differences.append(
                    "\(group[0].value) and \(version.value) differ in "
                        + group[0].key.differences(from: version.key, successions))
            }
        }
        guard !differences.isEmpty else { return nil }
        let total = versions.isComplete ? String(differences.count) : nil
        return subject.hit(differences.listed(of: total, by: "; ") { $0 })
    }

    func involves(_ observation: Observation) -> Bool {
        observation.isGenuine && !observation.purchases.isEmpty && conflicting.contains(observation.environmentClass)
    }

    func part(of observation: Observation) -> ExactText { observation.environmentClass.name }

    func isAbout(part: ExactText) -> Bool { conflicting.contains(EnvironmentClass(part)) }

    /// The content of a receipt about the transaction.
    private struct Version: Hashable, Comparable, Sendable {
        let environment: EnvironmentClass
        let product: ExactText
        let original: ExactText
        let bought: Instant
        /// The original transaction that ``original`` replaced; empty if none is named.
        let previous: ExactText

        init(_ purchase: Purchase, in environment: EnvironmentClass) {
            self.environment = environment
            product = purchase.productID.boundedID
            original = purchase.original.boundedID
            bought = purchase.purchaseDate
            previous = purchase.details?.previousOriginalTransactionID?.boundedID ?? ""
        }

        static func < (a: Version, b: Version) -> Bool {
            if a.environment != b.environment { return a.environment < b.environment }
            return (a.product, a.original, a.bought, a.previous) < (b.product, b.original, b.bought, b.previous)
        }

        func contradicts(_ other: Version, _ successions: Successions) -> Bool {
            product != other.product || !successions.join(original, other.original) || isBoughtElsewhen(other)
        }

        private func isBoughtElsewhen(_ other: Version) -> Bool { !bought.isWithin(seconds: 1, of: other.bought) }

        /// `product (gold, silver), …`.
        func differences(from other: Version, _ successions: Successions) -> String {
            var differences: [String] = []
            if product != other.product { differences.append("product (\(product), \(other.product))") }
            if isBoughtElsewhen(other) { differences.append("purchase date (\(bought), \(other.bought))") }
            if !successions.join(original, other.original) {
                differences.append("original transaction (\(original), \(other.original))")
            }
            return differences.joined(separator: ", ")
        }
    }

    /// Which original transactions replaced others.
    private struct Successions {
        /// Maps each original transaction to a smaller one that it is joined with.
        private var smaller: [ExactText: ExactText] = [:]

        init(_ versions: [Version]) {
            for version in versions where !version.previous.isEmpty {
                let (one, other) = (least(version.original), least(version.previous))
                if one != other { smaller[max(one, other)] = min(one, other) }
            }
        }

        /// Returns the smallest original transaction that one is joined with.
        private func least(_ original: ExactText) -> ExactText {
            var least = original
            while let next = smaller[least] { least = next }
            return least
        }

        func join(_ one: ExactText, _ other: ExactText) -> Bool { one == other || least(one) == least(other) }
    }
}
