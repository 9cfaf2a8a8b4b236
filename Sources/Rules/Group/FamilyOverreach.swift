import Encodings
import Receipts

/// Finds purchases that are used after a family's sharing ended, or by more persons than a family has.
struct FamilyOverreach: GroupRule {
    static let documentation = RuleDocumentation(
        id: "family-overreach",
        title: "A family's purchase is used beyond the family",
        severity: .low,
        confidence: .possible,
        raisedWhen: """
            a genuine StoreKit 2 token, or evidence, shows that Apple ended the sharing of a transaction \
            (`revocationType` is FAMILY_REVOKE; without it, `inAppOwnershipType` is FAMILY_SHARED), and a claim of the \
            same person (`appTransactionId`) that is presented more than \(days.standard) days later shows the \
            transaction whole (tokens without that id do not count); or tokens of more than \(maxPersons.standard) \
            persons show one original transaction. A claim whose own proof shows the end does not count. A proof that \
            was made after the end and shows the transaction whole means that it was shared again, and silences the \
            rule for it
            """,
        why: """
            Apple revokes a shared purchase when the buyer stops sharing it or a member leaves the family (App Store \
            Server Notifications, REVOKE), which can have six members. A token from before still looks whole.
            """,
        whenWrong: """
            An app that was not opened for a long time, or is offline, presents stored tokens and learns of the end \
            later. Members of a family rightly have an `appTransactionId` and transactions of their own, so that few \
            persons should ever show one original transaction. Test departments share in the sandbox. \
            \(MarkRole.text). Confidence is possible, and doubtful if all is of test environments.
            """,
        whatToDo: """
            Unlock shared purchases for a limited time only, and ask the App Store Server API for their state, or \
            receive App Store Server Notifications and act on REVOKE.
            """,
        limits: [days, maxPersons])

    static let examples: [RuleExample] = [
        .raised(
            "an old token is presented thirty-one days after the end", .low, claim(1, ended: "2026-03-01"),
            claim(2, presented: "2026-04-02")),
        .raised("seven persons show one purchase", .low, claims: (1...7).map { claim($0, person: "70\($0)") }),
        .clear(
            "it is presented thirty days after the end", claim(1, ended: "2026-03-01"),
            claim(2, presented: "2026-03-31")),
        .clear(
            "the token itself shows the end", claim(1, ended: "2026-03-01"),
            claim(2, presented: "2026-04-02", ended: "2026-03-01")),
        .clear(
            "a newer token shows that it was shared again", claim(1, ended: "2026-03-01"),
            claim(2, presented: "2026-04-02"), claim(3, presented: "2026-04-03", signed: "2026-03-20")),
        .clear(
            "another member of the family still shares it", claim(1, ended: "2026-03-01"),
            claim(2, person: "705", presented: "2026-04-02")),
        .clear(
            "the tokens do not say whose they are", claim(1, person: "", ended: "2026-03-01"),
            claim(2, person: "", presented: "2026-04-02")),
        .clear("it was refunded", claim(1, refunded: "2026-03-01"), claim(2, presented: "2026-04-02")),
        .clear("six persons show one purchase", claims: (1...6).map { claim($0, person: "70\($0)") }),
    ]

    private static func claim(
        _ number: Int, person: ExactText = "704", presented: String = "2026-03-02", signed: String = "2026-02-20",
        ended: String? = nil, refunded: String? = nil
    ) -> ExampleClaim {
        ExampleClaim(
            device: "D\(number)", presented: presented,
            token: ExampleToken(
                number, signed: ended ?? refunded ?? signed, person: person,
                ExamplePurchase(refunded: refunded, isFamilyShared: true, sharingEnded: ended)))
    }

    static let keys = [KeyKind.originalTransaction]
    static let usesEvidence = true
    private static let days = RuleLimit(
        "days", standard: 30, in: 0...10_000, "claims are presented more than this many days after the end")
    private static let maxPersons = RuleLimit(
        "persons", standard: 6, in: 1...4000, "more than this many persons show one purchase")

    private let seconds: Int64
    private let maxPersons: Int
    private var items = BottomMap<Item, Sharing>()
    /// What is presented too late: the first instant that is.
    private var overdue: [Item: Instant] = [:]
    /// The environments with too many persons.
    private var crowded: Set<EnvironmentClass> = []

    init(_ policy: Policy) {
        seconds = policy.seconds(of: Self.days, each: 86_400, in: Self.self)
        maxPersons = policy.value(of: Self.maxPersons, in: Self.self)
    }

    /// What Apple took back is a sharing that ended, perhaps.
    func minTraits(under key: KeyKind) -> ClaimTrait.Minimum { .init(who: maxPersons + 1) }

    func mayRaise(_ observation: borrowing Observation) -> Bool { observation.kind != nil }

    mutating func add(_ observation: Observation) {
        guard Self.isCounted(observation) else { return }
        for purchase in observation.purchases {
            items.add(Item(purchase, observation), Sharing(purchase, observation))
        }
    }

    /// Whether it is a token of a person. Who has none is not known to be the same as anybody.
    private static func isCounted(_ observation: Observation) -> Bool {
        observation.isGenuine && observation.kind != nil && !observation.appTransactionID.isEmpty
    }

    mutating func code(_ coder: inout StateCoder) throws { try coder.code(&items) }

    mutating func hit() -> Hit? {
        let entries = items.sorted
        var texts: [String] = []
        for (item, sharing) in entries {
            guard let late = sharing.presented(laterThan: seconds) else { continue }
            overdue[item] = late.ended.date.adding(seconds: seconds)
            texts.append(
                """
                sharing of transaction \(item.transaction) ended on \(late.ended.date), as \(late.ended.witness) \
                shows; \(late.whole.witness) presents it on \(late.whole.date)
                """)
        }
        let environments = Dictionary(grouping: entries.map(\.key)) { $0.environment }.sorted { $0.key < $1.key }
        for (environment, items) in environments {
            let persons = Set(items.map(\.person)).sorted()
            guard persons.count > maxPersons else { continue }
            crowded.insert(environment)
            let few = self.items.isComplete ? "" : "at least "
            texts.append("\(few)\(persons.count) persons: \(persons.listedOfAll { $0.text })")
        }
        guard !texts.isEmpty else { return nil }
        let isTest = !crowded.contains(.production) && !overdue.keys.contains { $0.environment == .production }
        return Hit(texts.listedOfAll(by: "; ") { $0 }, confidence: isTest ? .doubtful : nil)
    }

    func involves(_ observation: Observation) -> Bool {
        guard Self.isCounted(observation) else { return false }
        if !observation.purchases.isEmpty, crowded.contains(observation.environmentClass) { return true }
        return observation.purchases.contains { purchase in
            guard purchase.cancellationDate == nil, let date = observation.presentedAt,
                let end = overdue[Item(purchase, observation)]
            else { return false }
            return date > end
        }
    }
}

/// A transaction as one person has it.
private struct Item: Hashable, Comparable, Codable, Sendable {
    let environment: EnvironmentClass
    let person: ExactText
    let transaction: ExactText

    init(_ purchase: Purchase, _ observation: Observation) {
        environment = observation.environmentClass
        person = observation.appTransactionID
        transaction = purchase.transactionID.boundedID
    }

    static func < (a: Item, b: Item) -> Bool {
        if a.environment != b.environment { return a.environment < b.environment }
        return (a.person, a.transaction) < (b.person, b.transaction)
    }
}

/// How a transaction was shown by all tokens.
private struct Sharing: Mergeable, Sendable {
    /// When Apple ended the sharing.
    private var ended: Dated?
    /// When the token was made that shows it whole, the newest of them.
    private var made: Dated?
    /// When a token was last presented that shows it whole.
    private var presented: Dated?

    /// The later date comes first.
    struct Dated: Comparable, Codable, Sendable {
        let date: Instant
        let witness: Witness

        static func < (a: Dated, b: Dated) -> Bool { (b.date, a.witness) < (a.date, b.witness) }
    }

    init(_ purchase: Purchase, _ observation: Observation) {
        let witness = Witness(observation)
        if let date = purchase.cancellationDate {
            let type = purchase.details?.revocationType
            if purchase.isSharingEnded, type == nil || type == "FAMILY_REVOKE" {
                ended = Dated(date: date, witness: witness)
            }
        } else {
            made = observation.createdAt.map { Dated(date: $0, witness: witness) }
            presented = observation.presentedAt.map { Dated(date: $0, witness: witness) }
        }
    }

    mutating func add(_ other: Sharing) {
        ended.add(other.ended)
        made.add(other.made)
        presented.add(other.presented)
    }

    /// The end, and the last that was presented, if that is more than a number of seconds later and nothing shows that
    /// sharing began again.
    func presented(laterThan seconds: Int64) -> (ended: Dated, whole: Dated)? {
        guard let ended, let presented, made.map({ $0.date <= ended.date }) ?? false,
            presented.date > ended.date.adding(seconds: seconds)
        else { return nil }
        return (ended, presented)
    }
}
